import { HookrelayError } from '../core/errors.ts';
import { newId } from '../core/ids.ts';
import { type ApiToken, TOKEN_SCOPES, type TokenScope } from '../core/model.ts';
import type { Clock } from '../core/runtime/runtime.ts';
import type { ApiTokenStore } from '../store/contract/api-tokens.ts';
import { apiTokenHash, newApiToken } from './api-tokens.ts';
import type { Principal } from './principal.ts';

/** The rights of a new API token. Without a value, a right has no limit. */
export interface TokenRights {
  scopes?: readonly TokenScope[] | null | undefined;
  /** Ids of the only endpoints that the token sees. */
  endpointIds?: readonly string[] | null | undefined;
  /** Time until the token expires, ms. */
  expiresInMs?: number | null | undefined;
}

/** The API tokens of accounts. */
export class AccountTokens {
  readonly #store: ApiTokenStore;
  readonly #clock: Clock;
  readonly #most: number;

  /** @param most how many tokens an account can have */
  constructor(store: ApiTokenStore, clock: Clock, most: number) {
    this.#store = store;
    this.#clock = clock;
    this.#most = most;
  }

  /**
   * Creates a token. Only this result contains the secret `token`. Throws `limit_reached`. Throws
   * `invalid_input` if the account doesn't own one of the endpoints.
   */
  async create(
    userId: string,
    name: string,
    { scopes, endpointIds, expiresInMs }: TokenRights = {},
  ): Promise<ApiToken & { token: string }> {
    const now = this.#clock.now();
    const { token, hash } = newApiToken();
    const created: ApiToken = {
      id: newId('tok', now),
      name,
      scopes: TOKEN_SCOPES.filter((scope) => !scopes || scopes.includes(scope)),
      endpointIds: endpointIds ? [...new Set(endpointIds)] : null,
      createdAt: now,
      lastUsedAt: null,
      expiresAt: expiresInMs ? now + expiresInMs : null,
    };
    const { unknownEndpoints } = await this.#store.create({ ...created, userId, hash }, this.#most);
    if (unknownEndpoints.length > 0) throw foreignEndpoints(endpointIds ?? [], unknownEndpoints);
    return { ...created, token };
  }

  /** Lists tokens, newest first. */
  list(userId: string): Promise<ApiToken[]> {
    return this.#store.list(userId);
  }

  /** Revokes a token and returns its name. Throws `token_not_found`. */
  async revoke(userId: string, tokenId: string): Promise<string> {
    const name = await this.#store.delete(userId, tokenId);
    if (name !== null) return name;
    throw new HookrelayError('token_not_found', 'there is no such API token');
  }

  /** Returns the caller that a token names. Throws `invalid_token`, `token_expired`. */
  async principalOf(token: string): Promise<Principal> {
    const hash = apiTokenHash(token);
    const now = this.#clock.now();
    const used = hash && (await this.#store.use(hash, now));
    if (!used)
      throw new HookrelayError('invalid_token', 'the API token is not valid or is revoked');
    const { expiresAt } = used.token;
    if (expiresAt !== null && now >= expiresAt) {
      throw new HookrelayError('token_expired', 'the API token has expired', {
        hint: 'log in and make a new one: hookrelay tokens create NAME, or POST /api/tokens',
      });
    }
    return { user: used.user, sessionId: null, expiresAt, apiToken: used.token };
  }
}

function foreignEndpoints(given: readonly string[], unknown: readonly string[]): HookrelayError {
  const message = 'is not the id of one of your endpoints';
  const issues = given.flatMap((id, i) =>
    unknown.includes(id) ? [{ path: `endpoint_ids.${i}`, message }] : [],
  );
  return new HookrelayError('invalid_input', `${issues[0]?.path}: ${message}`, { issues });
}
