import { lookInto } from '../look.ts';
import type { Provider } from '../provider.ts';
import { clockOf } from '../reasons/signed-clock.ts';
import { jsonBody } from '../signing/json-body.ts';
import { type Proof, schemeProof } from '../signing/proof.ts';
import { schemeSigner } from '../signing/scheme-signer.ts';
import type { SignatureScheme, SignedTime } from '../signing/signature-scheme.ts';
import type { SignedRequest } from '../signing/signed-request.ts';
import { withinWindow } from '../signing/verify-scheme.ts';

/**
 * The hexadecimal HMAC-SHA256 of the body.
 *
 * https://linear.app/developers/webhooks#securing-webhooks
 */
const SCHEME: SignatureScheme = {
  algorithm: 'hmac-sha256',
  key: 'text',
  header: 'Linear-Signature',
  encoding: 'hex',
  form: { prefix: '' },
  signed: ['body'],
  time: null,
};
/** The body's `webhookTimestamp` is signed. The header `Linear-Timestamp` isn't. */
const TIME: Omit<SignedTime, 'place'> = { unit: 'ms', toleranceMs: 60_000, isTwoSided: true };

const BODY_PROOF = schemeProof(SCHEME, "the webhook's signing secret");

const PROOF: Proof = {
  ...BODY_PROOF,
  check(request, secret) {
    const outcome = BODY_PROOF.check(request, secret);
    if (outcome !== null) return outcome;
    const time = signedTime(request);
    // Linear's library takes bodies without a time too.
    return time === null ? null : withinWindow(TIME, time, request.receivedAt);
  },
  clock: (request) => clockOf(TIME, signedTime(request), request),
};

function signedTime({ body }: SignedRequest): string | null {
  const time = lookInto(jsonBody(body))('webhookTimestamp');
  return typeof time === 'number' ? String(time) : null;
}

export const linear = {
  name: 'linear',
  title: 'Linear',
  marks: [{ header: 'linear-event', isType: true, rank: 3 }],
  shapes: [(o) => (o('webhookTimestamp') && o('organizationId') ? o('type') : undefined)],
  typePaths: [['type']],
  deliveryIdHeader: 'linear-delivery',
  proof: PROOF,
  once: { by: [['header.linear-delivery']], varies: ['body.webhookTimestamp'] },
  signature: { header: SCHEME.header, scheme: SCHEME, signer: schemeSigner(SCHEME) },
} satisfies Provider;
