import type { Provider } from '../provider.ts';
import { schemeProof } from '../signing/proof.ts';
import { schemeSigner } from '../signing/scheme-signer.ts';
import type { SignatureScheme } from '../signing/signature-scheme.ts';
import { notionHandshake } from './handshake.ts';

/**
 * `sha256=` and the hexadecimal HMAC-SHA256 of the body. The key is the token of the
 * handshake.
 *
 * https://developers.notion.com/reference/webhooks
 */
const SCHEME: SignatureScheme = {
  algorithm: 'hmac-sha256',
  key: 'text',
  header: 'X-Notion-Signature',
  encoding: 'hex',
  form: { prefix: 'sha256=' },
  signed: ['body'],
  time: null,
};
const SECRET = "the subscription's verification token";

export const notion = {
  name: 'notion',
  title: 'Notion',
  marks: [{ header: 'x-notion-signature', rank: 3 }],
  typePaths: [['type']],
  proof: schemeProof(SCHEME, SECRET),
  once: { by: [['body.id']], varies: ['body.attempt_number'] },
  signature: { header: SCHEME.header, scheme: SCHEME, signer: schemeSigner(SCHEME) },
  handshakes: [notionHandshake],
} satisfies Provider;
