import { memberAt } from '../member-at.ts';
import { jsonBody } from '../signing/json-body.ts';
import type { Proof } from '../signing/proof.ts';
import { readOnce } from '../signing/read-once.ts';
import { isSameText } from '../signing/same-text.ts';
import type { SignedRequest } from '../signing/signed-request.ts';

/**
 * Each notification of the body repeats the subscription's `clientState`. hookrelay doesn't verify
 * the tokens of notifications with resource data, because it would have to fetch their keys.
 *
 * https://learn.microsoft.com/graph/change-notifications-delivery-webhooks
 */
export const microsoftGraphProof: Proof = {
  grade: 'authenticated',
  secret: "the subscription's clientState",
  problem: () => null,
  check(request, secret) {
    const distinct = readOnce(request, statesOf);
    if (distinct.length === 0 || distinct.includes(undefined)) return 'signature_missing';
    const [state] = distinct;
    if (distinct.length > 1 || typeof state !== 'string') return 'signature_mismatch';
    return isSameText(state, secret) ? null : 'signature_mismatch';
  },
};

/** Returns the distinct states of a request's notifications, so that each is compared only once. */
function statesOf({ body }: SignedRequest): unknown[] {
  const value = memberAt(jsonBody(body), 'value');
  const states = (Array.isArray(value) ? value : []).map((one) => memberAt(one, 'clientState'));
  return [...new Set(states)];
}
