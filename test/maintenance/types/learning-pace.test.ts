import { expect, test } from 'vitest';
import {
  BUSY_PACE,
  CALM_PACE,
  LearningPace,
} from '../../../src/maintenance/types/learning-pace.ts';

/** Events that are learned from `from` to `to`, ms, with `captures` each ms. */
function learnedIn(pace: LearningPace, from: number, to: number, captures: number): number {
  let learned = 0;
  for (let now = from; now < to; now++) {
    pace.captured(captures, now);
    if (pace.dueIn(now) > 0) continue;
    pace.learned(200, true, now);
    learned += 200;
  }
  return learned;
}

test('a slice may begin at once, and a second after all is learned', () => {
  const pace = new LearningPace();
  expect(pace.dueIn(0)).toBe(0);
  pace.learned(1, false, 10);
  expect(pace.dueIn(10)).toBe(1000);
  expect(pace.dueIn(1010)).toBe(0);
});

test('learns slowly while captures are many, and fast when they ebb', () => {
  const pace = new LearningPace();
  const busy = learnedIn(pace, 0, 20_000, 1) / 20;
  expect(busy).toBeGreaterThan(0.9 * BUSY_PACE);
  expect(busy).toBeLessThan(1.2 * BUSY_PACE);
  const calm = learnedIn(pace, 20_000, 40_000, 0) / 20;
  expect(calm).toBeGreaterThan(0.8 * CALM_PACE);
  expect(calm).toBeLessThanOrEqual(CALM_PACE);
});
