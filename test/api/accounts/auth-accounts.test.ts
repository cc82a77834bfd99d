import * as argon2 from '@node-rs/argon2';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { AccessTokens } from '../../../src/accounts/access-tokens.ts';
import { type Accounts, SESSION_LIMITS } from '../../../src/accounts/accounts.ts';
import { RefreshTokens } from '../../../src/accounts/refresh-tokens.ts';
import { newId } from '../../../src/core/ids.ts';
import {
  ADA,
  codeOf,
  OWNER,
  openAccounts,
  refusalOf,
  type Setup,
  STRANGER,
} from '../../accounts/account-setup.ts';

/** The least cost that argon2 takes: these tests count hashes, and only name their cost. */
vi.mock('@node-rs/argon2', async (load) => {
  const real = await load<typeof argon2>();
  const least = { memoryCost: 8, timeCost: 1 };
  const costs = (of: argon2.Options) => `m=${of.memoryCost},t=${of.timeCost},`;
  return {
    ...real,
    hash: vi.fn(async (password: Uint8Array, asked: argon2.Options) => {
      const hashed = await real.hash(password, { ...asked, ...least });
      return hashed.replace(costs(least), costs(asked));
    }),
    verify: vi.fn((hashed: string, password: Uint8Array) =>
      real.verify(hashed.replace(/m=\d+,t=\d+,/, costs(least)), password),
    ),
  };
});

beforeEach(() => {
  vi.clearAllMocks();
});

const DAY_MS = 86_400_000;
const bearer = (token: string) => `Bearer ${token}`;

