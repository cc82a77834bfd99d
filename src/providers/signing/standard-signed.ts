import type { Provider } from '../provider.ts';
import { type StandardPrefix, standardProof } from './standard-proof.ts';
import { standardSignerOf } from './standard-signer.ts';

/** Returns the parts of a provider that follows Standard Webhooks or signs through Svix. */
export function standardSigned(secret: string, prefix: StandardPrefix = 'webhook') {
  return {
    typePaths: [['type']],
    proof: standardProof(secret, prefix),
    once: { by: [[`header.${prefix}-id`]] },
    signature: { header: `${prefix}-signature`, signer: standardSignerOf(prefix) },
  } satisfies Partial<Provider>;
}
