import { HookrelayError } from '../core/errors.ts';
import { newId } from '../core/ids.ts';
import type { Limits } from '../core/limits.ts';
import type { Plan, Session, User } from '../core/model.ts';
import type { Clock } from '../core/runtime/runtime.ts';
import type { Keys } from '../core/secrets/keys.ts';
import { DAY_MS } from '../core/text/duration.ts';
import type {
  AccountStore,
  AllowanceStore,
  SessionLimits,
  SessionRotationResult,
} from '../store/contract/accounts.ts';
import type { ApiTokenStore } from '../store/contract/api-tokens.ts';
import { AccessTokens } from './access-tokens.ts';
import { AccountTokens } from './account-tokens.ts';
import { API_TOKEN_PREFIX } from './api-tokens.ts';
import type { LoginInput } from './credentials.ts';
import { LoginLimits } from './login-limits.ts';
import { Passwords } from './passwords.ts';
import type { Principal } from './principal.ts';
import { RefreshTokens } from './refresh-tokens.ts';

/** A session expires after this time without use, and after this time from its login. */
export const SESSION_LIMITS: SessionLimits = { idleMs: 30 * DAY_MS, absoluteMs: 90 * DAY_MS };

/**
 * How long a refresh token still works after its first use, ms. A client that lost the answer uses
 * its token again. Two commands that run at once also do. Neither is a thief.
 */
const REFRESH_GRACE_MS = 30_000;

/** The greatest length of a stored user agent, characters. It is enough to recognise a browser. */
const USER_AGENT_MAX_CHARACTERS = 256;

export interface AccountsOptions {
  store: AccountStore;
  apiTokens: ApiTokenStore;
  keys: Pick<Keys, 'accessTokens' | 'refreshTokens'>;
  clock: Clock;
  limits: Pick<Limits, 'sessions' | 'tokens'>;
  registration: 'open' | 'closed';
  /** The plan of new accounts. */
  defaultPlan: Plan;
  /** Counts tries in the database of all nodes. Without it, each process counts in memory. */
  allowances?: AllowanceStore | undefined;
  /**
   * Called when somebody used a wrong password for an existing account. It must return at once,
   * because a delay would reveal which accounts exist.
   */
  onWrongPassword?(user: User, client: Client): void;
}

/** The client of a request, for the owner's list of sessions and for the limits. */
export interface Client {
  address: string;
  userAgent: string | null;
}

export interface TokenPair {
  accessToken: string;
  refreshToken: string;
}

export interface SignedIn extends TokenPair {
  user: User;
  sessionId: string;
}

/**
 * Accounts and their sessions. `tokens` has the API tokens of accounts.
 *
 * A login or a registration starts a session, and a session is one family of refresh tokens. Each
 * refresh moves the session to its next generation. For 30 s the previous token still gets the same
 * successor. After that, the previous token works no longer. If somebody uses it then, the token
 * was copied. The server can't know which of the two holders is the owner, so it ends the session
 * for both.
 */
export class Accounts {
  readonly tokens: AccountTokens;
  readonly #options: AccountsOptions;
  readonly #store: AccountStore;
  readonly #clock: Clock;
  readonly #passwords: Passwords;
  readonly #accessTokens: AccessTokens;
  readonly #refreshTokens: RefreshTokens;

  constructor(options: AccountsOptions) {
    this.#options = options;
    this.#store = options.store;
    this.#clock = options.clock;
    const { allowances: store, clock } = options;
    const limits = new LoginLimits(store ? { store, now: () => clock.now() } : null);
    this.#passwords = new Passwords(limits, (email) => this.#store.findUserByEmail(email));
    this.tokens = new AccountTokens(options.apiTokens, clock, options.limits.tokens);
    this.#accessTokens = new AccessTokens(options.keys.accessTokens, options.clock);
    this.#refreshTokens = new RefreshTokens(options.keys.refreshTokens);
  }

  /**
   * Creates an account and signs it in. Throws `registration_closed`, `rate_limited`, `overloaded`,
   * `email_taken`.
   *
   * @param credentials parsed by `registrationSchema`
   * @param options `invited`: registers the account even if registration is closed
   */
  async register(
    { email, password }: LoginInput,
    client: Client,
    { invited = false } = {},
  ): Promise<SignedIn> {
    if (this.#options.registration === 'closed' && !invited) {
      throw new HookrelayError('registration_closed', 'registration is closed on this server', {
        hint: 'ask the operator of this server for an account',
      });
    }
    const passwordHash = await this.#passwords.hashOfRegistration(password, client.address);
    const createdAt = this.#clock.now();
    const user: User = { id: newId('usr', createdAt), email, plan: this.#options.defaultPlan };
    await this.#store.createUser({ ...user, passwordHash, createdAt });
    return this.#signIn(user, client);
  }

  /**
   * Signs an account in. Throws `invalid_credentials`, `rate_limited`, `overloaded`. An unknown
   * email and a wrong password take the same work and give the same error.
   *
   * @param credentials parsed by `loginSchema`
   */
  async login(credentials: LoginInput, client: Client): Promise<SignedIn> {
    const { id, email, plan, passwordHash } = await this.#checked(
      credentials,
      client,
      'email or password is wrong',
    );
    return this.#signIn({ id, email, plan }, client, passwordHash);
  }

