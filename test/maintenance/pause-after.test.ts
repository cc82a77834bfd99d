import { expect, test } from 'vitest';
import { pauseAfter } from '../../src/maintenance/pause-after.ts';

const TERMS = { pauseTimes: 8, leastPauseMs: 100, mostPauseMs: 2000 };

test.each([
  { what: 'alone: the shortest', others: 0, tookMs: 1000, pause: 100 },
  { what: 'beside little: by its share', others: 125, tookMs: 100, pause: 200 },
  { what: 'beside much: the longest for what it took', others: 500, tookMs: 100, pause: 800 },
  { what: 'beside a flood: no longer', others: 20_000, tookMs: 100, pause: 800 },
  { what: 'on a slow store: within the bound', others: 20_000, tookMs: 9000, pause: 2000 },
])('$what', ({ others, tookMs, pause }) => {
  expect(pauseAfter(tookMs, others, TERMS)).toBe(pause);
});
