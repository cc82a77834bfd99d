import { expect, test } from 'vitest';
import { failOnLeaks } from '../fixtures/leaks.ts';
import { canTrace } from '../fixtures/machine.ts';
import { cutPower, LOG_FILE, WITHOUT_SYNC } from '../fixtures/power-cut.ts';
import type { Step } from '../fixtures/traced-disk.ts';

/*
 * That an answer waits for its fsync, which no kill can show: the order of
 * system calls does, and what a power cut leaves. More seeds in test/faults.
 */

failOnLeaks();

const CAPTURES = 20;
const isTraceable = canTrace();

/** For each 2xx but the first: what happened to the log between it and the one before. */
function beforeEach2xx(steps: Step[]): string[][] {
  const all: string[][] = [[]];
  for (const step of steps) {
    if (step.kind === 'acknowledge') all.push([]);
    else if (step.file === LOG_FILE && all.at(-1)?.at(-1) !== step.kind)
      all.at(-1)?.push(step.kind);
  }
  return all.slice(1, -1);
}

test.skipIf(!isTraceable)('one after the other: written, synced, answered', async () => {
  const cut = await cutPower(1, { senders: 1, delivers: false, enough: CAPTURES });
  const between = beforeEach2xx(cut.steps);
  expect(between.length).toBeGreaterThanOrEqual(CAPTURES - 1);
  for (const calls of between) expect(calls).toEqual(['write', 'sync']);
  expect({ early: cut.early, lost: cut.lost }).toEqual({ early: 0, lost: 0 });
});

test.skipIf(!isTraceable)('many at once, which share their commits: nothing is lost', async () => {
  const cut = await cutPower(2, { enough: 60 });
  expect({ early: cut.early, lost: cut.lost }).toEqual({ early: 0, lost: 0 });
});

test.skipIf(!isTraceable)('the control: without the sync, both find it', async () => {
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
