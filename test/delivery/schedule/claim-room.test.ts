import { expect, test } from 'vitest';
import { ClaimRoom } from '../../../src/delivery/schedule/claim-room.ts';
import type { Dispatcher, Pace } from '../../../src/delivery/schedule/dispatcher.ts';

/** Room beside lanes with this pace and this many waiting claims, by key. */
function room(lanes: Map<number, Pace & { waiting: number }>): ClaimRoom {
  return new ClaimRoom({
    get waiting() {
      return [...lanes.values()].reduce((sum, { waiting }) => sum + waiting, 0);
    },
    waitingOneSlot: 0,
    hasOneSlot: () => false,
    waitingFor: (key: number) => lanes.get(key)?.waiting ?? 0,
    paceOf: (key: number) => lanes.get(key) ?? null,
  } as unknown as Dispatcher);
}

test.each([
  ['unknown', { limit: 16, latencyMs: null }, 64],
  ['slow', { limit: 16, latencyMs: 5000 }, 64],
  ['slow with few workers', { limit: 4, latencyMs: 1000 }, 16],
  ['wide', { limit: 128, latencyMs: 100 }, 1280],
  ['fast', { limit: 16, latencyMs: 2 }, 4096],
  ['fast and serial', { limit: 4, latencyMs: 5 }, 800],
])('a destination that is %s has its own depth', (_, pace, depth) => {
  expect(room(new Map([[1, { ...pace, waiting: 0 }]])).depthOf(1)).toBe(depth);
});

/** Slow destinations with a backlog, after looks at the table until memory takes no more. */
function backlogged(count: number) {
  const lanes = new Map<number, Pace & { waiting: number }>();
  const it = room(lanes);
  for (let key = 1; key <= count; key++) {
    lanes.set(key, { limit: 16, latencyMs: 5000, waiting: 0 });
  }
  for (let look = 0; look < 20 && it.isWorthAPoll(); look++) {
    let { limit } = it.forPoll();
    const depth = it.depthOf(1);
    const low = [...lanes].filter(([key]) => it.runsLow(key));
    for (const [, lane] of low) {
      const taken = Math.min(limit, depth);
      lane.waiting += taken;
      limit -= taken;
    }
  }
  const supplied = [...lanes.values()].filter(({ waiting }) => waiting > 0).length;
  return { lanes, it, supplied };
}

test.each([16, 100, 250])('%i slow destinations leave room for a fast one', (count) => {
  const { lanes, it, supplied } = backlogged(count);
  expect(supplied).toBe(count);
  expect(it.isWorthAPoll()).toBe(true);
  lanes.set(-1, { limit: 64, latencyMs: 2, waiting: 0 });
  expect(it.depthOf(-1)).toBeGreaterThanOrEqual(256);
});

test.each([500, 1000])('%i slow destinations leave places for the claims of commits', (count) => {
  const { it, supplied } = backlogged(count);
  expect(supplied).toBeGreaterThan(400);
  expect(it.free().limit).toBeGreaterThanOrEqual(128);
});
