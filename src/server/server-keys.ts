import type { Config } from '../config/config.ts';
import { HookrelayError } from '../core/errors.ts';
import { Keys } from '../core/secrets/keys.ts';
import { loadSecret } from '../core/secrets/secret-key.ts';
import type { Store } from '../store/contract/store.ts';

/**
 * Throws `config_invalid` for a node on PostgreSQL without a secret. Otherwise each node would make
 * its own secret.
 */
export function refuseMissingSecret(config: Config): void {
  if (config.database !== null && config.secretKey === null) {
    throw new HookrelayError(
      'config_invalid',
      'nodes on PostgreSQL share one secret, and HOOKRELAY_SECRET_KEY is not set',
      {
        hint: 'create one secret for all nodes: HOOKRELAY_SECRET_KEY=$(openssl rand -base64 32)',
      },
    );
  }
}

/** Derives the keys. Throws `secret_mismatch` if the secret is missing or of another database. */
export async function keysOf(store: Store, config: Config): Promise<Keys> {
  const mayMake = !(await store.hasSecret());
  const keys = new Keys(loadSecret(config.dataDir, config.secretKey, mayMake));
  if (await store.claimSecret(keys.checkValue)) return keys;
  throw new HookrelayError(
    'secret_mismatch',
    'this secret is not the one that the database was written with',
    {
      hint: `${
        config.secretKey
          ? 'set HOOKRELAY_SECRET_KEY to the secret used before, or unset it to use secret.key'
          : 'restore secret.key from a backup, or set HOOKRELAY_SECRET_KEY to the secret used before'
      }; if it is lost: hookrelay rekey --drop-sealed`,
    },
  );
}
