import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { INTERNAL_USER } from '../../../../src/core/channels/channel.ts';
import type { AdminStore } from '../../../../src/store/contract/admin-store.ts';
import { SqliteAdmin } from '../../../../src/store/sqlite/administration/admin.ts';
import { nextSlice } from '../../../../src/store/sqlite/administration/prune.ts';
import { searchFile } from '../../../../src/store/sqlite/files/data-files.ts';
import type { SqliteStore } from '../../../../src/store/sqlite/sqlite-store.ts';
import { failOnLeaks } from '../../../fixtures/leaks.ts';
import { MANY } from '../../../fixtures/many.ts';
import { until } from '../../../fixtures/until.ts';
import { newChannel } from '../../conformance/issue-rows.ts';
import { only, World } from '../../conformance/world.ts';
import { openStoreIn, tempDir } from '../temp-store.ts';

failOnLeaks();

const DAY_MS = 86_400_000;

function adminOf(dataDir: string): AdminStore {
  const admin = new SqliteAdmin(dataDir);
  onTestFinished(() => admin.close());
  return admin;
}

/** An open store, as in a server, and a command's view of its directory. */
async function served(): Promise<{
  store: SqliteStore;
  world: World;
  admin: AdminStore;
  dataDir: string;
}> {
  const dataDir = tempDir();
  const store = await openStoreIn(dataDir);
  onTestFinished(() => store.close());
  const world = new World({ store, reopen: async () => store, close: async () => {} });
  return { store, world, admin: adminOf(dataDir), dataDir };
}

/** A hookrelay database without any migration. */
function oldDatabase(): string {
  const dataDir = tempDir();
  const db = new Database(join(dataDir, 'hookrelay.db'));
  db.pragma('journal_mode = WAL');
  db.pragma(`application_id = ${0x686b726c}`);
  db.close();
  return dataDir;
}

test('doctor names the destinations that refuse every event', async () => {
  const { world, admin } = await served();
  const endpoint = await world.endpoint();
  const destination = await world.destination(endpoint);
  const refusing = async () => {
    const { database } = await admin.inspect(world.now);
    return database.state === 'readable' ? database.content?.refusing : undefined;
  };
  await world.events(endpoint, [{}, {}, {}]);
  const claims = await world.claimDue();
  for (const claim of claims.slice(1)) await world.settle(claim, 'dead');
  expect(await refusing()).toEqual([]);
  await world.settle(only(claims.slice(0, 1)), 'dead');
  expect(await refusing()).toEqual([{ endpointId: endpoint.id, destinationId: destination.id }]);
});

test('doctor counts the events that a whole search index lacks', async () => {
  const { world, admin, dataDir } = await served();
  const endpoint = await world.endpoint();
  await world.events(
    endpoint,
    Array.from({ length: 200 }, () => ({ body: 'a needle' })),
  );
  const index = async () => {
    const { database } = await admin.inspect(world.now);
    return database.state === 'readable' ? database.content?.index : undefined;
  };
  const whole = { state: 'current', lag: 0, lacking: 0 };
  await until('all are indexed', async () => (await index())?.lag === 0);
  expect(await index()).toEqual(whole);

  const db = new Database(searchFile(dataDir));
  const [block] = db
    .prepare<[], { size: number; last: number }>(
      'SELECT last - first + 1 AS size, last FROM blocks ORDER BY last DESC',
    )
    .all();
  db.prepare('DELETE FROM grams WHERE rowid = ?').run(block?.last);
  db.close();
  expect(await index()).toEqual({ ...whole, lacking: block?.size });
});

describe('the schema', () => {
  test('an older one is upgraded when nobody works on it', async () => {
    const admin = adminOf(oldDatabase());
    expect(await admin.users.list()).toEqual([]);
    const { database, holder } = await admin.inspect(Date.now());
    expect(holder).toBeNull();
    expect(database).toMatchObject({ state: 'readable' });
    if (database.state === 'readable') expect(database.schema).toBe(database.newestSchema);
  });

  test('an older one stays while somebody works on it', async () => {
    const dataDir = oldDatabase();
    const admin = adminOf(dataDir);
    const held = await adminOf(dataDir).exclusive({ make: false });
    await expect(admin.users.list()).rejects.toMatchObject({
      code: 'data_dir_locked',
      message: expect.stringContaining('an older schema'),
      hint: expect.stringContaining('hookrelay migrate'),
    });
    const old = await admin.inspect(Date.now());
    expect(old.holder).toEqual({ pid: process.pid, url: null });
    expect(old.database).toMatchObject({ state: 'readable', schema: 0, content: null });
    await held.release();
  });

  test('a newer server that takes over stops a command under way', async () => {
    const { world, admin, dataDir } = await served();
    await world.events(await world.endpoint(), new Array(200).fill({}));
    let slices = 0;
    const pruned = admin.prune(world.now + 1, () => {
      if (slices++ > 0) return;
      const db = new Database(join(dataDir, 'hookrelay.db'));
      db.pragma('user_version = 9999');
      db.close();
    });
    await expect(pruned).rejects.toMatchObject({ code: 'schema_newer' });
    expect(slices).toBe(1);
  });
});

