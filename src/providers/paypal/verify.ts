import { crc32 } from 'node:zlib';
import type { Certificate } from '../fetched-keys/certificate.ts';
import { checkRsa, isSignature } from '../fetched-keys/check-rsa.ts';
import { pinnedUrl } from '../fetched-keys/fetched-key.ts';
import type { Proof } from '../signing/proof.ts';
import { headersOf, type SignedRequest } from '../signing/signed-request.ts';

const CERTIFICATE = {
  host: /^api(?:-m)?(?:\.sandbox)?\.paypal\.com$/,
  path: /^\/v1\/notifications\/certs\/CERT-[\w-]{1,100}$/,
};
const ALGORITHM = 'SHA256withRSA';
/** Matches a part of the signed text. Bars separate the parts, so a part has none. */
const PART = /^[^|\s]{1,100}$/;

interface Transmission {
  id: string;
  time: string;
  signature: string;
  url: string;
}

/**
 * An RSA signature of `<transmission id>|<time>|<webhook id>|<CRC-32 of the body>`, with the key in
 * the certificate at `paypal-cert-url`.
 *
 * Anybody with a signed request can make another body with the same CRC-32. So the signature
 * doesn't protect the body.
 *
 * The certificate must be paypal.com's, and currently valid. PayPal's libraries also verify the
 * chain with bundled issuers, which have changed over time. hookrelay doesn't, because TLS proves
 * the host that serves the certificate.
 *
 * https://developer.paypal.com/api/rest/webhooks/rest/#self-verification-method
 */
export const paypalProof: Proof = {
  grade: 'authenticated',
  secret: "the webhook's id",
  problem: (text) =>
    PART.test(text) ? null : 'must be the ID of the webhook, such as 8PT597110X687430L',
  keyNeeded(request) {
    const sent = transmissionOf(request);
    return typeof sent === 'string' ? null : { kind: 'certificate', url: sent.url };
  },
  check(request, webhookId) {
    const sent = transmissionOf(request);
    if (typeof sent === 'string') return sent;
    if (!PART.test(webhookId)) return 'secret_unreadable';
    const { id, time, signature, url } = sent;
    const signed = `${id}|${time}|${webhookId}|${crc32(request.body)}`;
    return checkRsa(request, { algorithm: 'sha256', signed, signature, url }, isOfPaypal);
  },
};

function transmissionOf(
  request: Pick<SignedRequest, 'rawHeaders'>,
): Transmission | 'signature_missing' | 'signature_malformed' {
  const values = [
    'transmission-sig',
    'transmission-id',
    'transmission-time',
    'cert-url',
    'auth-algo',
  ].map((name) => headersOf(request, `paypal-${name}`));
  if (values[0]?.length === 0) return 'signature_missing';
  if (values.some(({ length }) => length !== 1)) return 'signature_malformed';
  const [signature, id, time, certificateUrl, algorithm] = values.flat() as [
    string,
    string,
    string,
    string,
    string,
  ];
  const url = pinnedUrl(certificateUrl, CERTIFICATE)?.href;
  const isWhole = isSignature(signature) && PART.test(id) && PART.test(time);
  if (!isWhole || url === undefined || algorithm !== ALGORITHM) return 'signature_malformed';
  return { id, time, signature, url };
}

function isOfPaypal({ names }: Certificate): boolean {
  return names.some((name) => name.endsWith('.paypal.com'));
}