  /**
   * Replaces the password and ends all other sessions. API tokens stay. Throws `rate_limited`,
   * `overloaded`, and `invalid_credentials` if the current password is wrong.
   *
   * @param change.next parsed by `newPasswordSchema`
   */
  async changePassword(
    { email, id }: Pick<User, 'email' | 'id'>,
    { current, next, sessionId }: { current: string; next: string; sessionId: string },
    client: Client,
  ): Promise<void> {
    const wrong = 'the current password is wrong';
    const { passwordHash } = await this.#checked({ email, password: current }, client, wrong);
    const to = await this.#passwords.hash({ email, password: next }, client.address);
    const change = { from: passwordHash, to, sessionId };
    if (await this.#store.changePassword(id, change)) return;
    throw new HookrelayError('invalid_credentials', wrong);
  }

  /** Throws `invalid_token` if the session has ended, or ends now because its token was copied. */
  async refresh(refreshToken: string, client: Client): Promise<TokenPair> {
    const result = await this.#rotate(refreshToken, client);
    if (!('session' in result)) {
      throw new HookrelayError('invalid_token', 'the refresh token is not valid', {
        hint: 'log in again',
      });
    }
    return this.#tokensOf(result.session);
  }

  /**
   * Ends the session that a refresh token belongs to, and returns that session. The token may have
   * any generation. Returns null for an invalid token, because its holder is logged out already.
   */
  async logout(
    refreshToken: string,
    client: Client,
  ): Promise<{ user: User; sessionId: string } | null> {
    const result = await this.#rotate(refreshToken, client);
    if (!('session' in result)) return null;
    const { id, userId } = result.session;
    const user = await this.#store.findSessionUser(id);
    const isEnded = await this.#store.deleteSession(userId, id);
    return user && isEnded ? { user, sessionId: id } : null;
  }

  /**
   * Returns the caller that an `Authorization` header names. Each call reads the session and the
   * account from the store. So a logout, a new plan or the removal of an account takes effect at
   * once, and not only when the access token expires.
   *
   * Throws `missing_token`, `invalid_token`, `token_expired`.
   */
  async principalOf(authorization: string | undefined): Promise<Principal> {
    const token = bearerTokenIn(authorization);
    if (token.startsWith(API_TOKEN_PREFIX)) return this.tokens.principalOf(token);
    const { userId, sessionId, expiresAt } = await this.#accessTokens.verify(token);
    const user = await this.#store.findSessionUser(sessionId);
    if (user?.id !== userId) throw invalidToken('the session of this access token has ended');
    return { user, sessionId, expiresAt, apiToken: null };
  }

  /** Lists live sessions, last used first. */
  listSessions(userId: string): Promise<Session[]> {
    return this.#store.listSessions(userId, SESSION_LIMITS, this.#clock.now());
  }

  /** Throws `session_not_found`. */
  async endSession(userId: string, sessionId: string): Promise<void> {
    if (await this.#store.deleteSession(userId, sessionId)) return;
    throw new HookrelayError('session_not_found', 'there is no such session');
  }

  /** Returns the account, or throws `invalid_credentials` with `wrong` for wrong credentials. */
  async #checked(credentials: LoginInput, client: Client, wrong: string) {
    const { found, isRight } = await this.#passwords.check(credentials, client.address);
    if (found && isRight) return found;
    if (found) {
      const { id, email, plan } = found;
      this.#options.onWrongPassword?.({ id, email, plan }, client);
    }
    throw new HookrelayError('invalid_credentials', wrong);
  }

  /**
   * @param passwordHash the hash of the password that was checked. The login fails if the account's
   * password has changed since the check.
   */
  async #signIn(user: User, client: Client, passwordHash?: string): Promise<SignedIn> {
    const now = this.#clock.now();
    const session: Session = {
      id: newId('ses', now),
      userId: user.id,
      generation: 0,
      createdAt: now,
      lastUsedAt: now,
      ...trace(client),
    };
    if (!(await this.#store.createSession(session, this.#options.limits.sessions, passwordHash))) {
      throw new HookrelayError('invalid_credentials', 'email or password is wrong');
    }
    return { user, sessionId: session.id, ...(await this.#tokensOf(session)) };
  }

  async #tokensOf(session: Session): Promise<TokenPair> {
    return {
      accessToken: await this.#accessTokens.issue(session.userId, session.id),
      refreshToken: this.#refreshTokens.issue(session.id, session.generation),
    };
  }

  async #rotate(refreshToken: string, client: Client): Promise<SessionRotationResult> {
    const claims = this.#refreshTokens.parse(refreshToken);
    if (!claims) return { outcome: 'gone' };
    return this.#store.rotateSession({
      id: claims.sessionId,
      generation: claims.generation,
      graceMs: REFRESH_GRACE_MS,
      now: this.#clock.now(),
      ...SESSION_LIMITS,
      ...trace(client),
    });
  }
}

/** Returns the fields of a client that a session stores. */
function trace(client: Client): { address: string; userAgent: string | null } {
  const userAgent = client.userAgent?.slice(0, USER_AGENT_MAX_CHARACTERS) ?? null;
  return { address: client.address, userAgent };
}

function bearerTokenIn(authorization: string | undefined): string {
  if (authorization === undefined || authorization === '') {
    throw new HookrelayError('missing_token', 'this request needs an access token', {
      hint: 'send the header "Authorization: Bearer <access token>"',
    });
  }
  // RFC 6750, section 2.1. The scheme is case-insensitive.
  const match = /^bearer +([A-Za-z0-9._~+/-]+=*)$/i.exec(authorization);
  if (!match) {
    throw invalidToken('the Authorization header must have the form "Bearer <access token>"');
  }
  return match[1] as string;
}

function invalidToken(message: string): HookrelayError {
  return new HookrelayError('invalid_token', message);
}