describe('the lock', () => {
  test('is read without being taken', async () => {
    const { admin, dataDir } = await served();
    expect((await admin.inspect(Date.now())).holder).toEqual({ pid: process.pid, url: null });
    await expect(admin.exclusive({ make: false })).rejects.toMatchObject({
      code: 'data_dir_locked',
    });
    const other = join(dataDir, 'other');
    await expect(adminOf(other).exclusive({ make: false })).rejects.toMatchObject({
      code: 'data_dir_unusable',
    });
    mkdirSync(other);
    const held = await adminOf(other).exclusive({ make: false });
    await held.release();
    expect((await adminOf(other).inspect(Date.now())).holder).toBeNull();
  });
});

describe('prune', () => {
  test('keeps events with open deliveries, and counts them', async () => {
    const { world, admin } = await served();
    const endpoint = await world.endpoint();
    const [plain] = await world.events(endpoint, [{}]);
    await world.destination(endpoint);
    const done = await world.event(endpoint);
    const [claim] = await world.claimDue();
    if (claim) await world.settle(claim, 'succeeded');
    const open = await world.event(endpoint);
    world.now += DAY_MS;
    const late = await world.event(endpoint);

    expect(await admin.countOlder(world.now)).toEqual({ events: 3, open: 1 });
    const progress: number[] = [];
    expect(await admin.prune(world.now, (removed) => progress.push(removed))).toBe(2);
    expect(progress.at(-1)).toBe(2);
    expect((await world.listed(endpoint)).map(({ id }) => id)).toEqual([late.id, open.id]);
    for (const { id } of [plain, done].filter((event) => event !== undefined)) {
      expect(await world.store.events.find(endpoint.key, id)).toBeNull();
    }
    expect(await admin.countOlder(world.now)).toEqual({ events: 1, open: 1 });
  });

  test.each([
    { events: 50, heldMs: 100, next: 25 },
    { events: 1, heldMs: 5000, next: 1 },
    { events: 50, heldMs: 1, next: 100 },
    { events: 400, heldMs: 1, next: 500 },
    { events: 50, heldMs: 12, next: 50 },
  ])('after $events events in $heldMs ms the next slice has $next', ({ events, heldMs, next }) => {
    expect(nextSlice(events, heldMs)).toBe(next);
  });
});

describe('accounts', () => {
  test('the server sees changes at once, and so does the command', async () => {
    const { store, world, admin } = await served();
    const user = await world.user({ email: 'ada@example.com' });
    const session = { id: 'ses_1', userId: user.id, generation: 0, address: null, userAgent: null };
    await store.accounts.createSession({ ...session, createdAt: 5, lastUsedAt: 7 }, MANY);
    expect(await admin.users.list()).toMatchObject([
      { email: 'ada@example.com', endpoints: 0, events: 0, lastSeenAt: 7 },
    ]);
    expect(await admin.users.setPlan('ada@example.com', 'pro', 5)).toBe(true);
    expect(await admin.users.setPlan('nobody@example.com', 'pro', 5)).toBe(false);
    expect((await store.accounts.findUserByEmail('ada@example.com'))?.plan).toBe('pro');

    expect(await admin.users.setPassword('nobody@example.com', 'h', 6)).toBeNull();
    expect(await admin.users.setPassword('ada@example.com', 'new hash', 6)).toEqual({
      sessionsEnded: 1,
      apiTokens: 0,
    });
    expect(await store.accounts.findSessionUser('ses_1')).toBeNull();
    expect((await store.accounts.findUserByEmail('ada@example.com'))?.passwordHash).toBe(
      'new hash',
    );

    const { entries } = await store.audit.list(user.id, { offset: 0, limit: 10 });
    const actor = { type: 'system', id: null, name: 'operator', address: null };
    expect(entries).toMatchObject([
      { action: 'auth.password_reset', at: 6, actor, changes: null },
      { action: 'account.plan', at: 5, actor, changes: { plan: ['free', 'pro'] } },
    ]);

    const taken = { id: 'usr_2', email: 'ada@example.com', plan: 'free' as const };
    await expect(
      admin.users.create({ ...taken, passwordHash: 'h', createdAt: 1 }),
    ).rejects.toMatchObject({ code: 'email_taken' });
  });
});

test('the account of internal endpoints is nobody to the operator', async () => {
  const { store, world, admin } = await served();
  const user = await world.user();
  await store.channels.add(newChannel(world, user.id), MANY);
  expect(await admin.users.list()).toMatchObject([{ id: user.id, endpoints: 0 }]);
  expect(await admin.users.setPlan(INTERNAL_USER.email, 'free', 5)).toBe(false);
  expect(await admin.users.setPassword(INTERNAL_USER.email, 'hash', 6)).toBeNull();
});

test('a backup of a database under writes is complete', async () => {
  const { world, admin, dataDir } = await served();
  const endpoint = await world.endpoint();
  await world.events(endpoint, new Array(50).fill({ body: 'before' }));
  // The backup reads this while the store continues.
  const file = join(dataDir, 'copy.db');
  const [summary] = await Promise.all([admin.backup(file), world.events(endpoint, [{}])]);
  expect(summary.events).toBeGreaterThanOrEqual(50);
  expect(await adminOf(dataDir).checkIntegrity(true)).toEqual([]);
  expect(await world.listed(endpoint)).toHaveLength(51);
});
