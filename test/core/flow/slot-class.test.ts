import { describe, expect, test } from 'vitest';
import {
  hasManySlots,
  IN_TIME,
  nextSlotClass,
  type SlotClass,
  slotsFor,
  TIMED_OUT,
  UNTRIED,
} from '../../../src/core/flow/slot-class.ts';

const inTime = { timedOut: false };
const timedOut = { timedOut: true };

describe('nextHealth', () => {
  test.each<[SlotClass, typeof inTime, SlotClass]>([
    [UNTRIED, inTime, IN_TIME],
    [UNTRIED, timedOut, TIMED_OUT],
    [IN_TIME, inTime, IN_TIME],
    [IN_TIME, timedOut, TIMED_OUT],
    [TIMED_OUT, inTime, IN_TIME],
    [TIMED_OUT, timedOut, TIMED_OUT],
  ])('%j, after %j: %j', (health, outcome, next) => {
    expect(nextSlotClass(health, outcome)).toEqual(next);
  });

  test('an unchanged health is the same object', () => {
    const copy = structuredClone(TIMED_OUT);
    expect(nextSlotClass(copy, timedOut)).toBe(copy);
    expect(nextSlotClass(copy, inTime)).not.toBe(copy);
  });
});

test('a healthy destination gets all slots of a destination, any other gets one', () => {
  const most = 16;
  expect([UNTRIED, IN_TIME, TIMED_OUT].map((health) => slotsFor(health, most))).toEqual([1, 16, 1]);
  expect([UNTRIED, IN_TIME, TIMED_OUT].map(hasManySlots)).toEqual([false, true, false]);
  expect(slotsFor(structuredClone(IN_TIME), most)).toBe(16);
});
