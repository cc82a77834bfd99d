import { hashable } from '../handshaking/answers.ts';
import type { Provider } from '../provider.ts';
import { ownSignatureIn } from '../signing/signed-by.ts';
import { xHandshake } from './handshake.ts';

const SIGNED = ownSignatureIn('X-Twitter-Webhooks-Signature', "the app's consumer secret", {
  encoding: 'base64',
  form: { prefix: 'sha256=' },
});

/**
 * Returns true if the handshake would hash this text for anybody. No event of X is such a text,
 * because X's events are JSON objects.
 */
function isToken(body: Buffer): boolean {
  return hashable(body.toString('latin1')) !== null;
}

/** https://docs.x.com/x-api/webhooks/introduction */
export const x = {
  name: 'x',
  title: 'X',
  handshakes: [xHandshake],
  ...SIGNED,
  proof: {
    ...SIGNED.proof,
    check(request, secret) {
      const outcome = SIGNED.proof.check(request, secret);
      return outcome === null && isToken(request.body) ? 'signature_mismatch' : outcome;
    },
  },
} satisfies Provider;