describe('register', () => {
  test('creates an account that is signed in', async () => {
    const { accounts, store } = await openAccounts();
    const { user, accessToken, refreshToken } = await accounts.register(ADA, OWNER);
    expect(user).toEqual({ id: expect.stringMatching(/^usr_/), email: ADA.email, plan: 'free' });
    const principal = await accounts.principalOf(bearer(accessToken));
    expect(principal.user).toEqual(user);
    expect(refreshToken).toMatch(/^hrr_/);
    const stored = await store.accounts.findUserByEmail(ADA.email);
    expect(stored?.passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  test('gives the default plan', async () => {
    const { accounts } = await openAccounts({ defaultPlan: 'starter' });
    expect((await accounts.register(ADA, OWNER)).user.plan).toBe('starter');
  });

  test('refuses a taken email, even of two concurrent requests', async () => {
    const { accounts, store } = await openAccounts();
    const both = [accounts.register(ADA, OWNER), accounts.register(ADA, STRANGER)];
    const settled = await Promise.allSettled(both);
    expect(settled.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await codeOf(accounts.register(ADA, OWNER))).toBe('email_taken');
    expect(await store.accounts.countUsers()).toBe(1);
  });

  test('refuses everybody when closed, without a hash', async () => {
    const { accounts, store } = await openAccounts({ registration: 'closed' });
    expect(await codeOf(accounts.register(ADA, OWNER))).toBe('registration_closed');
    expect(argon2.hash).not.toHaveBeenCalled();
    expect(await store.accounts.countUsers()).toBe(0);
  });
});

describe('login', () => {
  test('starts a new session', async () => {
    const { accounts } = await openAccounts();
    const registered = await accounts.register(ADA, OWNER);
    const loggedIn = await accounts.login(ADA, STRANGER);
    expect(loggedIn.user).toEqual(registered.user);
    expect(await accounts.listSessions(loggedIn.user.id)).toHaveLength(2);
    const [one, two] = await Promise.all(
      [registered, loggedIn].map((it) => accounts.principalOf(bearer(it.accessToken))),
    );
    expect(one?.sessionId).not.toBe(two?.sessionId);
  });

  test('an unknown email is refused like a wrong password, after the same work', async () => {
    const { accounts } = await openAccounts();
    await accounts.register(ADA, OWNER);
    const wrong = await refusalOf(accounts.login({ ...ADA, password: 'wrong' }, OWNER));
    expect(argon2.verify).toHaveBeenCalledTimes(1);
    const unknown = await refusalOf(accounts.login({ ...ADA, email: 'eve@example.com' }, OWNER));
    expect(argon2.verify).toHaveBeenCalledTimes(2);
    expect(wrong.code).toBe('invalid_credentials');
    expect({ ...unknown, message: unknown.message }).toEqual({ ...wrong, message: wrong.message });
  });

  test('failures block their own address, without a hash, and never the owner elsewhere', async () => {
    const { accounts, store } = await openAccounts();
    await accounts.register(ADA, OWNER);
    const guesses = Array.from({ length: 15 }, (_, i) =>
      codeOf(accounts.login({ ...ADA, password: `guess ${i}` }, STRANGER)),
    );
    const codes = await Promise.all(guesses);
    expect(codes.filter((code) => code === 'invalid_credentials')).toHaveLength(10);
    expect(codes.filter((code) => code === 'rate_limited')).toHaveLength(5);
    expect(argon2.verify).toHaveBeenCalledTimes(10);
    const lookUp = vi.spyOn(store.accounts, 'findUserByEmail');
    const refusal = await refusalOf(accounts.login(ADA, STRANGER));
    expect(lookUp).not.toHaveBeenCalled();
    expect(refusal.code).toBe('rate_limited');
    expect(refusal.retryAfterS).toBeGreaterThan(14 * 60);
    expect(argon2.verify).toHaveBeenCalledTimes(10);
    expect((await accounts.login(ADA, OWNER)).user.email).toBe(ADA.email);
  });

  test('unknown emails are limited like known ones', async () => {
    const { accounts } = await openAccounts();
    const eve = { email: 'eve@example.com', password: 'whatever' };
    for (let i = 0; i < 10; i++) {
      expect(await codeOf(accounts.login(eve, OWNER))).toBe('invalid_credentials');
    }
    expect(await codeOf(accounts.login(eve, OWNER))).toBe('rate_limited');
  });

  test('successes are not limited', async () => {
    const { accounts } = await openAccounts();
    await accounts.register(ADA, OWNER);
    const logins = await Promise.all(Array.from({ length: 12 }, () => accounts.login(ADA, OWNER)));
    expect(new Set(logins.map(({ refreshToken }) => refreshToken)).size).toBe(12);
  });
});

describe('200 concurrent logins refuse only each other:', () => {
  const BOB = { ...ADA, email: 'bob@example.com' };
  const hashes = () =>
    vi.mocked(argon2.verify).mock.calls.length + vi.mocked(argon2.hash).mock.calls.length;

  type Act = (accounts: Accounts, i: number) => Promise<unknown>;
  test.each<[name: string, flood: Act, answers: string[], other: Act]>([
    [
      'logins of one account, and another account at its address',
      (accounts) => accounts.login(ADA, OWNER),
      ['let in', 'rate_limited'],
      (accounts) => accounts.login(BOB, OWNER),
    ],
    [
      'guesses at one account, and its owner',
      (accounts, i) => accounts.login({ ...ADA, password: `guess ${i}` }, STRANGER),
      ['invalid_credentials', 'rate_limited'],
      (accounts) => accounts.login(ADA, OWNER),
    ],
    [
      'guesses at accounts that are not there, and another address',
      (accounts, i) => accounts.login({ email: `no-${i}@example.com`, password: '?' }, STRANGER),
      ['invalid_credentials', 'rate_limited'],
      (accounts) => accounts.login(BOB, OWNER),
    ],
    [
      'registrations, and a login at their address',
      (accounts, i) => accounts.register({ ...ADA, email: `${i}@example.com` }, OWNER),
      ['let in', 'rate_limited'],
      (accounts) => accounts.login(BOB, OWNER),
    ],
    [
      'logins of one account, and a registration',
      (accounts) => accounts.login(ADA, STRANGER),
      ['let in', 'rate_limited'],
      (accounts) => accounts.register({ ...ADA, email: 'new@example.com' }, OWNER),
    ],
  ])('%s', async (_name, flood, answers, other) => {
    const { accounts } = await openAccounts();
    await accounts.register(ADA, OWNER);
    await accounts.register(BOB, OWNER);
    const begun = hashes();
    const flooded = Array.from({ length: 200 }, (_, i) =>
      flood(accounts, i).then(
        () => 'let in',
        (error) => error.code as string,
      ),
    );
    await vi.waitUntil(() => hashes() > begun);
    const before = hashes();
    await other(accounts, 200);
    expect(hashes() - before).toBeLessThan(16);
    expect([...new Set(await Promise.all(flooded))].sort()).toEqual(answers);
  });
});

describe('refresh', () => {
  test('rotates: each successor works in turn', async () => {
    const { accounts, clock } = await openAccounts();
    const { user, ...pair } = await accounts.register(ADA, OWNER);
    const seen = new Set([pair.refreshToken]);
    let { refreshToken } = pair;
    for (let i = 0; i < 5; i++) {
      clock.advance(60_000);
      const next = await accounts.refresh(refreshToken, OWNER);
      expect(Object.keys(next).sort()).toEqual(['accessToken', 'refreshToken']);
      const principal = await accounts.principalOf(bearer(next.accessToken));
      expect(principal.user).toEqual(user);
      expect(principal.expiresAt).toBe(clock.now() + 15 * 60_000);
      refreshToken = next.refreshToken;
      seen.add(refreshToken);
    }
    expect(seen.size).toBe(6);
    expect(await accounts.listSessions(user.id)).toHaveLength(1);
  });

  test('50 concurrent requests with one token get one successor', async () => {
    const { accounts } = await openAccounts();
    const { refreshToken } = await accounts.register(ADA, OWNER);
    const pairs = await Promise.all(
      Array.from({ length: 50 }, () => accounts.refresh(refreshToken, OWNER)),
    );
    const successors = new Set(pairs.map((pair) => pair.refreshToken));
    expect(successors.size).toBe(1);
    expect(successors.has(refreshToken)).toBe(false);
    await accounts.refresh([...successors][0] as string, OWNER);
  });

  test('within 30 s a used token gets the same successor again', async () => {
    const { accounts, clock } = await openAccounts();
    const { refreshToken } = await accounts.register(ADA, OWNER);
    const first = await accounts.refresh(refreshToken, OWNER);
    clock.advance(30_000);
    const again = await accounts.refresh(refreshToken, OWNER);
    expect(again.refreshToken).toBe(first.refreshToken);
    await accounts.principalOf(bearer(again.accessToken));
    await accounts.refresh(first.refreshToken, OWNER);
  });

  test('later it revokes the whole family, for thief and owner alike', async () => {
    const { accounts, clock } = await openAccounts();
    const { user, refreshToken } = await accounts.register(ADA, OWNER);
    const other = await accounts.login(ADA, OWNER);
    const successor = await accounts.refresh(refreshToken, OWNER);
    clock.advance(30_001);
    expect(await codeOf(accounts.refresh(refreshToken, STRANGER))).toBe('invalid_token');
    expect(await codeOf(accounts.refresh(successor.refreshToken, OWNER))).toBe('invalid_token');
    expect(await accounts.listSessions(user.id)).toHaveLength(1);
    await accounts.refresh(other.refreshToken, OWNER);
  });

  test('an older generation revokes the family even within the grace', async () => {
    const { accounts } = await openAccounts();
    const { refreshToken } = await accounts.register(ADA, OWNER);
    const second = await accounts.refresh(refreshToken, OWNER);
    const third = await accounts.refresh(second.refreshToken, OWNER);
    expect(await codeOf(accounts.refresh(refreshToken, OWNER))).toBe('invalid_token');
    expect(await codeOf(accounts.refresh(third.refreshToken, OWNER))).toBe('invalid_token');
  });

  test('fails after 30 days unused', async () => {
    const { accounts, clock } = await openAccounts();
    const { refreshToken } = await accounts.register(ADA, OWNER);
    clock.advance(30 * DAY_MS);
    const next = await accounts.refresh(refreshToken, OWNER);
    clock.advance(30 * DAY_MS + 1);
    expect(await codeOf(accounts.refresh(next.refreshToken, OWNER))).toBe('invalid_token');
  });

  test('fails 90 days after the login, however often it is used', async () => {
    const { accounts, clock } = await openAccounts();
    let { refreshToken } = await accounts.register(ADA, OWNER);
    for (let i = 0; i < 9; i++) {
      clock.advance(10 * DAY_MS);
      ({ refreshToken } = await accounts.refresh(refreshToken, OWNER));
    }
    clock.advance(1);
    expect(await codeOf(accounts.refresh(refreshToken, OWNER))).toBe('invalid_token');
  });

  test('refuses anything that is no refresh token of a session of this server', async () => {
    const { accounts, clock, keys } = await openAccounts();
    const { user, accessToken } = await accounts.register(ADA, OWNER);
    const api = await accounts.tokens.create(user.id, 'ci');
    const [session] = await accounts.listSessions(user.id);
    const issuer = new RefreshTokens(keys.refreshTokens);
    const bad = [
      '',
      'x',
      accessToken,
      api.token,
      session?.id as string,
      new RefreshTokens(keys.accessTokens).issue(session?.id as string, 0),
      issuer.issue(newId('ses', clock.now()), 0),
    ];
    for (const token of bad) {
      expect(await codeOf(accounts.refresh(token, OWNER))).toBe('invalid_token');
    }
    expect(await accounts.listSessions(user.id)).toHaveLength(1);
  });
});

describe('logout', () => {
  test('ends only its own session, and may be repeated', async () => {
    const { accounts } = await openAccounts();
    const { user, refreshToken } = await accounts.register(ADA, OWNER);
    const other = await accounts.login(ADA, OWNER);
    await accounts.logout(refreshToken, OWNER);
    await accounts.logout(refreshToken, OWNER);
    await accounts.logout('nonsense', OWNER);
    expect(await codeOf(accounts.refresh(refreshToken, OWNER))).toBe('invalid_token');
    expect(await accounts.listSessions(user.id)).toHaveLength(1);
    await accounts.refresh(other.refreshToken, OWNER);
  });

  test.each([0, 60_000])('a used token also ends its session, %d ms later', async (ms) => {
    const { accounts, clock } = await openAccounts();
    const { user, refreshToken } = await accounts.register(ADA, OWNER);
    const next = await accounts.refresh(refreshToken, OWNER);
    clock.advance(ms);
    await accounts.logout(refreshToken, OWNER);
    expect(await accounts.listSessions(user.id)).toEqual([]);
    expect(await codeOf(accounts.refresh(next.refreshToken, OWNER))).toBe('invalid_token');
  });
});

describe('sessions', () => {
  test('are listed with where they were used, last used first', async () => {
    const { accounts, clock } = await openAccounts();
    const start = clock.now();
    const { user, refreshToken } = await accounts.register(ADA, OWNER);
    clock.advance(1000);
    await accounts.login(ADA, { address: '2001:db8::1', userAgent: 'x'.repeat(1000) });
    clock.advance(1000);
    await accounts.refresh(refreshToken, { address: '192.0.2.9', userAgent: null });
    expect(await accounts.listSessions(user.id)).toMatchObject([
      { createdAt: start, lastUsedAt: start + 2000, address: '192.0.2.9', userAgent: null },
      { createdAt: start + 1000, address: '2001:db8::1', userAgent: 'x'.repeat(256) },
    ]);
  });

  test('can be ended by their owner only', async () => {
    const { accounts } = await openAccounts();
    const ada = await accounts.register(ADA, OWNER);
    const bob = await accounts.register({ ...ADA, email: 'bob@example.com' }, STRANGER);
    const [session] = await accounts.listSessions(ada.user.id);
    const id = session?.id as string;
    expect(await codeOf(accounts.endSession(bob.user.id, id))).toBe('session_not_found');
    await accounts.endSession(ada.user.id, id);
    expect(await codeOf(accounts.endSession(ada.user.id, id))).toBe('session_not_found');
    expect(await codeOf(accounts.refresh(ada.refreshToken, OWNER))).toBe('invalid_token');
    await accounts.refresh(bob.refreshToken, STRANGER);
  });

  test('that have expired are not listed', async () => {
    const { accounts, clock } = await openAccounts();
    const { user } = await accounts.register(ADA, OWNER);
    clock.advance(SESSION_LIMITS.idleMs + 1);
    expect(await accounts.listSessions(user.id)).toEqual([]);
  });
});

describe('API tokens', () => {
  test('act for their account until revoked', async () => {
    const { accounts, clock } = await openAccounts();
    const { user } = await accounts.register(ADA, OWNER);
    const created = await accounts.tokens.create(user.id, 'ci');
    expect(await accounts.tokens.list(user.id)).toEqual([
      {
        ...{ id: created.id, name: 'ci', createdAt: clock.now(), lastUsedAt: null },
        ...{ scopes: ['read', 'write'], endpointIds: null, expiresAt: null },
      },
    ]);
    clock.advance(365 * DAY_MS);
    expect(await accounts.principalOf(bearer(created.token))).toEqual({
      user,
      sessionId: null,
      expiresAt: null,
      apiToken: {
        ...{ id: created.id, name: 'ci', scopes: ['read', 'write'] },
        ...{ endpoints: null, expiresAt: null },
      },
    });
    expect((await accounts.tokens.list(user.id))[0]?.lastUsedAt).toBe(clock.now());
    await accounts.tokens.revoke(user.id, created.id);
    expect(await codeOf(accounts.principalOf(bearer(created.token)))).toBe('invalid_token');
    expect(await codeOf(accounts.tokens.revoke(user.id, created.id))).toBe('token_not_found');
  });

  test('can be revoked by their owner only', async () => {
    const { accounts } = await openAccounts();
    const ada = await accounts.register(ADA, OWNER);
    const bob = await accounts.register({ ...ADA, email: 'bob@example.com' }, STRANGER);
    const { id, token } = await accounts.tokens.create(ada.user.id, 'ci');
    expect(await codeOf(accounts.tokens.revoke(bob.user.id, id))).toBe('token_not_found');
    expect((await accounts.principalOf(bearer(token))).user).toEqual(ada.user);
  });
});

describe('a change of password', () => {
  const NEXT = 'battery staple';
  const change = async ({ accounts }: Setup, current: string, next = NEXT) => {
    const { user, sessionId } = await accounts.login({ ...ADA, password: current }, OWNER);
    await accounts.changePassword(user, { current, next, sessionId }, OWNER);
    return { user, sessionId };
  };

  test('ends the other sessions; this one and API tokens stay', async () => {
    const setup = await openAccounts();
    const { accounts } = setup;
    const { user, accessToken, refreshToken } = await accounts.register(ADA, OWNER);
    const { token } = await accounts.tokens.create(user.id, 'ci');
    const { sessionId } = await change(setup, ADA.password);
    expect((await accounts.listSessions(user.id)).map(({ id }) => id)).toEqual([sessionId]);
    expect(await codeOf(accounts.principalOf(bearer(accessToken)))).toBe('invalid_token');
    expect(await codeOf(accounts.refresh(refreshToken, OWNER))).toBe('invalid_token');
    await accounts.principalOf(bearer(token));
    expect(await codeOf(accounts.login(ADA, OWNER))).toBe('invalid_credentials');
    await change(setup, NEXT, ADA.password);
    await accounts.login(ADA, OWNER);
  });

  test('needs the current password, whose guesses count as failed logins', async () => {
    const { accounts, wrong } = await openAccounts();
    const { user, sessionId } = await accounts.register(ADA, OWNER);
    const guess = (current: string) =>
      codeOf(accounts.changePassword(user, { current, next: NEXT, sessionId }, OWNER));
    for (let i = 0; i < 10; i++) expect(await guess(`guess ${i}`)).toBe('invalid_credentials');
    expect(await guess(ADA.password)).toBe('rate_limited');
    expect(await codeOf(accounts.login(ADA, OWNER))).toBe('rate_limited');
    expect(wrong).toEqual(Array(10).fill([user, OWNER]));
    await accounts.login(ADA, STRANGER);
  });

  test('of two at once, one wins', async () => {
    const { accounts } = await openAccounts();
    const { user, sessionId } = await accounts.register(ADA, OWNER);
    const both = [1, 2].map((n) =>
      accounts
        .changePassword(user, { current: ADA.password, next: `next ${n}`, sessionId }, OWNER)
        .then(() => 'changed')
        .catch(({ code }) => code),
    );
    expect((await Promise.all(both)).sort()).toEqual(['changed', 'invalid_credentials']);
  });
});

describe('principalOf', () => {
  test('an API token ends at its expiry', async () => {
    const { accounts, clock } = await openAccounts();
    const { user } = await accounts.register(ADA, OWNER);
    const { token } = await accounts.tokens.create(user.id, 'ci', { expiresInMs: 60_000 });
    clock.advance(59_999);
    const { expiresAt } = await accounts.principalOf(bearer(token));
    expect(expiresAt).toBe(clock.now() + 1);
    clock.advance(1);
    const refusal = await refusalOf(accounts.principalOf(bearer(token)));
    expect(refusal).toMatchObject({ code: 'token_expired', hint: expect.stringContaining('new') });
  });

  test('a new plan takes effect at once, for both kinds of token', async () => {
    const { accounts, store } = await openAccounts();
    const { user, accessToken } = await accounts.register(ADA, OWNER);
    const { token } = await accounts.tokens.create(user.id, 'ci');
    await store.accounts.setPlan(ADA.email, 'pro');
    for (const one of [accessToken, token]) {
      expect((await accounts.principalOf(bearer(one))).user.plan).toBe('pro');
    }
  });

  test('an access token ends after 15 minutes, and refresh goes on', async () => {
    const { accounts, clock } = await openAccounts();
    const { accessToken, refreshToken } = await accounts.register(ADA, OWNER);
    clock.advance(15 * 60_000);
    expect(await codeOf(accounts.principalOf(bearer(accessToken)))).toBe('token_expired');
    await accounts.principalOf(bearer((await accounts.refresh(refreshToken, OWNER)).accessToken));
  });

  test('a token of a deleted account is refused', async () => {
    const { accounts, clock, keys } = await openAccounts();
    const issuer = new AccessTokens(keys.accessTokens, clock);
    const token = await issuer.issue(newId('usr', clock.now()), newId('ses', clock.now()));
    expect(await codeOf(accounts.principalOf(bearer(token)))).toBe('invalid_token');
  });

  test('the Authorization header has one form', async () => {
    const { accounts } = await openAccounts();
    const { accessToken, refreshToken } = await accounts.register(ADA, OWNER);
    for (const good of [bearer(accessToken), `bearer  ${accessToken}`, `BEARER ${accessToken}`]) {
      expect((await accounts.principalOf(good)).user.email).toBe(ADA.email);
    }
    for (const none of [undefined, '']) {
      expect(await codeOf(accounts.principalOf(none))).toBe('missing_token');
    }
    const bad = [
      'Bearer',
      'Bearer ',
      accessToken,
      `Basic ${accessToken}`,
      `Token ${accessToken}`,
      `Bearer ${accessToken} x`,
      `Bearer ${accessToken}, Bearer ${accessToken}`,
      `Bearer "${accessToken}"`,
      bearer(refreshToken),
      'Bearer hr_',
      `Bearer hr_${'A'.repeat(43)}`,
      'Bearer null',
    ];
    for (const header of bad) {
      expect(await codeOf(accounts.principalOf(header)), header).toBe('invalid_token');
    }
  });
});
