import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createPurge } from '../../src/maintenance/purge.ts';
import { WorkRate } from '../../src/maintenance/work-rate.ts';
import { capture, expectStatus, register } from '../fixtures/account.ts';
import { failOnLeaks } from '../fixtures/leaks.ts';
import { ManualClock } from '../fixtures/manual-clock.ts';
import { MANY } from '../fixtures/many.ts';
import { hang, httpReceiver } from '../fixtures/receiver.ts';
import { runServer } from '../fixtures/running-server.ts';
import { silentLog } from '../fixtures/silent-log.ts';
import { until } from '../fixtures/until.ts';
import { openMaintenanceStore } from './maintenance-store.ts';

failOnLeaks();

const DAY_MS = 86_400_000;
const LIMITS = { idleMs: 30 * DAY_MS, absoluteMs: 90 * DAY_MS };
/** Rows that a deleted endpoint leaves to the purge. */
const TABLES = [
  'events',
  'event_contents',
  'open_deliveries',
  'deliveries',
  'attempts',
  'destinations',
  'event_counts',
];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});

afterEach(() => {
  vi.useRealTimers();
});

async function setup() {
  const held = await openMaintenanceStore();
  const clock = new ManualClock();
  const purge = createPurge({
    upkeep: held.store.upkeep,
    others: new WorkRate(clock),
    sessionLimits: LIMITS,
    clock,
    log: silentLog,
  });
  onTestFinished(() => {
    vi.useRealTimers();
    return purge.stop();
  });
  const becomes = (what: string, look: () => boolean) =>
    until(what, async () => {
      await vi.advanceTimersByTimeAsync(10);
      return look();
    });
  return { ...held, clock, purge, becomes };
}

test('a purge removes all of a deleted endpoint, slice by slice, and nothing of another', async () => {
  const it = await setup();
  const [gone, kept] = [await it.addEndpoint(2), await it.addEndpoint(1)];
  const now = it.clock.now();
  const many = Array.from({ length: 225 }, (_, i) => now + i);
  await it.capture(gone, many);
  const rest = await it.capture(kept, [now]);
  await it.settleDue(now + 1000, { state: 'dead' });
  await it.capture(gone, many);
  rest.push(...(await it.capture(kept, [now + 1])));
  await it.settleDue(now + 1000, { state: 'pending', nextAttemptAt: now + DAY_MS });
  expect(it.count('attempts')).toBe(902);
  it.purge.start();
  await it.store.endpoints.remove(gone.key, now);
  it.purge.wake();
  await it.becomes('the endpoint is gone', () => it.count('endpoints') === 1);
  expect(it.eventIds()).toEqual(rest);
  expect(TABLES.map((table) => [table, it.count(table)])).toEqual([
    ['events', 2],
    ['event_contents', 2],
    ['open_deliveries', 1],
    ['deliveries', 1],
    ['attempts', 2],
    ['destinations', 1],
    ['event_counts', expect.any(Number)],
  ]);
  const page = await it.store.events.list(
    { endpointKeys: [kept.key] },
    {},
    { offset: 0, limit: 10 },
  );
  expect(page.total).toBe(2);
});

test('a purge goes on after a restart', async () => {
  const it = await setup();
  const now = it.clock.now();
  const endpoints = [await it.addEndpoint(1), await it.addEndpoint(1), await it.addEndpoint()];
  for (const endpoint of endpoints) await it.capture(endpoint, [now, now + 1]);
  for (const endpoint of endpoints) await it.store.endpoints.remove(endpoint.key, now);
  expect(it.count('events')).toBe(6);
  it.purge.start();
  await it.becomes('all are gone', () => it.count('endpoints') === 0);
  for (const table of TABLES) expect([table, it.count(table)]).toEqual([table, 0]);
});

test('a purge drops sessions that have ended, and no others', async () => {
  const it = await setup();
  const now = it.clock.now();
  const ages: [string, number, number][] = [
    ['ses_fresh', 0, 0],
    ['ses_old_but_used', 89 * DAY_MS, DAY_MS],
    ['ses_idle', 31 * DAY_MS, 30 * DAY_MS + 1],
    ['ses_too_old', 90 * DAY_MS + 1, 0],
  ];
  for (const [id, age, idle] of ages) {
    await it.store.accounts.createSession(
      {
        id,
        userId: 'usr_1',
        generation: 0,
        createdAt: now - age,
        lastUsedAt: now - idle,
        address: null,
        userAgent: null,
      },
      MANY,
    );
  }
  it.purge.start();
  await it.becomes('two are gone', () => it.count('sessions') === 2);
  const left = await it.store.accounts.listSessions('usr_1', LIMITS, now);
  expect(left.map(({ id }) => id)).toEqual(['ses_fresh', 'ses_old_but_used']);
});

test('a purge in a whole server removes rows while attempts are under way', async () => {
  vi.useRealTimers();
  const server = await runServer({ attemptTimeout: 1000 });
  const account = await register(server);
  const endpoint = await account.createEndpoint();
  const other = await account.createEndpoint();
  const target = await httpReceiver(hang);
  await account.addDestination(endpoint, target.url);
  await Promise.all(Array.from({ length: 250 }, () => capture(endpoint.capture_url)));
  const kept = await capture(other.capture_url);
  await target.received(1);
  expectStatus(204, await account.call('DELETE', `/api/endpoints/${endpoint.id}`));
  const { default: Database } = await import('better-sqlite3');
  const db = new Database(`${server.dataDir}/hookrelay.db`, { readonly: true });
  onTestFinished(() => {
    db.close();
  });
  const count = (table: string) => db.prepare(`SELECT count(*) FROM ${table}`).pluck().get();
  await until('its rows are gone', () => count('endpoints') === 1 && count('events') === 1);
  expect(['open_deliveries', 'deliveries', 'attempts', 'destinations'].map(count)).toEqual([
    0, 0, 0, 0,
  ]);
  expect((await account.event(other, kept)).id).toBe(kept);
  // An attempt under way ends without a trace and without an error.
  await until('nothing is under way', async () => {
    const { text } = await account.call('GET', '/metrics', undefined);
    return /^hookrelay_attempts_running 0$/m.test(text);
  });
  expect(count('attempts')).toBe(0);
  expect(server.logged.filter(({ level }) => level === 'error')).toEqual([]);
});
