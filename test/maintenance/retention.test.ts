import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createRetention } from '../../src/maintenance/retention.ts';
import { WorkRate } from '../../src/maintenance/work-rate.ts';
import { failOnLeaks } from '../fixtures/leaks.ts';
import { ManualClock } from '../fixtures/manual-clock.ts';
import { until } from '../fixtures/until.ts';
import { settingsPatch } from '../store/conformance/world.ts';
import { type MaintenanceStore, openMaintenanceStore } from './maintenance-store.ts';

failOnLeaks();

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const YEAR_MS = 365 * DAY_MS;
const RETENTION_MS = 30 * DAY_MS;

beforeEach(() => {
  // Only the loop's timers are simulated: the store's turns of the event loop are
  // real.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});

afterEach(() => {
  vi.useRealTimers();
});

async function setup(retentionMs: number | null = RETENTION_MS) {
  const held = await openMaintenanceStore();
  const clock = new ManualClock();
  const warnings: string[] = [];
  let slices = 0;
  const retention = createRetention({
    upkeep: {
      retireSlice: async (terms, most) => {
        const result = await held.store.upkeep.retireSlice(terms, most);
        slices++;
        return result;
      },
    },
    retentionMs,
    others: new WorkRate(clock),
    clock,
    onDeleted() {},
    log: {
      debug() {},
      info() {},
      error: (message) => {
        throw new Error(message);
      },
      warn: (message) => {
        warnings.push(message);
      },
    },
  });
  onTestFinished(() => {
    vi.useRealTimers();
    return retention.stop();
  });
  return {
    ...held,
    clock,
    retention,
    warnings,
    looked: () => slices,
    /** Moves time minute by minute, and lets the loop look each time. */
    async pass(ms: number) {
      for (let left = ms; left > 0; left -= MINUTE_MS) {
        clock.advance(Math.min(left, MINUTE_MS));
        await vi.advanceTimersByTimeAsync(MINUTE_MS);
        await turns();
      }
    },
  };
}

async function turns(): Promise<void> {
  for (let i = 0; i < 4; i++) await new Promise(setImmediate);
}

/** Waits until the loop has nothing more to do at once. */
async function settled(of: MaintenanceStore, count: number): Promise<void> {
  await until(`${count} events are left`, async () => {
    await vi.advanceTimersByTimeAsync(10);
    return of.count('events') === count;
  });
}

describe('retention deletes', () => {
  test.each([
    ['keeps events for ever', null],
    ['keeps events for a while', RETENTION_MS],
  ])('by the endpoint’s own retention, on a server that %s', async (_, ofServer) => {
    const it = await setup(ofServer);
    const now = it.clock.now();
    const [short, long, other] = [
      await it.addEndpoint(),
      await it.addEndpoint(),
      await it.addEndpoint(),
    ];
    await it.store.endpoints.update(short.key, settingsPatch({ retention: HOUR_MS }));
    await it.store.endpoints.update(long.key, settingsPatch({ retention: 10 * RETENTION_MS }));
    const [, young = ''] = await it.capture(short, [now - HOUR_MS - 1, now - HOUR_MS]);
    const [kept = ''] = await it.capture(long, [now - 2 * RETENTION_MS]);
    const [old = ''] = await it.capture(other, [now - 2 * RETENTION_MS]);
    it.retention.start();
    const left = ofServer === null ? [young, kept, old] : [young, kept];
    await settled(it, left.length);
    expect(it.eventIds().sort()).toEqual(left.sort());
  });

  test('old events with all that belongs to them, and no others', async () => {
    const it = await setup();
    const endpoint = await it.addEndpoint(1);
    const now = it.clock.now();
    const [old = '', edge = '', young = ''] = await it.capture(endpoint, [
      now - RETENTION_MS - 1,
      now - RETENTION_MS,
      now - HOUR_MS,
    ]);
    await it.settleDue(now, { state: 'dead' });
    expect(it.count('attempts')).toBe(3);
    it.retention.start();
    await settled(it, 2);
    expect(it.eventIds()).toEqual([edge, young]);
    expect(it.count('event_contents')).toBe(2);
    expect(it.count('deliveries')).toBe(2);
    expect(it.count('attempts')).toBe(2);
    expect(await it.store.events.find(endpoint.key, old)).toBeNull();
    const { total } = await it.store.events.list(
      { endpointKeys: [endpoint.key] },
      {},
      { offset: 0, limit: 10 },
    );
    expect(total).toBe(2);
  });

  test('more as time passes', async () => {
    const it = await setup();
    const endpoint = await it.addEndpoint();
    const now = it.clock.now();
    await it.capture(endpoint, [now - RETENTION_MS + 5 * MINUTE_MS, now]);
    it.retention.start();
    await it.pass(5 * MINUTE_MS);
    expect(it.count('events')).toBe(2);
    await it.pass(2 * MINUTE_MS);
    expect(it.count('events')).toBe(1);
  });

  test('no events with open deliveries, until those end', async () => {
    const it = await setup();
    const endpoint = await it.addEndpoint(2);
    const now = it.clock.now();
    const [id = ''] = await it.capture(endpoint, [now - 2 * RETENTION_MS]);
    const other = await it.addEndpoint();
    await it.capture(other, [now - 2 * RETENTION_MS]);
    it.retention.start();
    await settled(it, 1);
    expect(it.eventIds()).toEqual([id]);
    await it.settleDue(now, { state: 'pending', nextAttemptAt: now + MINUTE_MS });
    await it.pass(MINUTE_MS);
    expect(it.eventIds()).toEqual([id]);
    await it.settleDue(it.clock.now(), { state: 'dead' });
    await it.pass(2 * MINUTE_MS);
    expect(it.eventIds()).toEqual([]);
    expect(it.count('attempts')).toBe(0);
  });

  test('many events slice by slice', async () => {
    const it = await setup();
    const endpoint = await it.addEndpoint();
    const now = it.clock.now();
    const old = Array.from({ length: 450 }, (_, i) => now - 2 * RETENTION_MS + i);
    const young = Array.from({ length: 50 }, (_, i) => now - i);
    await it.capture(endpoint, [...old, ...young]);
    it.retention.start();
    await settled(it, 50);
    expect(it.looked()).toBeGreaterThanOrEqual(3);
  });

  test('events of every endpoint, and searches no longer find them', async () => {
    const it = await setup();
    const now = it.clock.now();
    const endpoints = [await it.addEndpoint(), await it.addEndpoint()];
    for (const endpoint of endpoints) await it.capture(endpoint, [now - 2 * RETENTION_MS, now]);
    it.retention.start();
    await settled(it, 2);
    for (const endpoint of endpoints) {
      const page = await it.store.events.list(
        { endpointKeys: [endpoint.key] },
        { q: 'body' },
        { offset: 0, limit: 9 },
      );
      expect(page.total).toBe(1);
    }
  });
});

describe('a clock step', () => {
  test('ahead by a year deletes nothing for a day; then ages are trusted again', async () => {
    const it = await setup();
    const endpoint = await it.addEndpoint();
    const now = it.clock.now();
    await it.capture(endpoint, [now, now - DAY_MS]);
    it.retention.start();
    await turns();
    it.clock.jump(YEAR_MS);
    await it.pass(2 * MINUTE_MS);
    expect(it.count('events')).toBe(2);
    expect(it.warnings).toEqual([
      'the clock jumped; retention pauses for a day or until a restart',
    ]);
    await it.pass(DAY_MS - 10 * MINUTE_MS);
    expect(it.count('events')).toBe(2);
    await it.pass(15 * MINUTE_MS);
    expect(it.count('events')).toBe(0);
    expect(it.warnings).toHaveLength(1);
  });

  test('ahead and back loses nothing', async () => {
    const it = await setup();
    const endpoint = await it.addEndpoint();
    const now = it.clock.now();
    const [, young = ''] = await it.capture(endpoint, [now - RETENTION_MS - HOUR_MS, now]);
    await it.pass(0);
    it.clock.jump(YEAR_MS);
    it.retention.start();
    await turns();
    await it.pass(5 * MINUTE_MS);
    it.clock.jump(-YEAR_MS);
    await it.pass(5 * MINUTE_MS);
    expect(it.count('events')).toBe(2);
    expect(it.warnings).toHaveLength(2);
    // A day after the last step the old event goes, and the young one stays.
    await it.pass(DAY_MS + 5 * MINUTE_MS);
    expect(it.eventIds()).toEqual([young]);
  });

  test('by an hour pauses retention; by five minutes does not', async () => {
    for (const [jump, left] of [
      [HOUR_MS, 1],
      [-HOUR_MS, 1],
      [5 * MINUTE_MS, 0],
      [-5 * MINUTE_MS, 0],
    ] as const) {
      const it = await setup();
      const endpoint = await it.addEndpoint();
      it.retention.start();
      await turns();
      await it.capture(endpoint, [it.clock.now() - 2 * RETENTION_MS]);
      it.clock.jump(jump);
      await it.pass(3 * MINUTE_MS);
      expect([jump, it.count('events')]).toEqual([jump, left]);
      await it.retention.stop();
    }
  });

  test('is not seen when the machine slept: its events have aged', async () => {
    const it = await setup();
    const endpoint = await it.addEndpoint();
    const now = it.clock.now();
    const [, young = ''] = await it.capture(endpoint, [now - RETENTION_MS + HOUR_MS, now]);
    it.retention.start();
    await turns();
    it.clock.sleep(8 * HOUR_MS);
    await it.pass(3 * MINUTE_MS);
    expect(it.warnings).toEqual([]);
    expect(it.eventIds()).toEqual([young]);
  });

  test('is not seen across a restart', async () => {
    const it = await setup();
    const endpoint = await it.addEndpoint();
    await it.capture(endpoint, [it.clock.now()]);
    it.clock.jump(YEAR_MS);
    const again = createRetention({
      upkeep: it.store.upkeep,
      retentionMs: RETENTION_MS,
      others: new WorkRate(it.clock),
      clock: it.clock,
      onDeleted() {},
      log: { debug() {}, info() {}, warn() {}, error() {} },
    });
    again.start();
    await settled(it, 0);
    await again.stop();
  });
});
