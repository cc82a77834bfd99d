import { schemeClock } from '../reasons/signed-clock.ts';
import { checkHmac, SHA256_HEX } from '../signing/check-hmac.ts';
import type { Proof } from '../signing/proof.ts';
import { sentSignature } from '../signing/sent-signature.ts';
import type { SignatureScheme, SignedTime } from '../signing/signature-scheme.ts';
import { headersOf } from '../signing/signed-request.ts';
import { timeOf, withinWindow } from '../signing/verify-scheme.ts';

/** Mercado Pago's documentation shows seconds, but some notifications have milliseconds. */
const TIME: SignedTime = {
  place: { field: 'ts' },
  unit: 'any',
  toleranceMs: 300_000,
  isTwoSided: true,
};
/** The header with the request's id, which is signed. */
export const REQUEST_ID = 'x-request-id';
export const HEADER: SignatureScheme = {
  algorithm: 'hmac-sha256',
  key: 'text',
  header: 'x-signature',
  encoding: 'hex',
  form: { separator: ',', field: 'v1' },
  signed: [],
  time: TIME,
};

/**
 * The header is `ts=<time>,v1=<signature>`. The signature is the hexadecimal HMAC-SHA256 of the
 * query's `data.id`, the request's id and the time. It doesn't cover the body.
 *
 * https://www.mercadopago.com.br/developers/en/docs/your-integrations/notifications/webhooks
 */
export const mercadoPagoProof: Proof = {
  grade: 'authenticated',
  secret: "the application's webhook secret",
  problem: () => null,
  clock: (request) => schemeClock(HEADER, request),
  check(request, secret) {
    const sent = sentSignature(HEADER, request);
    if (sent === null) return 'signature_missing';
    if (sent.time === null || timeOf(TIME, sent.time) === null) return 'signature_malformed';
    const { query } = request;
    const [requestId = null, ...others] = headersOf(request, REQUEST_ID);
    if (others.length > 0) return 'signature_malformed';
    const signed = manifest({ query, requestId, time: sent.time });
    const outcome = checkHmac(SHA256_HEX, secret, [signed], sent.signatures);
    return outcome ?? withinWindow(TIME, sent.time, request.receivedAt);
  },
};

interface Signed {
  query: string;
  requestId: string | null;
  time: string;
}

/** Returns the signed text. Values that a request doesn't have are left out. */
export function manifest({ query, requestId, time }: Signed): string {
  const id = new URLSearchParams(query).get('data.id');
  return [
    id === null ? '' : `id:${id.toLowerCase()};`,
    requestId === null ? '' : `request-id:${requestId};`,
    `ts:${time};`,
  ].join('');
}
