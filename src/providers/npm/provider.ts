import type { Provider } from '../provider.ts';
import { schemeProof } from '../signing/proof.ts';
import { schemeSigner } from '../signing/scheme-signer.ts';
import type { SignatureScheme } from '../signing/signature-scheme.ts';

/**
 * `sha256=` and the hexadecimal HMAC-SHA256 of the body.
 *
 * https://docs.npmjs.com/cli/commands/npm-hook
 */
const SCHEME: SignatureScheme = {
  algorithm: 'hmac-sha256',
  key: 'text',
  header: 'X-npm-Signature',
  encoding: 'hex',
  form: { prefix: 'sha256=' },
  signed: ['body'],
  time: null,
};
const SECRET = "the hook's secret";

export const npm = {
  name: 'npm',
  title: 'npm',
  marks: [{ header: 'x-npm-signature', rank: 3 }],
  typePaths: [['event']],
  proof: schemeProof(SCHEME, SECRET),
  signature: { header: SCHEME.header, scheme: SCHEME, signer: schemeSigner(SCHEME) },
} satisfies Provider;
