import { basicProof } from '../own-sources/basic.ts';
import { tokenProof } from '../own-sources/token.ts';
import type { Proof } from '../signing/proof.ts';

const QUERY_PROOF = tokenProof('query.token');

/**
 * Postmark doesn't sign. The webhook's URL contains either a user and a password, which are sent as
 * HTTP Basic, or a token (`?token=…`).
 *
 * https://postmarkapp.com/developer/webhooks/webhooks-overview#protecting-your-webhook
 */
export const postmarkProof: Proof = {
  grade: 'authenticated',
  secret: "the URL's user and password with a colon between them, or its token",
  problem: (secret) => (secret.includes(':') ? basicProof.problem(secret) : null),
  check: (request, secret) =>
    (secret.includes(':') ? basicProof : QUERY_PROOF).check(request, secret),
};
