import { memberAt } from '../member-at.ts';
import { checkHmac, SHA256_BASE64 } from '../signing/check-hmac.ts';
import { jsonBody } from '../signing/json-body.ts';
import type { Proof } from '../signing/proof.ts';
import { readOnce } from '../signing/read-once.ts';
import { keyOf } from '../signing/secret-key.ts';
import { anyOf, type SecretOutcome } from '../signing/secret-outcome.ts';
import type { SignedRequest } from '../signing/signed-request.ts';

export const KEY = { algorithm: 'hmac-sha256', key: 'hex' } as const;

/** The fields of an item that are signed, joined by colons. */
const SIGNED = [
  ['pspReference'],
  ['originalReference'],
  ['merchantAccountCode'],
  ['merchantReference'],
  ['amount', 'value'],
  ['amount', 'currency'],
  ['eventCode'],
  ['success'],
];
/** The largest number of items in a body. Adyen sends one item in each JSON request. */
const MOST_ITEMS = 100;

/**
 * Each item of the body has its own signature: the base64 HMAC-SHA256 of some of its fields. An
 * absent field counts as empty, and a colon in a field isn't escaped. Other fields aren't signed.
 *
 * https://docs.adyen.com/development-resources/webhooks/secure-webhooks/verify-hmac-signatures
 */
export const adyenProof: Proof = {
  grade: 'authenticated',
  secret: "the webhook's HMAC key",
  problem: (secret) => (keyOf(KEY, secret) === null ? 'must be hexadecimal digits' : null),
  check(request, secret) {
    const key = keyOf(KEY, secret);
    if (!Buffer.isBuffer(key)) return 'secret_unreadable';
    const items = readOnce(request, itemsOf);
    if (!Array.isArray(items) || items.length === 0) return 'signature_missing';
    if (items.length > MOST_ITEMS) return 'signature_malformed';
    const outcomes = items.map((item) => checkItem(item, key));
    return outcomes.every((outcome) => outcome === null)
      ? null
      : anyOf(outcomes.filter((outcome) => outcome !== null));
  },
};

function itemsOf({ body }: SignedRequest): unknown {
  return memberAt(jsonBody(body), 'notificationItems');
}

function checkItem(item: unknown, key: Buffer): SecretOutcome {
  const sent = memberAt(item, 'NotificationRequestItem', 'additionalData', 'hmacSignature');
  if (typeof sent !== 'string') return 'signature_missing';
  return checkHmac(SHA256_BASE64, key, [signedText(item)], [sent]);
}

/** Returns the text that the signature of an item covers. */
export function signedText(item: unknown): string {
  return SIGNED.map((path) => fieldText(memberAt(item, 'NotificationRequestItem', ...path))).join(
    ':',
  );
}

function fieldText(value: unknown): string {
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : '';
}
