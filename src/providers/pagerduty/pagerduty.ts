import type { Provider } from '../provider.ts';
import { schemeProof } from '../signing/proof.ts';
import { schemeSigner } from '../signing/scheme-signer.ts';
import type { SignatureScheme } from '../signing/signature-scheme.ts';

/**
 * `v1=` and the hexadecimal HMAC-SHA256 of the body, one for each secret, separated by commas.
 *
 * https://developer.pagerduty.com/docs/verifying-webhook-signatures
 */
const SCHEME: SignatureScheme = {
  algorithm: 'hmac-sha256',
  key: 'text',
  header: 'X-PagerDuty-Signature',
  encoding: 'hex',
  form: { separator: ',', field: 'v1' },
  signed: ['body'],
  time: null,
};
const SECRET = "the webhook subscription's secret";

export const pagerduty = {
  name: 'pagerduty',
  title: 'PagerDuty',
  marks: [{ header: 'x-pagerduty-signature', rank: 3 }],
  shapes: [(o) => (o('event', 'resource_type') ? o('event', 'event_type') : undefined)],
  typePaths: [['event', 'event_type']],
  proof: schemeProof(SCHEME, SECRET),
  once: { by: [['body.event.id']] },
  signature: { header: SCHEME.header, scheme: SCHEME, signer: schemeSigner(SCHEME) },
} satisfies Provider;
