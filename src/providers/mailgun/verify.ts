import { createHmac } from 'node:crypto';
import { memberAt } from '../member-at.ts';
import type { Proof } from '../signing/proof.ts';
import { readOnce } from '../signing/read-once.ts';
import { isSameText } from '../signing/same-text.ts';
import { headerOf, type SignedRequest } from '../signing/signed-request.ts';

/** The largest body that is parsed. Mailgun's events are small. */
const MOST_BYTES = 1_048_576;
const FORM = /^application\/x-www-form-urlencoded\b/i;
const SIGNATURE = /^[\da-f]{64}$/;
const TIME = /^\d{1,12}$/;
const TOKEN = /^[\w-]{1,100}$/;

interface SentProof {
  timestamp: string;
  token: string;
  /** The account's signature. A subaccount's event also has the signature of the parent account. */
  signatures: readonly string[];
}

/**
 * The body has a time, a token, and the hexadecimal HMAC-SHA256 of both. The signature doesn't
 * cover the rest of the body. Older webhooks send the three values as fields of a form.
 *
 * https://documentation.mailgun.com/docs/mailgun/user-manual/webhooks/securing-webhooks
 */
export const mailgunProof: Proof = {
  grade: 'authenticated',
  secret: "the account's HTTP webhook signing key",
  problem: () => null,
  check(request, secret) {
    const sent = readOnce(request, sentProof);
    if (sent === null) return 'signature_missing';
    const { timestamp, token } = sent;
    const signatures = sent.signatures.filter((one) => SIGNATURE.test(one));
    if (signatures.length === 0 || !TIME.test(timestamp) || !TOKEN.test(token)) {
      return 'signature_malformed';
    }
    const expected = createHmac('sha256', secret)
      .update(timestamp + token)
      .digest('hex');
    return signatures.some((one) => isSameText(one, expected)) ? null : 'signature_mismatch';
  },
};

function sentProof(request: SignedRequest): SentProof | null {
  if (request.body.length > MOST_BYTES) return null;
  const text = request.body.toString('utf8');
  if (FORM.test(headerOf(request, 'content-type') ?? '')) {
    const form = new URLSearchParams(text);
    return proofOf((name) => form.get(name));
  }
  try {
    const body = JSON.parse(text);
    return proofOf((name) => memberAt(body, 'signature', name));
  } catch {
    return null;
  }
}

function proofOf(read: (name: string) => unknown): SentProof | null {
  const signatures = [read('signature'), read('parent-signature')].filter(
    (one) => typeof one === 'string',
  );
  if (signatures.length === 0) return null;
  return {
    timestamp: String(read('timestamp') ?? ''),
    token: String(read('token') ?? ''),
    signatures,
  };
}
