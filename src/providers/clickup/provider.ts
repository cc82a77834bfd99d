import type { Provider } from '../provider.ts';
import { schemeProof } from '../signing/proof.ts';
import { schemeSigner } from '../signing/scheme-signer.ts';
import type { SignatureScheme } from '../signing/signature-scheme.ts';

/**
 * The hexadecimal HMAC-SHA256 of the body.
 *
 * https://developer.clickup.com/docs/webhooksignature
 */
const SCHEME: SignatureScheme = {
  algorithm: 'hmac-sha256',
  key: 'text',
  header: 'X-Signature',
  encoding: 'hex',
  form: { prefix: '' },
  signed: ['body'],
  time: null,
};

export const clickup = {
  name: 'clickup',
  title: 'ClickUp',
  shapes: [(o) => (o('webhook_id') && o('history_items') ? o('event') : undefined)],
  typePaths: [['event']],
  proof: schemeProof(SCHEME, "the webhook's secret"),
  signature: {
    header: SCHEME.header,
    scheme: SCHEME,
    signer: schemeSigner(SCHEME),
  },
} satisfies Provider;
