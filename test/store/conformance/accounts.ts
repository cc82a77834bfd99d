import { expect, test } from 'vitest';
import { newId } from '../../../src/core/ids.ts';
import type { Session } from '../../../src/core/model.ts';
import type { SessionRotation } from '../../../src/store/contract/accounts.ts';
import { MANY } from '../../fixtures/many.ts';
import { type OpenStore, sharedWorld, type World } from './world.ts';

const HOUR_MS = 3_600_000;
const LIMITS = { idleMs: 30 * HOUR_MS, absoluteMs: 90 * HOUR_MS };
const GRACE_MS = 30_000;

async function newSession(world: World, patch: Partial<Session> = {}): Promise<Session> {
  const session: Session = {
    id: newId('ses', world.now),
    userId: patch.userId ?? (await world.user()).id,
    generation: 1,
    createdAt: world.now,
    lastUsedAt: world.now,
    address: '192.0.2.7',
    userAgent: 'curl/8',
    ...patch,
  };
  await world.store.accounts.createSession(session, MANY);
  return session;
}

function rotation(session: Session, patch: Partial<SessionRotation>): SessionRotation {
  return {
    ...LIMITS,
    id: session.id,
    generation: session.generation,
    graceMs: GRACE_MS,
    now: session.lastUsedAt,
    address: session.address,
    userAgent: session.userAgent,
    ...patch,
  };
}

