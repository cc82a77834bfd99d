import { lookInto } from '../look.ts';
import { jsonBody } from '../signing/json-body.ts';
import type { Proof } from '../signing/proof.ts';
import { isSameText } from '../signing/same-text.ts';

/**
 * Each notification of the body repeats the `clientState` of the subscription. The tokens of
 * notifications with resource data are not looked at: their keys are on the network.
 *
 * https://learn.microsoft.com/graph/change-notifications-delivery-webhooks
 */
export const microsoftGraphProof: Proof = {
  grade: 'authenticated',
  secret: "the subscription's clientState",
  problem: () => null,
  check({ body }, secret) {
    const value = lookInto(jsonBody(body))('value');
    const states = (Array.isArray(value) ? value : []).map((one) => lookInto(one)('clientState'));
    // Notifications of one request have few states, so that each state is compared once.
    const distinct = [...new Set(states)];
    if (distinct.length === 0 || distinct.includes(undefined)) return 'signature_missing';
    const [state] = distinct;
    if (distinct.length > 1 || typeof state !== 'string') return 'signature_mismatch';
    return isSameText(state, secret) ? null : 'signature_mismatch';
  },
};
