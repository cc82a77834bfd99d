import { expect, onTestFinished, test } from 'vitest';
import { SilenceLoop } from '../../../src/maintenance/issues/silence-loop.ts';
import type { AppendResult } from '../../../src/store/contract/events.ts';
import type { IssueStore } from '../../../src/store/contract/issues.ts';
import { failOnLeaks } from '../../fixtures/leaks.ts';
import { ManualClock } from '../../fixtures/manual-clock.ts';
import { silentLog } from '../../fixtures/silent-log.ts';
import { until } from '../../fixtures/until.ts';
import { settingsPatch } from '../../store/conformance/world.ts';
import { openMaintenanceStore } from '../maintenance-store.ts';

failOnLeaks();

const HOUR_MS = 3_600_000;
/** Longer than a round waits, and shorter than a gap. */
const STEP_MS = 1000;
const EVERY_MS = 20_000;
/** So many that the next round is 4 s away. */
const MANY_PLACES = 2000;

/** A loop on a clock that moves only on request. */
async function setup() {
  const held = await openMaintenanceStore();
  const clock = new ManualClock();
  const { issues } = held.store;
  const counts = { looks: 0, beats: 0, ticks: 0, refused: 0 };
  let refusals = 0;
  const loop = new SilenceLoop({
    issues: new Proxy(issues, {
      get(store, name: keyof IssueStore) {
        if (name === 'expectations') counts.looks++;
        if (name === 'heartbeat') counts.beats++;
        if (name === 'save' && refusals > 0) {
          refusals--;
          counts.refused++;
          return async () => false;
        }
        const method = store[name] as (...args: never[]) => unknown;
        return method.bind(store);
      },
    }),
    clock: {
      now: () => clock.now(),
      monotonic() {
        counts.ticks++;
        return clock.monotonic();
      },
    },
    log: silentLog,
  });
  onTestFinished(() => loop.stop());
  /** Moves time, and has the loop look at it until `count` is two more: what is due is done. */
  const advance = async (ms: number, count: 'looks' | 'ticks') => {
    const before = counts[count];
    clock.advance(ms);
    await until(`two more ${count}`, () => {
      loop.wake();
      return counts[count] > before + 1;
    });
  };
  /** Moves time, and waits for a whole round. */
  const step = (ms = STEP_MS) => advance(ms, 'looks');
  /** Moves time, and waits until the loop has done what is due then. */
  const tick = (ms: number) => advance(ms, 'ticks');
  const endpoint = await held.addEndpoint();
  const expects = (everyMs: number | null, { key } = endpoint) =>
    held.store.endpoints.update(key, settingsPatch({ expect_every: everyMs }, clock.now()));
  const expectsMany = async () => {
    const one = await held.addEndpoint();
    await expects(HOUR_MS, one);
    held.copyEndpoint(one, MANY_PLACES - 1);
  };
  return {
    ...held,
    clock,
    loop,
    counts,
    step,
    tick,
    endpoint,
    expects,
    expectsMany,
    /** As if another node were faster, once. */
    refuseSave: () => {
      refusals = 1;
    },
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
  const everyMs = 5000;
  await it.expects(everyMs);
  it.loop.start();
  const begin = it.clock.now();
  let issues = await it.open();
  while (issues.length === 0) {
    await it.step(500);
    issues = await it.open();
  }
  expect(it.clock.now() - begin).toBeGreaterThan(everyMs);
  expect(it.clock.now() - begin).toBeLessThanOrEqual(everyMs + 1000);
});

test('silence is noticed within a second among thousands of expectations, and ends with an event', async () => {
  const it = await setup();
  await it.expectsMany();
  await it.expects(1000);
  it.loop.start();
  await it.tick(0);
  for (let ms = 0; ms < 1600; ms += 400) await it.tick(400);
  expect(await it.open()).toMatchObject([{ endpointKey: it.endpoint.key }]);
  const looks = it.counts.looks;
  await it.capture(it.endpoint, [it.clock.now()]);
  const event = { stored: true, endpointKey: it.endpoint.key } as AppendResult;
  it.loop.onCommitted([event]);
  await it.tick(0);
  expect(await it.open()).toEqual([]);
  // The next one too.
  for (let ms = 0; ms < 1600; ms += 400) await it.tick(400);
  expect(await it.open()).toHaveLength(1);
  expect(it.counts.looks).toBe(looks);
});

test('a changed expectation counts at once among thousands', async () => {
  const it = await setup();
  await it.expectsMany();
  await it.expects(HOUR_MS);
  it.loop.start();
  await it.tick(0);
  await it.expects(1000);
  it.loop.mayHaveChanged(it.endpoint.key);
  await it.tick(0);
  for (let ms = 0; ms < 1600; ms += 400) await it.tick(400);
  expect(await it.open()).toMatchObject([{ endpointKey: it.endpoint.key }]);
  await it.expects(null);
  it.loop.mayHaveChanged(it.endpoint.key);
  await it.tick(0);
  expect(await it.open()).toEqual([]);
});

test('a round finds the expectation that another node has set', async () => {
  const it = await setup();
  await it.expectsMany();
  it.loop.start();
  await it.tick(0);
  await it.expects(EVERY_MS);
  for (let ms = 0; ms < EVERY_MS; ms += 4000) await it.tick(4000);
  expect(await it.open()).toEqual([]);
  await it.tick(500);
  expect(await it.open()).toMatchObject([{ endpointKey: it.endpoint.key }]);
});

test('a look that the store refuses comes again', async () => {
  const it = await setup();
  await it.expectsMany();
  await it.expects(1000);
  it.refuseSave();
  it.loop.start();
  await it.tick(0);
  for (let ms = 0; ms < 1600; ms += 400) await it.tick(400);
  await it.tick(0);
  expect(await it.open()).toHaveLength(1);
  expect(it.counts.refused).toBe(1);
});
