import { expect, inject, test } from 'vitest';
import { canTrace } from '../fixtures/machine.ts';
import { cutPower, WITHOUT_SYNC } from '../fixtures/power-cut.ts';
import { report } from './report.ts';

/* Many power cuts; a few are in test/e2e/power-cut.slow.test.ts. */

const { powerCuts } = inject('scale');
const isTraceable = canTrace();

test.skipIf(!isTraceable)('a power loss loses nothing acknowledged', async () => {
  const sums = { acknowledged: 0, log_syncs: 0 };
  for (let seed = 1; seed <= powerCuts; seed++) {
    const cut = await cutPower(seed);
    expect({ seed, early: cut.early, lost: cut.lost }).toEqual({ seed, early: 0, lost: 0 });
    sums.acknowledged += cut.acknowledged.size;
    sums.log_syncs += cut.syncs;
  }
  report('power cuts', { cuts: powerCuts, ...sums, acknowledged_before_sync: 0, lost: 0 });
});

test.skipIf(!isTraceable)('the control without the sync finds the loss', async () => {
  // So few that the log isn't checkpointed: a checkpoint would sync it.
  const cut = await cutPower(1, { env: WITHOUT_SYNC, enough: 40 });
  expect(cut.early).toBeGreaterThan(0);
  expect(cut.lost).toBeGreaterThan(0);
  report('power cut, control with synchronous=NORMAL', {
    acknowledged: cut.acknowledged.size,
    log_syncs: cut.syncs,
    acknowledged_before_sync: cut.early,
    lost: cut.lost,
  });
});
