import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createHeldExpiry } from '../../src/maintenance/held-expiry.ts';
import { failOnLeaks } from '../fixtures/leaks.ts';
import { ManualClock } from '../fixtures/manual-clock.ts';

failOnLeaks();

const MINUTE_MS = 60_000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});

afterEach(() => {
  vi.useRealTimers();
});

/** @param held deliveries that are held for too long */
function setup(held: number) {
  const clock = new ManualClock();
  const warnings: string[] = [];
  const slices: { at: number; expired: number }[] = [];
  const expiry = createHeldExpiry({
    upkeep: {
      async expireHeldSlice(now, most) {
        const expired = Math.min(held, most);
        held -= expired;
        slices.push({ at: now, expired });
        return { expired, more: held > 0 };
      },
    },
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
  onTestFinished(() => expiry.stop());
  const minute = async () => {
    clock.advance(MINUTE_MS);
    await vi.advanceTimersByTimeAsync(MINUTE_MS);
  };
  return { clock, expiry, slices, warnings, minute };
}

test('held deliveries end in slices until none is left, and each minute', async () => {
  const { clock, expiry, slices, minute } = setup(1200);
  expiry.start();
  await vi.advanceTimersByTimeAsync(1000);
  expect(slices.map(({ expired }) => expired)).toEqual([500, 500, 200]);
  await minute();
  expect(slices.slice(3)).toEqual([{ at: clock.now(), expired: 0 }]);
  await minute();
  expect(slices).toHaveLength(5);
});

test('a clock set a year ahead ends nothing', async () => {
  const { clock, expiry, slices, warnings, minute } = setup(0);
  expiry.start();
  await vi.advanceTimersByTimeAsync(1000);
  clock.jump(366 * 86_400_000);
  await minute();
  expect(slices).toHaveLength(1);
  expect(warnings).toEqual([
    'the clock jumped; the end of held deliveries pauses for a day or until a restart',
  ]);
});
