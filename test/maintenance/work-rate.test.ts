import { expect, test } from 'vitest';
import { WorkRate } from '../../src/maintenance/work-rate.ts';
import { ManualClock } from '../fixtures/manual-clock.ts';

test('counts a recent second, and ends two seconds after the last work', () => {
  const clock = new ManualClock();
  const rate = new WorkRate(clock);
  expect(rate.perSecond).toBe(0);
  rate.add(3);
  expect(rate.perSecond).toBe(3);
  clock.advance(1000);
  rate.add(1);
  expect(rate.perSecond).toBe(3);
  clock.advance(1000);
  expect(rate.perSecond).toBe(1);
  clock.advance(1000);
  expect(rate.perSecond).toBe(0);
  rate.add(2);
  clock.advance(5000);
  expect(rate.perSecond).toBe(0);
});
