import type { Provider } from '../provider.ts';
import type { Proof } from '../signing/proof.ts';
import type { Signer } from '../signing/signature.ts';
import { standardProof } from '../signing/standard-proof.ts';
import { standardSigner } from '../signing/standard-signer.ts';

const PROOF = standardProof("the hook's secret");

/**
 * Auth hooks are signed as Standard Webhooks says. The dashboard shows the secret with
 * its version before it: `v1,whsec_…`.
 *
 * https://supabase.com/docs/guides/auth/auth-hooks
 */
const proof: Proof = {
  ...PROOF,
  problem: (secret) => PROOF.problem(withoutVersion(secret)),
  check: (request, secret) => PROOF.check(request, withoutVersion(secret)),
};

const signer: Signer = {
  ...standardSigner,
  sign: (request, secret) => standardSigner.sign(request, withoutVersion(secret)),
  signAll: (request, secrets) => standardSigner.signAll(request, secrets.map(withoutVersion)),
};

function withoutVersion(secret: string): string {
  return secret.replace(/^v1,(?=whsec_)/, '');
}

export const supabase = {
  name: 'supabase',
  title: 'Supabase',
  typePaths: [['type']],
  proof,
  once: { by: [['header.webhook-id']] },
  signature: { header: 'webhook-signature', signer },
} satisfies Provider;
