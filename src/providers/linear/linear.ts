import { memberAt } from '../member-at.ts';
import type { Provider } from '../provider.ts';
import { clockOf } from '../reasons/signed-clock.ts';
import { jsonBody } from '../signing/json-body.ts';
import type { Proof } from '../signing/proof.ts';
import { signatureIn } from '../signing/signed-by.ts';
import type { SignedRequest } from '../signing/signed-request.ts';
import { withinWindow } from '../signing/verify-scheme.ts';

const { proof, signature } = signatureIn('Linear-Signature', "the webhook's signing secret");
/** The body's `webhookTimestamp` is signed. The header `Linear-Timestamp` isn't. */
const TIME = { unit: 'ms', toleranceMs: 60_000, isTwoSided: true } as const;

const PROOF: Proof = {
  ...proof,
  check(request, secret) {
    const outcome = proof.check(request, secret);
    if (outcome !== null) return outcome;
    const time = signedTime(request);
    // Linear's library also accepts bodies without a time.
    return time === null ? null : withinWindow(TIME, time, request.receivedAt);
  },
  clock: (request) => clockOf(TIME, signedTime(request), request),
};

function signedTime({ body }: SignedRequest): string | null {
  const time = memberAt(jsonBody(body), 'webhookTimestamp');
  return typeof time === 'number' ? String(time) : null;
}

/** https://linear.app/developers/webhooks#securing-webhooks */
export const linear = {
  name: 'linear',
  title: 'Linear',
  marks: [{ header: 'linear-event', isType: true, rank: 3 }],
  shapes: [(o) => (o('webhookTimestamp') && o('organizationId') ? o('type') : undefined)],
  typePaths: [['type']],
  deliveryIdHeader: 'linear-delivery',
  once: { by: [['header.linear-delivery']], varies: ['body.webhookTimestamp'] },
  proof: PROOF,
  signature: {
    ...signature,
    note: "Linear's library also checks the time in the body (webhookTimestamp). So it refuses events older than a minute, even with a new signature.",
  },
} satisfies Provider;
