import { expect, onTestFinished, test } from 'vitest';
import { createSilenceLoop } from '../../../src/maintenance/issues/silence-loop.ts';
import type { IssueStore } from '../../../src/store/contract/issues.ts';
import { failOnLeaks } from '../../fixtures/leaks.ts';
import { ManualClock } from '../../fixtures/manual-clock.ts';
import { silentLog } from '../../fixtures/silent-log.ts';
import { until } from '../../fixtures/until.ts';
import { openMaintenanceStore } from '../maintenance-store.ts';

failOnLeaks();

const HOUR_MS = 3_600_000;
/** Longer than a round waits, and shorter than a gap. */
const STEP_MS = 1000;
const EVERY_MS = 20_000;

/** A loop on a clock that moves only on request. */
async function setup() {
  const held = await openMaintenanceStore();
  const clock = new ManualClock();
  const { issues } = held.store;
  const counts = { looks: 0, beats: 0 };
  const loop = createSilenceLoop({
    issues: new Proxy(issues, {
      get(store, name: keyof IssueStore) {
        if (name === 'expectations') counts.looks++;
        if (name === 'heartbeat') counts.beats++;
        const method = store[name] as (...args: never[]) => unknown;
        return method.bind(store);
      },
    }),
    clock,
    log: silentLog,
  });
  onTestFinished(() => loop.stop());
  /** Moves time, and waits for a whole round. */
  const step = async (ms = STEP_MS) => {
    const before = counts.looks;
    clock.advance(ms);
    await until('a look', () => counts.looks > before + 1);
  };
  const endpoint = await held.addEndpoint();
  const expects = (everyMs: number | null) =>
    held.store.endpoints.update(endpoint.key, { expect: { everyMs, now: clock.now() } });
  return {
    ...held,
    clock,
    loop,
    counts,
    step,
    expects,
    open: () => issues.openOf('silence', 0, 10),
  };
}

test('a jump of the clock is no silence; as long as expected after it is', async () => {
  const it = await setup();
  await it.expects(EVERY_MS);
  it.loop.start();
  await it.step();
  await it.step();
  it.clock.jump(HOUR_MS);
  await it.step();
  await it.step();
  expect(await it.open()).toEqual([]);
  it.clock.jump(-2 * HOUR_MS);
  await it.step();
  await it.step();
  expect(await it.open()).toEqual([]);
});

test('silence is noticed within a second', async () => {
  const it = await setup();
  await it.expects(EVERY_MS);
  it.loop.start();
  const begin = it.clock.now();
  let issues = await it.open();
  while (issues.length === 0) {
    await it.step(500);
    issues = await it.open();
  }
  expect(it.clock.now() - begin).toBeGreaterThan(EVERY_MS);
  expect(it.clock.now() - begin).toBeLessThanOrEqual(EVERY_MS + 1000);
});
