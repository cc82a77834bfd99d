import { expect, test } from 'vitest';
import type { Issue } from '../../../src/core/issues/issue.ts';
import { systemClock } from '../../../src/core/runtime/runtime.ts';
import { AttemptKeeper } from '../../../src/maintenance/issues/attempt-keeper.ts';
import { failOnLeaks } from '../../fixtures/leaks.ts';
import { type MaintenanceStore, openMaintenanceStore } from '../maintenance-store.ts';

failOnLeaks();

const LATER_MS = 1000;

async function setup() {
  const held = await openMaintenanceStore();
  const { issues } = held.store;
  const keeper = () => new AttemptKeeper(issues, systemClock);
  const all = () =>
    issues.byDestinations(
      Array.from({ length: 50 }, (_, i) => i + 1),
      ['delivery', 'alert'],
    );
  return { ...held, keeper, all };
}

async function run(keeper: AttemptKeeper): Promise<void> {
  while (await keeper.slice());
}

const only = (issues: readonly Issue[]): Issue => {
  expect(issues).toHaveLength(1);
  return issues[0] as Issue;
};

/** Captures events, each with one delivery that is due now. */
async function events(it: MaintenanceStore, count: number, destinations = 1): Promise<string[]> {
  const endpoint = await it.addEndpoint(destinations);
  return it.capture(
    endpoint,
    Array.from({ length: count }, () => Date.now()),
  );
}

test('a failure and the success after it in one slice leave nothing', async () => {
  const it = await setup();
  const now = Date.now();
  await events(it, 1);
  await it.settleDue(now, { state: 'pending', nextAttemptAt: now + LATER_MS });
  await it.settleDue(now + LATER_MS, { state: 'succeeded' });
  await run(it.keeper());
  expect(await it.all()).toEqual([]);
});

test('five events in a row that fail over a minute open an issue, by however many servers', async () => {
  const it = await setup();
  const now = Date.now();
  const endpoint = await it.addEndpoint(1);
  const failed: string[] = [];
  for (let i = 0; i < 5; i++) {
    expect((await it.all()).filter(({ state }) => state !== 'forming')).toEqual([]);
    const at = now + i * 15_000;
    failed.unshift(...(await it.capture(endpoint, [at])));
    const again = { state: 'pending', nextAttemptAt: now + 3_600_000 } as const;
    await it.settleDue(at, again, i % 2 === 0 ? 400 : 503);
    await run(it.keeper());
  }
  const open = (await it.all()).filter(({ state }) => state === 'open');
  expect(only(open)).toMatchObject({
    ...{ subject: 'http_400', count: 3, eventIds: [failed[0], failed[2], failed[4]] },
  });
});

test('a death and a success after it in one slice resolve', async () => {
  const it = await setup();
  const now = Date.now();
  const endpoint = await it.addEndpoint(1);
  const [dead] = await it.capture(endpoint, [now]);
  await it.settleDue(now, { state: 'dead' });
  await it.capture(endpoint, [now]);
  await it.settleDue(now, { state: 'succeeded' });
  await run(it.keeper());
  expect(only(await it.all())).toMatchObject({
    ...{ state: 'resolved', subject: 'http_500', count: 1, eventIds: [dead], notifyAt: null },
  });
});

test('an idle destination closes nothing before the facts are read as far', async () => {
  const it = await setup();
  const { issues } = it.store;
  const now = Date.now();
  const endpoint = await it.addEndpoint(1);
  for (const state of ['dead', 'succeeded'] as const) {
    await it.capture(endpoint, [now]);
    await it.settleDue(now, { state });
  }
  // As on PostgreSQL, where an attempt with a smaller number isn't committed yet.
  let behind = 1;
  const lagging: ConstructorParameters<typeof AttemptKeeper>[0] = {
    cursor: (name) => issues.cursor(name),
    closing: (afterKey, limit) => issues.closing(afterKey, limit),
    idle: async (keys) => {
      const { destinations, upTo } = await issues.idle(keys);
      return { destinations, upTo: upTo + behind };
    },
    attemptFacts: (after, limit) => issues.attemptFacts(after, limit),
    byDestinations: (keys, kinds) => issues.byDestinations(keys, kinds),
    save: (fold) => issues.save(fold),
  };
  const keeper = new AttemptKeeper(lagging, systemClock);
  for (let i = 0; i < 5; i++) await keeper.slice();
  expect(only(await it.all())).toMatchObject({ state: 'open', successes: 1 });
  behind = 0;
  await run(keeper);
  expect(only(await it.all())).toMatchObject({ state: 'resolved' });
});

