import { expect, test } from 'vitest';
import { failOnLeaks } from '../fixtures/leaks.ts';
import { canTrace } from '../fixtures/machine.ts';
import { beforeEach2xx, cutPower } from '../fixtures/power-cut.ts';

/*
 * No kill can show that an answer waits for its fsync. The order of system calls
 * does, and the state after a power cut. More in power-cut.slow.test.ts and
 * test/faults.
 */

failOnLeaks();

const CAPTURES = 20;
const isTraceable = canTrace();

test.skipIf(!isTraceable)('sequential captures are written, synced, then answered', async () => {
  const cut = await cutPower(1, { senders: 1, delivers: false, enough: CAPTURES });
  const between = beforeEach2xx(cut.steps);
  expect(between.length).toBeGreaterThanOrEqual(CAPTURES - 1);
  for (const calls of between) expect(calls).toEqual(['write', 'sync']);
  expect({ early: cut.early, lost: cut.lost }).toEqual({ early: 0, lost: 0 });
});
