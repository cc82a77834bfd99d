import { describe, expect, test } from 'vitest';
import { ConcurrencyLimit } from '../../../src/delivery/schedule/concurrency-limit.ts';
import { seededRandom } from '../../fixtures/random.ts';
import {
  fixedLatency,
  type Receiver,
  rateLimited,
  type Second,
  simulate,
  workers,
} from './simulated-receiver.ts';

const random = seededRandom(7);

/** Log-normal: the median is `ms`, and `sigma` 1 makes one answer in six 2.7 times slower. */
function around(ms: number, sigma: number): number {
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return ms * Math.exp(sigma * normal);
}

const mean = (values: readonly number[]) =>
  values.reduce((sum, one) => sum + one, 0) / values.length;
/** The records after the first ones. */
const settled = (seconds: Second[]) => seconds.slice(20);
const delivered = (seconds: Second[]) => mean(settled(seconds).map((second) => second.delivered));
const latency = (seconds: Second[]) =>
  mean(settled(seconds).flatMap(({ latencyMs }) => (Number.isNaN(latencyMs) ? [] : [latencyMs])));

test('starts at 16', () => {
  expect(new ConcurrencyLimit().limit).toBe(16);
  expect(new ConcurrencyLimit(4).limit).toBe(4);
});

describe('a receiver that takes any number', () => {
  const wide: [string, Receiver, number][] = [
    ['10 ms', fixedLatency(10), 12_000],
    ['100 ms', fixedLatency(100), 1200],
    ['1 s', fixedLatency(1000), 90],
    ['200 workers of 100 ms', workers(200, () => 100), 1200],
    ['about 100 ms', () => ({ durationMs: around(100, 0.3) }), 1100],
    ['between 20 and 500 ms', () => ({ durationMs: around(100, 1) }), 600],
    ['20 or 400 ms', () => ({ durationMs: random() < 0.6 ? 20 : 400 }), 600],
    ['100 ms, one in fifty 5 s', () => ({ durationMs: random() < 0.02 ? 5000 : 100 }), 450],
  ];
  test.each(wide)('of %s gets the most', (_, receiver, least) => {
    const seconds = simulate(receiver, { seconds: 60 });
    expect(seconds.some(({ limit }) => limit === 128)).toBe(true);
    expect(delivered(seconds)).toBeGreaterThan(least);
  });

  test('of 100 ms gets 600 a second within four seconds', () => {
    const seconds = simulate(fixedLatency(100), { seconds: 4 });
    expect(seconds[3]?.delivered).toBeGreaterThan(600);
  });

  test('gets no more than it uses', () => {
    const seconds = simulate(fixedLatency(100), { seconds: 60, everyMs: 20 });
    expect(new Set(seconds.map(({ limit }) => limit))).toEqual(new Set([16]));
  });
});

describe('a receiver with few workers and a queue', () => {
  const narrow: [string, Receiver, { workers: number; workMs: number }][] = [
    ['8 of 100 ms', workers(8, () => 100), { workers: 8, workMs: 100 }],
    ['8 of 20 ms', workers(8, () => 20), { workers: 8, workMs: 20 }],
    ['32 of 50 ms', workers(32, () => 50), { workers: 32, workMs: 50 }],
    ['8 of about 100 ms', workers(8, () => around(100, 0.3)), { workers: 8, workMs: 105 }],
  ];
  test.each(narrow)('%s is busy, and its queue is short', (_, receiver, { workers, workMs }) => {
    const seconds = simulate(receiver, { seconds: 120 });
    expect(delivered(seconds)).toBeGreaterThan(0.8 * ((workers * 1000) / workMs));
    expect(latency(seconds)).toBeLessThan(2 * workMs);
    expect(mean(settled(seconds).map(({ limit }) => limit))).toBeLessThan(1.6 * workers);
  });

  test('one that loses most of its workers gets less within seconds', () => {
    const few = workers(8, () => 100);
    const seconds = simulate(
      (request) => (request.now < 30_000 ? { durationMs: 100 } : few(request)),
      { seconds: 60 },
    );
    expect(seconds[29]?.limit).toBe(128);
    for (const { limit } of seconds.slice(45)) expect(limit).toBeLessThanOrEqual(14);
  });

  test('one that gets workers gets more within a minute', () => {
    const few = workers(8, () => 100);
    const seconds = simulate(
      (request) => (request.now < 30_000 ? few(request) : { durationMs: 100 }),
      { seconds: 90 },
    );
    expect(seconds[89]?.limit).toBe(128);
  });
});

test('a receiver that becomes slower by itself keeps its limit', () => {
  const seconds = simulate(({ now }) => ({ durationMs: now < 30_000 ? 50 : 300 }), { seconds: 90 });
  expect(mean(seconds.slice(60).map(({ delivered }) => delivered))).toBeGreaterThan(350);
});

describe('a receiver that answers 429 above a rate', () => {
  test.each([
    [100, 50],
    [500, 50],
    [1000, 50],
    [2000, 50],
  ])('of %i/s, otherwise after %i ms, refuses few', (perSecond, ms) => {
    const seconds = settled(simulate(rateLimited(perSecond, ms), { seconds: 120 }));
    const refused = mean(seconds.map(({ dropped }) => dropped));
    expect(refused).toBeLessThan(0.01 * perSecond);
    expect(mean(seconds.map((second) => second.delivered))).toBeGreaterThan(0.6 * perSecond);
  });
});

describe('a drop', () => {
  const end = { durationMs: 100, underWay: 16 };

  test('takes three tenths off, once for all attempts under way together', () => {
    const limit = new ConcurrencyLimit();
    for (let i = 0; i < 16; i++) limit.onEnd({ ...end, now: 1000 + i, result: 'dropped' });
    expect(limit.limit).toBe(11);
    limit.onEnd({ ...end, now: 1101, result: 'dropped' });
    expect(limit.limit).toBe(7);
  });

  test('never leaves less than four', () => {
    const limit = new ConcurrencyLimit();
    for (let i = 1; i < 50; i++) limit.onEnd({ ...end, now: i * 1000, result: 'dropped' });
    expect(limit.limit).toBe(4);
  });
});

test.each(Array.from({ length: 20 }, (_, i) => i + 1))(
  'the limit stays between 4 and 128 whatever happens: seed %i',
  (seed) => {
    const next = seededRandom(seed);
    const limit = new ConcurrencyLimit();
    for (let i = 0, now = 0; i < 5000; i++, now += next() * 50) {
      const result = next() < 0.01 ? 'dropped' : 'answered';
      limit.onEnd({
        now,
        durationMs: next() ** 4 * 1000,
        underWay: 1 + Math.floor(next() * limit.limit),
        result,
      });
      expect(Number.isInteger(limit.limit) && limit.limit >= 4 && limit.limit <= 128).toBe(true);
    }
  },
);
