import type { Provider } from '../provider.ts';
import { schemeProof } from '../signing/proof.ts';
import { singleSigner } from '../signing/scheme-signer.ts';
import type { SignatureScheme } from '../signing/signature-scheme.ts';

/**
 * `v1=` and the hexadecimal HMAC-SHA256 of the body.
 *
 * https://circleci.com/docs/outbound-webhooks/#validate-webhooks
 */
const SCHEME: SignatureScheme = {
  algorithm: 'hmac-sha256',
  key: 'text',
  header: 'circleci-signature',
  encoding: 'hex',
  form: { separator: ',', field: 'v1' },
  signed: ['body'],
  time: null,
};
const SECRET = "the webhook's secret token";

export const circleci = {
  name: 'circleci',
  title: 'CircleCI',
  marks: [{ header: 'circleci-event-type', isType: true, rank: 3 }],
  proof: schemeProof(SCHEME, SECRET),
  once: { by: [['body.id']] },
  signature: { header: SCHEME.header, scheme: SCHEME, signer: singleSigner(SCHEME) },
} satisfies Provider;
