import type { Provider } from '../provider.ts';
import { schemeProof } from '../signing/proof.ts';
import { schemeSigner } from '../signing/scheme-signer.ts';
import type { SignatureScheme } from '../signing/signature-scheme.ts';

/**
 * The hexadecimal HMAC-SHA1 of the body, of webhook destinations. Many services call their
 * header `X-Signature`, so it is no mark.
 *
 * https://segment.com/docs/connections/destinations/catalog/actions-webhook/
 */
const SCHEME: SignatureScheme = {
  algorithm: 'hmac-sha1',
  key: 'text',
  header: 'X-Signature',
  encoding: 'hex',
  form: { prefix: '' },
  signed: ['body'],
  time: null,
};
const SECRET = "the destination's shared secret";

export const segment = {
  name: 'segment',
  title: 'Segment',
  shapes: [
    (o) =>
      o('messageId') && (o('anonymousId') ?? o('userId')) !== undefined ? o('type') : undefined,
  ],
  typePaths: [['type']],
  proof: schemeProof(SCHEME, SECRET),
  once: { by: [['body.messageId']] },
  signature: { header: SCHEME.header, scheme: SCHEME, signer: schemeSigner(SCHEME) },
} satisfies Provider;
