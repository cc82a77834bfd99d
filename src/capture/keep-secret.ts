import type { Endpoint } from '../core/model.ts';
import type { BroughtSecret, Source } from '../core/proof/source.ts';
import type { Keys } from '../core/secrets/keys.ts';
import { isSameText } from '../providers/signing/same-text.ts';
import type { EndpointStore } from '../store/contract/endpoints.ts';

/** At most this many tries if the endpoint changes at the same time. */
const MOST_TRIES = 20;

export interface KeepSecretOptions {
  endpoints: Pick<EndpointStore, 'findByPublicToken' | 'update'>;
  keys: Pick<Keys, 'open' | 'seal'>;
  /** Called when the secret is stored, before the provider gets its answer. */
  onKept(before: Endpoint, after: Endpoint): Promise<void>;
}

/**
 * Stores the secret of a handshake if the endpoint's source has none. Never replaces a secret.
 * Anybody may send the first handshake, because it isn't signed. So the source has `brought` until
 * a person confirms the secret. Storing the same secret again has no effect.
 *
 * Rejects if the secret isn't stored.
 */
export async function keepSecret(
  publicToken: string,
  secret: string,
  brought: BroughtSecret,
  { endpoints, keys, onKept }: KeepSecretOptions,
): Promise<void> {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const before = await endpoints.findByPublicToken(publicToken);
    if (!before?.source) throw new Error('the endpoint or its source was removed meanwhile');
    const present = secretsOf(before.source, before.id, keys);
    if (present.length > 0) {
      if (present.some((one) => isSameText(one, secret))) return;
      throw new Error('the source has another secret by now');
    }
    const source: Source = {
      ...before.source,
      sealedSecrets: keys.seal(JSON.stringify([secret]), before.id),
      brought,
    };
    const after = await endpoints.update(before.key, { source }, before);
    if (after === null) throw new Error('the endpoint was removed meanwhile');
    if (after === 'changed') continue;
    await onKept(before, after);
    return;
  }
  throw new Error('the endpoint changes too often');
}

function secretsOf({ sealedSecrets }: Source, id: string, keys: Pick<Keys, 'open'>): string[] {
  const text = keys.open(sealedSecrets, id);
  if (text === null) throw new Error('the secrets of the source cannot be opened');
  return JSON.parse(text) as string[];
}
