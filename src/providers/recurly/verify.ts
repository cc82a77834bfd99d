import { clockOf } from '../reasons/signed-clock.ts';
import { checkHmac } from '../signing/check-hmac.ts';
import type { Proof } from '../signing/proof.ts';
import { headerOf, headersOf } from '../signing/signed-request.ts';
import { timeOf, withinWindow } from '../signing/verify-scheme.ts';

export const HEADER = 'recurly-signature';
export const FORM = { algorithm: 'hmac-sha256', encoding: 'hex' } as const;
const TIME = { unit: 'ms', toleranceMs: 300_000, isTwoSided: true } as const;
/** Recurly sends two while a key rotates. */
const MOST_SIGNATURES = 20;

/**
 * `<milliseconds>,<signature>,<signature>`: hexadecimal HMAC-SHA256 of `<milliseconds>.<body>`,
 * one for each key. Recurly signs only JSON webhooks.
 *
 * https://docs.recurly.com/recurly-subscriptions/docs/signature-verification
 */
export const recurlyProof: Proof = {
  grade: 'verified',
  secret: "the webhook endpoint's secret key",
  problem: () => null,
  clock: (request) =>
    clockOf(TIME, headerOf(request, HEADER)?.split(',', 1)[0]?.trim() ?? null, request),
  check(request, secret) {
    const [sent, ...others] = headersOf(request, HEADER);
    if (sent === undefined) return 'signature_missing';
    // The time of signing stands in it.
    if (others.length > 0) return 'signature_malformed';
    const [time = '', ...signatures] = sent.split(',', MOST_SIGNATURES).map((one) => one.trim());
    if (timeOf(TIME, time) === null) return 'signature_malformed';
    const outcome = checkHmac(FORM, secret, [`${time}.`, request.body], signatures);
    return outcome ?? withinWindow(TIME, time, request.receivedAt);
  },
};
