import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createReplayJobs } from '../../src/maintenance/replay-jobs.ts';
import { WorkRate } from '../../src/maintenance/work-rate.ts';
import { ManualClock } from '../fixtures/manual-clock.ts';
import { silentLog } from '../fixtures/silent-log.ts';

/** How long an event holds the writer, ms. */
const EVENT_MS = 0.01;

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

test('slices are of 50 events beside captures, and of 1,000 when these ebb', async () => {
  const clock = new ManualClock();
  const captures = new WorkRate(clock);
  const slices: number[] = [];
  const loop = createReplayJobs({
    replays: {
      workOff: async (_now, { events }) => {
        slices.push(events);
        return { unclaimed: new Set(), replayed: events, heldMs: events * EVENT_MS };
      },
    },
    others: captures,
    clock,
    log: silentLog,
    onQueued() {},
  });
  captures.add(500);
  loop.start();
  await vi.advanceTimersByTimeAsync(20);
  expect(slices.slice(0, 3)).toEqual([10, 50, 50]);
  clock.advance(2000);
  await vi.advanceTimersByTimeAsync(20);
  expect(slices.at(-1)).toBe(1000);
  const stopped = loop.stop();
  await vi.advanceTimersByTimeAsync(20);
  await stopped;
});
