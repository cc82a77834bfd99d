import { describe, expect, test } from 'vitest';
import {
  type DestinationHealth,
  FAILING,
  HEALTHY,
  isHealthy,
  nextHealth,
  slotsFor,
  UNTRIED,
} from '../../../src/core/flow/slot-class.ts';

const inTime = { timedOut: false };
const timedOut = { timedOut: true };

describe('nextHealth', () => {
  test.each<[DestinationHealth, typeof inTime, DestinationHealth]>([
    [UNTRIED, inTime, HEALTHY],
    [UNTRIED, timedOut, FAILING],
    [HEALTHY, inTime, HEALTHY],
    [HEALTHY, timedOut, FAILING],
    [FAILING, inTime, HEALTHY],
    [FAILING, timedOut, FAILING],
  ])('%j, after %j: %j', (health, outcome, next) => {
    expect(nextHealth(health, outcome)).toEqual(next);
  });

  test('an unchanged health is the same object', () => {
    const copy = structuredClone(FAILING);
    expect(nextHealth(copy, timedOut)).toBe(copy);
    expect(nextHealth(copy, inTime)).not.toBe(copy);
  });
});

test('a healthy destination gets all slots of a destination, any other gets one', () => {
  const most = 16;
  expect([UNTRIED, HEALTHY, FAILING].map((health) => slotsFor(health, most))).toEqual([1, 16, 1]);
  expect([UNTRIED, HEALTHY, FAILING].map(isHealthy)).toEqual([false, true, false]);
  expect(slotsFor(structuredClone(HEALTHY), most)).toBe(16);
});