test('more failures than a slice holds are all counted, once, also by the next server', async () => {
  const it = await setup();
  await events(it, 1200);
  await it.settleDue(Date.now() + LATER_MS, { state: 'dead' });
  await run(it.keeper());
  expect(only(await it.all())).toMatchObject({ state: 'open', count: 1200 });
  await run(it.keeper());
  expect(only(await it.all()).count).toBe(1200);
});

test('nodes at the same time count each failure once', async () => {
  const it = await setup();
  await events(it, 700, 3);
  await it.settleDue(Date.now() + LATER_MS, { state: 'dead' });
  await Promise.all([it.keeper(), it.keeper(), it.keeper()].map(run));
  expect((await it.all()).map(({ state, count }) => [state, count])).toEqual([
    ['open', 700],
    ['open', 700],
    ['open', 700],
  ]);
});

test('nodes at the same time keep twenty codes of a destination, the same ones as one would', async () => {
  const it = await setup();
  const endpoint = await it.addEndpoint(1);
  const statuses = Array.from({ length: 60 }, (_, i) => 400 + ((i * 7) % 40));
  for (const status of statuses) {
    await it.capture(endpoint, [Date.now()]);
    await it.settleDue(Date.now() + LATER_MS, { state: 'dead' }, status);
  }
  await Promise.all([it.keeper(), it.keeper(), it.keeper()].map(run));
  const expected = new Map<string, number>();
  for (const status of statuses) {
    const own = `http_${status}`;
    const subject = expected.has(own) || expected.size < 20 ? own : 'other';
    expected.set(subject, (expected.get(subject) ?? 0) + 1);
  }
  const found = (await it.all()).map(({ subject, count }) => [subject, count] as const);
  expect(new Map(found)).toEqual(expected);
  expect(found).toHaveLength(21);
});

test('an issue closes when the last delivery is cancelled after a success', async () => {
  const it = await setup();
  const now = Date.now();
  const endpoint = await it.addEndpoint(1);
  await it.capture(endpoint, [now]);
  await it.settleDue(now, { state: 'dead' });
  await it.capture(endpoint, [now]);
  await it.settleDue(now, { state: 'succeeded' });
  const [waiting = ''] = await it.capture(endpoint, [now]);
  const keeper = it.keeper();
  await run(keeper);
  expect(only(await it.all())).toMatchObject({ state: 'open', successes: 1 });
  await it.store.events.remove(endpoint.key, waiting);
  await run(keeper);
  expect(only(await it.all())).toMatchObject({ state: 'resolved' });
});

test('more issues than a look reads stop no fold', async () => {
  const it = await setup();
  const { issues } = it.store;
  const endpoint = await it.addEndpoint(4);
  const fail = async () => {
    await it.capture(endpoint, [Date.now()]);
    await it.settleDue(Date.now() + LATER_MS, { state: 'dead' });
  };
  await fail();
  await run(it.keeper());
  const resolved = (await it.all()).map((issue) => ({ ...issue, state: 'resolved' as const }));
  expect(await issues.save({ added: [], changed: resolved, dropped: [] })).toBe(true);
  await fail();
  // The look leaves out all issues but one, as where there are too many.
  const narrow: ConstructorParameters<typeof AttemptKeeper>[0] = {
    cursor: (name) => issues.cursor(name),
    closing: (afterKey, limit) => issues.closing(afterKey, limit),
    idle: (keys) => issues.idle(keys),
    attemptFacts: (after, limit) => issues.attemptFacts(after, limit),
    byDestinations: async (keys, kinds) => (await issues.byDestinations(keys, kinds)).slice(0, 1),
    save: (fold) => issues.save(fold),
  };
  await run(new AttemptKeeper(narrow, systemClock));
  const all = await it.all();
  expect(all.map(({ state, count }) => [state, count])).toEqual(resolved.map(() => ['open', 1]));
  expect(all).toHaveLength(4);
});
