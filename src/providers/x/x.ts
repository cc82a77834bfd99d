import { hashable } from '../handshaking/answers.ts';
import type { Provider } from '../provider.ts';
import { schemeProof } from '../signing/proof.ts';
import { schemeSigner } from '../signing/scheme-signer.ts';
import type { SignatureScheme } from '../signing/signature-scheme.ts';
import { xHandshake } from './handshake.ts';

/**
 * `sha256=` and the base64 HMAC-SHA256 of the body.
 *
 * https://docs.x.com/x-api/webhooks/introduction
 */
const SCHEME: SignatureScheme = {
  algorithm: 'hmac-sha256',
  key: 'text',
  header: 'X-Twitter-Webhooks-Signature',
  encoding: 'base64',
  form: { prefix: 'sha256=' },
  signed: ['body'],
  time: null,
};
const SECRET = "the app's consumer secret";
const PROOF = schemeProof(SCHEME, SECRET);

/** Whether the handshake hashes such a text for anybody. X sends JSON objects. */
function isToken(body: Buffer): boolean {
  return hashable(body.toString('latin1')) !== null;
}

export const x = {
  name: 'x',
  title: 'X',
  marks: [{ header: 'x-twitter-webhooks-signature', rank: 3 }],
  proof: {
    ...PROOF,
    check(request, secret) {
      const outcome = PROOF.check(request, secret);
      return outcome === null && isToken(request.body) ? 'signature_mismatch' : outcome;
    },
  },
  signature: { header: SCHEME.header, scheme: SCHEME, signer: schemeSigner(SCHEME) },
  handshakes: [xHandshake],
} satisfies Provider;
