import { expect, test } from 'vitest';
import { DELETION_TERMS } from '../../src/maintenance/deletion-terms.ts';
import { SlicePace } from '../../src/maintenance/slice-pace.ts';
import { WorkRate } from '../../src/maintenance/work-rate.ts';
import { ManualClock } from '../fixtures/manual-clock.ts';

/** What a slice costs in a store of 1 KB events: a part that each slice has, and one an event, ms. */
const SLICE_MS = 0.3;
const EVENT_MS = 0.03;
const SECOND_MS = 1000;

/** Deletes without end, beside captures that come at a steady rate. */
function deletion() {
  const clock = new ManualClock();
  const captures = new WorkRate(clock);
  const pace = new SlicePace(DELETION_TERMS, captures, clock);
  /** Time passes while `perSecond` events are captured. */
  const pass = (ms: number, perSecond: number) => {
    const untilMs = clock.monotonic() + ms;
    while (clock.monotonic() < untilMs) {
      const step = Math.min(10, untilMs - clock.monotonic());
      clock.advance(step);
      captures.add((perSecond * step) / SECOND_MS);
    }
  };
  return {
    pass,
    /**
     * Deletes for `seconds`. Returns the deleted events a second, the longest slice and the share
     * of the time in which slices held the writer.
     *
     * @param waitMs how long a slice waits for the store and its commit
     */
    async run({ seconds = 10, perSecond = 0, waitMs = 2, eventMs = EVENT_MS }) {
      const startedAt = clock.monotonic();
      let deleted = 0;
      let heldMs = 0;
      let longestMs = 0;
      while (clock.monotonic() - startedAt < seconds * SECOND_MS) {
        await pace.run(
          async (most) => {
            const slice = { units: most, heldMs: SLICE_MS + most * eventMs };
            pass(slice.heldMs + waitMs, perSecond);
            return slice;
          },
          (slice) => {
            deleted += slice.units;
            heldMs += slice.heldMs;
            longestMs = Math.max(longestMs, slice.heldMs);
            return slice;
          },
        );
        pass(pace.pauseMs(), perSecond);
      }
      const tookMs = clock.monotonic() - startedAt;
      return { perSecond: (deleted / tookMs) * SECOND_MS, longestMs, share: heldMs / tookMs };
    },
  };
}

test('alone, slices are large', async () => {
  const { perSecond, longestMs } = await deletion().run({});
  expect(perSecond).toBeGreaterThan(10_000);
  expect(longestMs).toBeLessThan(20);
});

test('beside 500 captures a second, slices are short, and more is deleted than captured', async () => {
  const it = deletion();
  it.pass(SECOND_MS, 500);
  const { perSecond, longestMs, share } = await it.run({ perSecond: 500 });
  expect(longestMs).toBeLessThan(2.5);
  expect(share).toBeLessThan(0.06);
  expect(perSecond).toBeGreaterThan(750);
});

test('beside a flood, a slice runs now and then', async () => {
  const it = deletion();
  it.pass(SECOND_MS, 15_000);
  const { perSecond, share } = await it.run({ perSecond: 15_000, waitMs: 10 });
  expect(share).toBeLessThan(0.025);
  expect(perSecond).toBeGreaterThan(400);
});

test('captures that begin make the next slice short, and an ebb makes slices large again', async () => {
  const it = deletion();
  await it.run({});
  it.pass(200, 500);
  const beside = await it.run({ perSecond: 500 });
  expect(beside.longestMs).toBeLessThan(4);
  it.pass(2 * SECOND_MS, 0);
  expect((await it.run({})).perSecond).toBeGreaterThan(10_000);
});

test('a flood that never ebbs, on a slow store, still lets ten events go with each pause', async () => {
  const it = deletion();
  it.pass(SECOND_MS, 15_000);
  const slow = { seconds: 100, perSecond: 15_000, waitMs: 400, eventMs: 5 };
  const { perSecond } = await it.run(slow);
  expect(perSecond).toBeGreaterThan(10 / 0.6);
});

test('a few captures a minute are no reason to pause', async () => {
  const it = deletion();
  it.pass(SECOND_MS, 1);
  expect((await it.run({ perSecond: 1 })).perSecond).toBeGreaterThan(9000);
});