export function accountConformance(open: OpenStore): void {
  const shared = sharedWorld(open);
  const accounts = () => shared().store.accounts;

  test('an account is found by its email', async () => {
    const user = { id: newId('usr', 1), email: 'ada@example.com', plan: 'starter' as const };
    expect(await accounts().findUserByEmail(user.email)).toBeNull();
    const before = await accounts().countUsers();
    await accounts().createUser({ ...user, passwordHash: '$argon2id$é', createdAt: 1 });
    expect(await accounts().findUserByEmail(user.email)).toEqual({
      ...user,
      passwordHash: '$argon2id$é',
    });
    expect(await accounts().findUserByEmail('ADA@example.com')).toBeNull();
    expect(await accounts().countUsers()).toBe(before + 1);
  });

  test('a taken email is refused, and its account stays unchanged', async () => {
    const user = await shared().user({ email: 'taken@example.com' });
    const before = await accounts().countUsers();
    const second = { id: newId('usr', 2), email: user.email, plan: 'pro' as const };
    await expect(
      accounts().createUser({ ...second, passwordHash: 'other', createdAt: 2 }),
    ).rejects.toMatchObject({ code: 'email_taken' });
    expect(await accounts().findUserByEmail(user.email)).toMatchObject({
      id: user.id,
      plan: 'free',
      passwordHash: 'hash',
    });
    expect(await accounts().countUsers()).toBe(before);
  });

  test('one of two concurrent registrations with the same email wins', async () => {
    const outcomes = await Promise.allSettled(
      [1, 2].map((n) => shared().user({ email: 'race@example.com', id: newId('usr', n) })),
    );
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  test('a plan is set by email', async () => {
    const user = await shared().user();
    expect(await accounts().setPlan(user.email, 'pro')).toBe(true);
    expect(await accounts().findUserByEmail(user.email)).toMatchObject({ plan: 'pro' });
    expect(await accounts().setPlan('nobody@example.com', 'pro')).toBe(false);
  });

  test('a rotation moves a session to its next generation', async () => {
    const session = await newSession(shared());
    const now = session.lastUsedAt + 1000;
    const rotated = await accounts().rotateSession(
      rotation(session, { now, address: '2001:db8::1', userAgent: null }),
    );
    const after = { ...session, generation: 2, lastUsedAt: now, address: '2001:db8::1' };
    expect(rotated).toEqual({ outcome: 'rotated', session: { ...after, userAgent: null } });
    expect(await accounts().listSessions(session.userId, LIMITS, now)).toEqual([
      { ...after, userAgent: null },
    ]);
  });

  test('the rotated token, used again within the grace, repeats and changes nothing', async () => {
    const session = await newSession(shared());
    await accounts().rotateSession(rotation(session, {}));
    const again = rotation(session, { now: session.lastUsedAt + GRACE_MS, address: '192.0.2.99' });
    const repeated = await accounts().rotateSession(again);
    expect(repeated).toEqual({ outcome: 'repeated', session: { ...session, generation: 2 } });
    expect(await accounts().listSessions(session.userId, LIMITS, again.now)).toEqual([
      { ...session, generation: 2 },
    ]);
  });

  test('the rotated token, used after the grace, ends the session', async () => {
    const session = await newSession(shared());
    await accounts().rotateSession(rotation(session, {}));
    const late = rotation(session, { now: session.lastUsedAt + GRACE_MS + 1 });
    expect(await accounts().rotateSession(late)).toEqual({ outcome: 'reused' });
    expect(await accounts().rotateSession({ ...late, generation: 2 })).toEqual({ outcome: 'gone' });
    expect(await accounts().listSessions(session.userId, LIMITS, late.now)).toEqual([]);
  });

  test('a token two generations old ends the session, however recent', async () => {
    const session = await newSession(shared());
    await accounts().rotateSession(rotation(session, {}));
    await accounts().rotateSession(rotation(session, { generation: 2 }));
    expect(await accounts().rotateSession(rotation(session, {}))).toEqual({ outcome: 'reused' });
    expect(await accounts().rotateSession(rotation(session, { generation: 3 }))).toEqual({
      outcome: 'gone',
    });
  });

  test('of many concurrent rotations with one token, one rotates and the others repeat', async () => {
    const session = await newSession(shared());
    const results = await Promise.all(
      Array.from({ length: 20 }, () => accounts().rotateSession(rotation(session, {}))),
    );
    const outcomes = results.map(({ outcome }) => outcome).sort();
    expect(outcomes).toEqual([...Array(19).fill('repeated'), 'rotated']);
    const generations = results.map((result) => 'session' in result && result.session.generation);
    expect(new Set(generations)).toEqual(new Set([2]));
  });

  test('an idle session is gone, at the millisecond', async () => {
    const session = await newSession(shared());
    const last = rotation(session, { now: session.lastUsedAt + LIMITS.idleMs });
    expect(await accounts().listSessions(session.userId, LIMITS, last.now)).toHaveLength(1);
    expect(await accounts().listSessions(session.userId, LIMITS, last.now + 1)).toEqual([]);
    const late = { ...last, now: last.now + 1 };
    expect(await accounts().rotateSession(late)).toEqual({ outcome: 'gone' });
    // The session is deleted, not only refused.
    expect(await accounts().rotateSession(last)).toEqual({ outcome: 'gone' });
  });

  test('a session past its absolute age is gone, however recently used', async () => {
    const session = await newSession(shared(), { createdAt: shared().now - LIMITS.absoluteMs });
    expect((await accounts().rotateSession(rotation(session, {}))).outcome).toBe('rotated');
    const late = rotation(session, { generation: 2, now: session.lastUsedAt + 1 });
    expect(await accounts().listSessions(session.userId, LIMITS, late.now)).toEqual([]);
    expect(await accounts().rotateSession(late)).toEqual({ outcome: 'gone' });
  });

  test('an unknown session is gone', async () => {
    const session = await newSession(shared());
    const unknown = rotation(session, { id: newId('ses', 5) });
    expect(await accounts().rotateSession(unknown)).toEqual({ outcome: 'gone' });
    expect((await accounts().rotateSession(rotation(session, {}))).outcome).toBe('rotated');
  });

  test('one account’s sessions are listed, last used first', async () => {
    const { id: userId } = await shared().user();
    const at = shared().now;
    const b = await newSession(shared(), { userId, lastUsedAt: at - 2 });
    const c = await newSession(shared(), { userId, lastUsedAt: at - 3, userAgent: null });
    const a = await newSession(shared(), { userId, lastUsedAt: at - 1, address: null });
    await newSession(shared());
    expect(await accounts().listSessions(userId, LIMITS, at)).toEqual([a, b, c]);
  });

  test('only its own account deletes a session, and once', async () => {
    const session = await newSession(shared());
    const stranger = await shared().user();
    expect(await accounts().deleteSession(stranger.id, session.id)).toBe(false);
    expect(await accounts().deleteSession(session.userId, session.id)).toBe(true);
    expect(await accounts().deleteSession(session.userId, session.id)).toBe(false);
    expect(await accounts().rotateSession(rotation(session, {}))).toEqual({ outcome: 'gone' });
  });

  test('the account of a session is found until the session ends', async () => {
    const user = await shared().user({ plan: 'pro' });
    const session = await newSession(shared(), { userId: user.id });
    expect(await accounts().findSessionUser(session.id)).toEqual(user);
    await accounts().deleteSession(user.id, session.id);
    expect(await accounts().findSessionUser(session.id)).toBeNull();
  });

  test('expired sessions are dropped, the others stay', async () => {
    const { id: userId } = await shared().user();
    const at = shared().now + 1000 * HOUR_MS;
    const edge = { userId, createdAt: at - LIMITS.absoluteMs, lastUsedAt: at - LIMITS.idleMs };
    const live = await newSession(shared(), edge);
    const idle = await newSession(shared(), { ...edge, lastUsedAt: edge.lastUsedAt - 1 });
    const old = await newSession(shared(), {
      ...edge,
      createdAt: edge.createdAt - 1,
      lastUsedAt: at,
    });
    // The other sessions of this suite are older.
    const before = await accounts().countUsers();
    expect(await shared().store.upkeep.dropExpiredSessions(LIMITS, at)).toBeGreaterThanOrEqual(2);
    expect(await shared().store.upkeep.dropExpiredSessions(LIMITS, at)).toBe(0);
    const forever = { idleMs: 1e6 * HOUR_MS, absoluteMs: 1e6 * HOUR_MS };
    expect(await accounts().listSessions(userId, forever, at)).toEqual([live]);
    for (const gone of [idle, old]) {
      expect(await accounts().findSessionUser(gone.id)).toBeNull();
    }
    expect(await accounts().countUsers()).toBe(before);
  });

  test('a session past the account’s limit ends the one unused for longest', async () => {
    const user = await shared().user();
    const begin = async (lastUsedAt: number, most: number) => {
      const id = newId('ses', shared().now);
      const session = { id, userId: user.id, generation: 0, createdAt: 1, lastUsedAt };
      await accounts().createSession({ ...session, address: null, userAgent: null }, most);
      return id;
    };
    const { now } = shared();
    const [used, unused, idle] = [
      await begin(now - 10, 3),
      await begin(now - 1000, 3),
      await begin(now - 500, 3),
    ];
    const others = async () => {
      const limits = { idleMs: 1e9, absoluteMs: 1e15 };
      return (await accounts().listSessions(user.id, limits, now)).map(({ id }) => id);
    };
    expect(await others()).toEqual([used, idle, unused]);
    // The new session stays, even if a clock that was set back makes it the oldest.
    const fresh = await begin(now - 2000, 3);
    expect(await others()).toEqual([used, idle, fresh]);
    const last = await begin(now, 1);
    expect(await others()).toEqual([last]);
  });

  test('a session starts by a password that is still the account’s', async () => {
    const user = await shared().user();
    const { id } = await newSession(shared(), { userId: user.id });
    const next = { id: newId('ses', 6), userId: user.id, generation: 0 };
    const session = { ...next, createdAt: 1, lastUsedAt: 2, address: null, userAgent: null };
    expect(await accounts().createSession(session, MANY, 'another hash')).toBe(false);
    expect(await accounts().findSessionUser(session.id)).toBeNull();
    expect(await accounts().findSessionUser(id)).not.toBeNull();
    expect(await accounts().createSession(session, MANY, 'hash')).toBe(true);
    expect(await accounts().findSessionUser(session.id)).toEqual(user);
  });

  test('a changed password ends all other sessions of its account', async () => {
    const user = await shared().user();
    const { id: sessionId } = await newSession(shared(), { userId: user.id });
    const other = await newSession(shared(), { userId: user.id });
    const foreign = await newSession(shared());
    const hash = async () => (await accounts().findUserByEmail(user.email))?.passwordHash;
    const wrong = { from: 'another hash', to: 'new hash', sessionId };
    expect(await accounts().changePassword(user.id, wrong)).toBe(false);
    expect(await accounts().findSessionUser(other.id)).toEqual(user);
    const changes = ['new hash', 'newer hash'].map((to) =>
      accounts().changePassword(user.id, { from: 'hash', to, sessionId }),
    );
    expect((await Promise.all(changes)).filter((changed) => changed)).toHaveLength(1);
    expect(['new hash', 'newer hash']).toContain(await hash());
    expect(await accounts().findSessionUser(other.id)).toBeNull();
    expect(await accounts().findSessionUser(sessionId)).toEqual(user);
    expect(await accounts().findSessionUser(foreign.id)).not.toBeNull();
  });
}
