import { expect, test } from 'vitest';
import { LoginLimits } from '../../../../src/accounts/login-limits.ts';
import { newId } from '../../../../src/core/ids.ts';
import type { PostgresStore } from '../../../../src/store/postgres/postgres-store.ts';
import { MANY } from '../../../fixtures/many.ts';
import { openNodes } from '../nodes.ts';

test('a refresh token used on all nodes at once has one successor', async () => {
  const { stores, world } = await openNodes(3);
  const user = await world.user();
  const id = newId('ses', world.now);
  await world.store.accounts.createSession(
    {
      id,
      userId: user.id,
      generation: 1,
      createdAt: world.now,
      lastUsedAt: world.now,
      address: null,
      userAgent: null,
    },
    MANY,
  );
  const rotate = (store: PostgresStore, generation: number, now: number) =>
    store.accounts.rotateSession({
      id,
      generation,
      now,
      graceMs: 30_000,
      idleMs: 1e12,
      absoluteMs: 1e12,
      address: '192.0.2.1',
      userAgent: 'test',
    });
  const results = await Promise.all(
    Array.from({ length: 48 }, (_, i) => rotate(stores[i % 3] as PostgresStore, 1, world.now + i)),
  );
  expect(results.filter(({ outcome }) => outcome === 'rotated')).toHaveLength(1);
  expect(results.filter(({ outcome }) => outcome === 'repeated')).toHaveLength(47);
  const generations = results.map((result) => 'session' in result && result.session.generation);
  expect(new Set(generations)).toEqual(new Set([2]));
  // The reuse of an old token ends the session on all nodes.
  await rotate(stores[1] as PostgresStore, 2, world.now + 1000);
  const reused = await rotate(stores[2] as PostgresStore, 1, world.now + 2000);
  expect(reused).toEqual({ outcome: 'reused' });
  expect(await stores[0]?.accounts.findSessionUser(id)).toBeNull();
});

test('failed logins count over all nodes together, for each address', async () => {
  const { stores } = await openNodes(3);
  let now = 1_000_000;
  const limits = stores.map(
    ({ cluster }) => new LoginLimits({ store: cluster.allowances, now: () => now }),
  );
  const on = (i: number) => limits[i % 3] as LoginLimits;
  const tries = await Promise.allSettled(
    Array.from({ length: 30 }, (_, i) => on(i).beginLogin('192.0.2.1', 'ada@example.com')),
  );
  expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
  for (let i = 0; i < 3; i++) {
    await expect(on(i).checkLogin('192.0.2.1', 'ada@example.com')).rejects.toMatchObject({
      code: 'rate_limited',
      retryAfterS: 900,
    });
    // The owner at another address isn't locked out.
    await on(i).checkLogin('198.51.100.7', 'ada@example.com');
  }
  await on(1).beginLogin('198.51.100.7', 'ada@example.com');
  await on(2).loginSucceeded('198.51.100.7', 'ada@example.com');
  // The window ends by itself.
  now += 15 * 60_000;
  await on(0).beginLogin('192.0.2.1', 'ada@example.com');
});
