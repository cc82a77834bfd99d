import { expect, test } from 'vitest';
import { failOnLeaks } from '../fixtures/leaks.ts';
import { canTrace } from '../fixtures/machine.ts';
import { beforeEach2xx, cutPower, WITHOUT_SYNC } from '../fixtures/power-cut.ts';

/*
 * That an answer waits for its fsync, which no kill can show: the order of
 * system calls does, and what a power cut leaves. More in test/faults.
 */

failOnLeaks();

const CAPTURES = 20;
const isTraceable = canTrace();

test.skipIf(!isTraceable)(
  'captures one after the other are written, synced, answered',
  async () => {
    const cut = await cutPower(1, { senders: 1, delivers: false, enough: CAPTURES });
    const between = beforeEach2xx(cut.steps);
    expect(between.length).toBeGreaterThanOrEqual(CAPTURES - 1);
    for (const calls of between) expect(calls).toEqual(['write', 'sync']);
    expect({ early: cut.early, lost: cut.lost }).toEqual({ early: 0, lost: 0 });
  },
);

test.skipIf(!isTraceable)('concurrent captures that share commits lose nothing', async () => {
  const cut = await cutPower(2, { enough: 60 });
  expect({ early: cut.early, lost: cut.lost }).toEqual({ early: 0, lost: 0 });
});

test.skipIf(!isTraceable)('the control without sync finds the loss in both', async () => {
  const cut = await cutPower(1, {
    env: WITHOUT_SYNC,
    senders: 1,
    delivers: false,
    enough: CAPTURES,
  });
  expect(beforeEach2xx(cut.steps).flat()).not.toContain('sync');
  expect(cut.early).toBeGreaterThanOrEqual(cut.acknowledged.size);
  expect(cut.lost).toBeGreaterThan(0);
});
