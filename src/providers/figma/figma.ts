import { memberAt } from '../member-at.ts';
import type { Provider } from '../provider.ts';
import { jsonBody } from '../signing/json-body.ts';
import type { Proof } from '../signing/proof.ts';
import { readOnce } from '../signing/read-once.ts';
import { isSameText } from '../signing/same-text.ts';
import type { SignedRequest } from '../signing/signed-request.ts';

/**
 * The body repeats the passcode of the webhook.
 *
 * https://developers.figma.com/docs/rest-api/webhooks-security/
 */
const PROOF: Proof = {
  grade: 'authenticated',
  secret: "the webhook's passcode",
  problem: () => null,
  check(request, secret) {
    const passcode = readOnce(request, passcodeOf);
    if (typeof passcode !== 'string') return 'signature_missing';
    return isSameText(passcode, secret) ? null : 'signature_mismatch';
  },
};

function passcodeOf({ body }: SignedRequest): unknown {
  return memberAt(jsonBody(body), 'passcode');
}

export const figma = {
  name: 'figma',
  title: 'Figma',
  shapes: [
    (o) =>
      typeof o('passcode') === 'string' && o('webhook_id') !== undefined
        ? o('event_type')
        : undefined,
  ],
  typePaths: [['event_type']],
  proof: PROOF,
} satisfies Provider;
