import { expect, test } from 'vitest';
import type { Endpoint } from '../../../src/core/model.ts';
import type { Expectation } from '../../../src/store/contract/issues.ts';
import {
  clearedWorlds,
  newWorld,
  type OpenStore,
  only,
  settingsPatch,
  type World,
  withSettings,
} from './world.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const GAP_MS = 10_000;

const expectations = (world: World) => world.store.issues.expectations(0, 1000);

/** Since when an endpoint's silence counts: its expectation, or its last event. */
function silentSince({ expectedSince, lastEvent }: Expectation): number {
  return Math.max(expectedSince, lastEvent?.receivedAt ?? 0);
}

export function expectationConformance(open: OpenStore): void {
  const begin = clearedWorlds(open);

  test('an endpoint expects events from its creation on, also after a restart', async () => {
    const world = await begin();
    const endpoint = await world.endpoint({ expect_every: 15 * MINUTE_MS });
    await world.endpoint();
    expect(endpoint.settings.expect_every).toBe(15 * MINUTE_MS);
    const check = async () => {
      expect(await world.store.endpoints.find(endpoint.userId, endpoint.id)).toEqual(endpoint);
      expect(await expectations(world)).toEqual([
        {
          ...{ endpointKey: endpoint.key, userId: endpoint.userId, lastEvent: null },
          ...{ expectEveryMs: 15 * MINUTE_MS, expectedSince: world.now },
        },
      ]);
    };
    await check();
    await world.reopen();
    await check();
  });

  test('an update sets the time and where it starts, or ends it, and changes nothing else', async () => {
    const world = await begin();
    const endpoint = await world.endpoint({ name: 'orders' });
    const { endpoints } = world.store;
    const update = (patch: Parameters<typeof endpoints.update>[1]) =>
      endpoints.update(endpoint.key, patch) as Promise<Endpoint>;
    const since = world.now + 5;
    expect(await update(settingsPatch({ expect_every: 1000 }, since))).toEqual(
      withSettings(endpoint, { expect_every: 1000 }),
    );
    expect(only(await expectations(world))).toMatchObject({ expectedSince: since });
    expect(await update(settingsPatch({ name: 'b', expect_every: 1000 }, since + 1))).toMatchObject(
      {
        settings: { name: 'b', expect_every: 1000 },
      },
    );
    expect(only(await expectations(world))).toMatchObject({ expectedSince: since });
    await update(settingsPatch({ expect_every: 2000 }, since + 7));
    expect(only(await expectations(world))).toMatchObject({
      ...{ expectEveryMs: 2000, expectedSince: since + 7 },
    });
    expect(await update(settingsPatch({ expect_every: null }, since + 8))).toMatchObject({
      settings: { expect_every: null, on_unjudged: 'deliver' },
    });
    expect(await expectations(world)).toEqual([]);
  });

  test('the last event is the one received last; pages go by endpoint', async () => {
    const world = await begin();
    const first = await world.endpoint({ expect_every: 1000 });
    const second = await world.endpoint({ expect_every: 1000 });
    const deleted = await world.endpoint({ expect_every: 1000 });
    const plain = await world.endpoint();
    await world.event(first, { receivedAt: world.now + 9 });
    const newest = await world.event(first, { receivedAt: world.now + 20 });
    await world.event(first, { receivedAt: world.now + 15 });
    await world.store.endpoints.remove(deleted.key, world.now);
    const found = await expectations(world);
    expect(found).toMatchObject([
      {
        endpointKey: first.key,
        lastEvent: { id: newest.id, receivedAt: newest.receivedAt },
      },
      { endpointKey: second.key, lastEvent: null },
    ]);
    expect(await world.store.issues.expectations(0, 1)).toEqual(found.slice(0, 1));
    expect(await world.store.issues.expectations(first.key, 1)).toEqual(found.slice(1));
    expect(await world.store.issues.expectations(second.key, 1)).toEqual([]);
    const keys = [second.key, deleted.key, first.key, plain.key];
    expect(await world.store.issues.expectationsOf(keys)).toEqual(found);
    expect(await world.store.issues.expectationsOf([second.key])).toEqual(found.slice(1));
    expect(await world.store.issues.expectationsOf([])).toEqual([]);
  });

  test('an event that is deleted or expires still ended the silence', async () => {
    const world = await begin();
    const endpoint = await world.endpoint({ expect_every: HOUR_MS });
    const other = await world.endpoint({ expect_every: HOUR_MS });
    const event = await world.event(endpoint, { receivedAt: world.now + MINUTE_MS });
    const expired = await world.event(other, { receivedAt: world.now + MINUTE_MS });
    await world.store.events.remove(endpoint.key, event.id);
    const before = expired.receivedAt + 1;
    while ((await world.store.upkeep.retireSlice({ before }, 100)).more);
    const found = await expectations(world);
    expect(found.map((one) => [one.lastEvent, silentSince(one)])).toEqual([
      [null, event.receivedAt],
      [null, expired.receivedAt],
    ]);
  });

  test('a time without a server counts for no silence', async () => {
    const world = await newWorld(open);
    const start = world.now;
    const quiet = await world.endpoint({ expect_every: HOUR_MS });
    const busy = await world.endpoint({ expect_every: HOUR_MS });
    const plain = await world.endpoint();
    await world.event(busy, { receivedAt: start + 5 * MINUTE_MS });
    const beat = (now: number) => world.store.issues.heartbeat(now, GAP_MS);
    const since = async () => {
      const found = await expectations(world);
      return [quiet, busy].map(({ key }) =>
        silentSince(found.find(({ endpointKey }) => endpointKey === key) as Expectation),
      );
    };
    expect(await beat(start)).toEqual({ before: null });
    // Up all the time: nothing moves, at most by a gap that is too short to count.
    expect(await beat(start + GAP_MS)).toEqual({ before: start });
    const last = start + 20 * MINUTE_MS;
    for (let now = start + 2 * GAP_MS; now <= last; now += GAP_MS) await beat(now);
    expect(await since()).toEqual([start, start + 5 * MINUTE_MS]);
    await world.reopen();
    // Down for half an hour.
    const back = last + 30 * MINUTE_MS;
    expect(await beat(back)).toEqual({ before: last });
    expect(await since()).toEqual([start + 30 * MINUTE_MS, start + 35 * MINUTE_MS]);
    // The clock went back: no time is counted twice.
    expect(await beat(back - HOUR_MS)).toEqual({ before: back });
    expect(await since()).toEqual([start + 30 * MINUTE_MS, start + 35 * MINUTE_MS]);
    const found = await world.store.endpoints.find(plain.userId, plain.id);
    expect(found).toMatchObject({ settings: { expect_every: null } });
    expect(await expectations(world)).toHaveLength(2);
  });

  test('what was set during such a time starts at its end, never later', async () => {
    const world = await begin();
    const start = world.now;
    await world.store.issues.heartbeat(start, GAP_MS);
    await world.endpoint({ expect_every: HOUR_MS, createdAt: start + 20 * MINUTE_MS });
    const now = start + 30 * MINUTE_MS;
    await world.store.issues.heartbeat(now, GAP_MS);
    expect(only(await expectations(world))).toMatchObject({ expectedSince: now });
  });
}
