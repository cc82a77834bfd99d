import { newApiToken } from '../../../src/accounts/api-tokens.ts';
import { newId } from '../../../src/core/ids.ts';
import type { Destination, Endpoint } from '../../../src/core/model.ts';
import { DEFAULT_DESTINATION_SETTINGS } from '../../../src/core/settings/destination-settings.ts';
import { DEFAULT_ENDPOINT_SETTINGS } from '../../../src/core/settings/endpoint-settings.ts';
import type { Store } from '../../../src/store/contract/store.ts';
import { MANY } from '../../fixtures/many.ts';

/** The account of a data directory that the store fills itself, and not over HTTP. */

const EMAIL = 'bench@example.com';

/** A bearer token of the new account. */
export async function makeAccount(store: Store): Promise<string> {
  const now = Date.now();
  const userId = newId('usr', now);
  const user = { id: userId, email: EMAIL, plan: 'pro', createdAt: now } as const;
  await store.accounts.createUser({ ...user, passwordHash: 'nobody logs in' });
  const { token, hash } = newApiToken();
  const named = { id: newId('tok', now), name: 'bench', createdAt: now, lastUsedAt: null };
  const rights = { scopes: ['read', 'write'], endpointIds: null, expiresAt: null } as const;
  await store.apiTokens.create({ ...named, ...rights, userId, hash }, MANY);
  return token;
}

/** An endpoint of the account, with its destinations. */
export async function makeEndpoint(
  store: Store,
  destinationUrls: readonly string[],
): Promise<{ endpoint: Endpoint; destinations: Destination[] }> {
  const user = await store.accounts.findUserByEmail(EMAIL);
  if (!user) throw new Error('there is no account yet');
  const now = Date.now();
  const endpoint = await store.endpoints.create(
    {
      id: newId('ep', now),
      userId: user.id,
      publicToken: newId('ep', now),
      settings: { ...DEFAULT_ENDPOINT_SETTINGS, name: 'bench' },
      source: null,
      createdAt: now,
    },
    MANY,
  );
  const destinations: Destination[] = [];
  for (const url of destinationUrls) {
    const destination = await store.destinations.add(
      endpoint.key,
      {
        id: newId('dst', now),
        url,
        sealedSecret: null,
        sealedHeaders: null,
        settings: DEFAULT_DESTINATION_SETTINGS,
        createdAt: now,
      },
      MANY,
    );
    if (!destination) throw new Error('the endpoint is gone');
    destinations.push(destination);
  }
  return { endpoint, destinations };
}
