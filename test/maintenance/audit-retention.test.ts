import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createAuditRetention } from '../../src/maintenance/audit-retention.ts';
import { failOnLeaks } from '../fixtures/leaks.ts';
import { ManualClock } from '../fixtures/manual-clock.ts';
import { MANY } from '../fixtures/many.ts';
import { until } from '../fixtures/until.ts';
import { newEntry } from '../store/conformance/account-rows.ts';
import { openMaintenanceStore } from './maintenance-store.ts';

failOnLeaks();

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

beforeEach(() => {
  // The loop's own timers alone: the store's turns of the event loop are real.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});

afterEach(() => {
  vi.useRealTimers();
});

async function setup() {
  const { store, count } = await openMaintenanceStore();
  const clock = new ManualClock();
  const warnings: string[] = [];
  const retention = createAuditRetention({
    audit: store.audit,
    clock,
    log: {
      debug() {},
      info() {},
      error: (message) => {
        throw new Error(message);
      },
      warn: (message) => warnings.push(message),
    },
  });
  onTestFinished(() => {
    vi.useRealTimers();
    return retention.stop();
  });
  const left = (entries: number) =>
    until(`${entries} entries are left`, async () => {
      await vi.advanceTimersByTimeAsync(10);
      return count('audit_entries') === entries;
    });
  const add = async (times: number[]) => {
    for (const at of times) await store.audit.add(newEntry('usr_1', { at }), { most: MANY });
  };
  const hour = async () => {
    clock.advance(HOUR_MS);
    await vi.advanceTimersByTimeAsync(HOUR_MS);
    for (let i = 0; i < 4; i++) await new Promise(setImmediate);
  };
  return { store, clock, retention, warnings, left, add, hour };
}

test('entries older than a year go, now and as time goes by', async () => {
  const { clock, retention, left, add, hour } = await setup();
  const yearAgo = clock.now() - 365 * DAY_MS;
  await add([...Array(1200).fill(yearAgo - 1), yearAgo + HOUR_MS / 2, yearAgo + 10 * HOUR_MS]);
  retention.start();
  await left(2);
  await hour();
  await left(1);
});

test('a clock set a year ahead deletes nothing', async () => {
  const { store, clock, retention, warnings, add, hour } = await setup();
  await add([clock.now() - 1000]);
  retention.start();
  clock.jump(366 * DAY_MS);
  for (let hours = 0; hours < 3; hours++) await hour();
  expect((await store.audit.list('usr_1', { offset: 0, limit: 10 })).total).toBe(1);
  expect(warnings).toEqual([
    'the clock jumped; the deletion of old audit entries pauses for a day or until a restart',
  ]);
});
