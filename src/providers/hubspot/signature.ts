import { createHash, timingSafeEqual } from 'node:crypto';
import { clockOf } from '../reasons/signed-clock.ts';
import { checkHmac, hmacText, SHA256_BASE64 } from '../signing/check-hmac.ts';
import type { Proof } from '../signing/proof.ts';
import { anyOf, type SecretOutcome } from '../signing/secret-outcome.ts';
import { type Signer, TEST_SECRET } from '../signing/signature.ts';
import type { SignedTime } from '../signing/signature-scheme.ts';
import { headerOf, onlyHeaderOf, type SignedRequest } from '../signing/signed-request.ts';
import { decodedSignature, withinWindow } from '../signing/verify-scheme.ts';

export const V3_HEADER = 'X-HubSpot-Signature-v3';
const OLD_HEADER = 'X-HubSpot-Signature';
const VERSION_HEADER = 'X-HubSpot-Signature-Version';
const TIME_HEADER = 'X-HubSpot-Request-Timestamp';

/** HubSpot's library checks only the age. It accepts any time in the future. */
const TIME: SignedTime = {
  place: { header: TIME_HEADER },
  unit: 'ms',
  toleranceMs: 300_000,
  isTwoSided: false,
};
/** The escapes in the URL that HubSpot decodes before it signs. */
const DECODED = /%(?:3A|2F|3F|40|21|24|27|28|29|2A|2C|3B)/gi;

/**
 * HubSpot's signatures.
 * - Version 3: the base64 HMAC-SHA256 of the method, the URL, the body and the time in
 *   milliseconds.
 * - Version 2: the hexadecimal SHA-256 of the secret, the method, the URL and the body.
 * - Version 1: the hexadecimal SHA-256 of the secret and the body.
 *
 * hookrelay checks an old version only if version 3 is missing. Such a request is only
 * `authenticated`: an old version signs no time, and its plain hash can be extended without the
 * secret. Anybody who has seen a request can remove version 3 and replay the rest. `sign_as` must
 * not sign such a request.
 *
 * https://developers.hubspot.com/docs/api/webhooks/validating-requests
 */
export const hubspotProof: Proof = {
  grade: 'verified',
  gradeOf: (request) => (headerOf(request, V3_HEADER) === null ? 'authenticated' : 'verified'),
  coversUrl: true,
  secret: "the app's client secret",
  problem: () => null,
  clock: (request) => clockOf(TIME, headerOf(request, TIME_HEADER), request),
  check(request, secret) {
    const sent = headerOf(request, V3_HEADER);
    if (sent !== null) return checkV3(request, secret, sent);
    const old = headerOf(request, OLD_HEADER);
    if (old === null) return 'signature_missing';
    const { method, urls, body } = request;
    return headerOf(request, VERSION_HEADER)?.toLowerCase() === 'v2'
      ? anyOf(urls.map((url) => checkHash([secret, method, url, body], old)))
      : checkHash([secret, body], old);
  },
};

export const hubspotSigner: Signer = {
  testSecret: TEST_SECRET,
  sign({ method, url, body, timestampS }, secret) {
    const time = String(timestampS * 1000);
    const signature = hmacText(SHA256_BASE64, secret, [method, signedUrl(url), body, time]);
    return [
      [TIME_HEADER, time],
      [V3_HEADER, signature],
    ];
  },
};

function checkV3({ method, urls, body, ...request }: SignedRequest, secret: string, sent: string) {
  const time = onlyHeaderOf(request, TIME_HEADER);
  if (time === null) return 'signature_malformed';
  const spellings = new Set(urls.flatMap((url) => [signedUrl(url), url]));
  const outcomes = [...spellings].map((url) =>
    checkHmac(SHA256_BASE64, secret, [method, url, body, Buffer.from(time, 'latin1')], [sent]),
  );
  return anyOf(outcomes) ?? withinWindow(TIME, time, request.receivedAt);
}

function signedUrl(url: string): string {
  return url.replace(DECODED, decodeURIComponent);
}

function checkHash(parts: readonly (string | Buffer)[], sent: string): SecretOutcome {
  const signature = decodedSignature({ algorithm: 'hmac-sha256', encoding: 'hex' }, sent);
  if (signature === null) return 'signature_malformed';
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return timingSafeEqual(hash.digest(), signature) ? null : 'signature_mismatch';
}
