import { expect, test } from 'vitest';
import { newId } from '../../../src/core/ids.ts';
import type { Delivery, Endpoint, EventSummary } from '../../../src/core/model.ts';
import type { EventFilter } from '../../../src/store/contract/events.ts';
import { MANY } from '../../fixtures/many.ts';
import { clearedWorlds, type OpenStore, only, type World } from './world.ts';

/** Returns the number of matching events. */
async function startJob(
  world: World,
  endpoint: Endpoint,
  filter: EventFilter = {},
  most = MANY,
): Promise<number> {
  world.now += 1;
  const job = { id: newId('job', world.now), endpointKey: endpoint.key, filter, now: world.now };
  return (await world.store.replays.startJob(job, most)).matching;
}

/** A slice of `events` events, however many deliveries they have. */
const slice = (events: number) => ({ events, deliveries: MANY });

/** Works off all jobs and returns the number of slices. */
async function workOff(world: World, maxEvents: number): Promise<number> {
  let slices = 0;
  while (await world.store.replays.workOff(world.now, slice(maxEvents))) {
    slices++;
    if (slices > 1000) throw new Error('the jobs never end');
  }
  return slices;
}

/** The one open delivery of each event. */
async function deliveriesOf(world: World, events: readonly EventSummary[]): Promise<Delivery[]> {
  const all = [];
  for (const { seq } of events) all.push(only(await world.store.events.deliveries(seq, world.now)));
  return all;
}

const replayedOf = async (world: World, events: readonly EventSummary[]) =>
  (await deliveriesOf(world, events)).map(({ trigger }) => trigger === 'replay');

/** An endpoint with a destination and `count` delivered events. */
async function deliveredEvents(world: World, count: number, userId?: string) {
  const endpoint = await world.endpoint(userId === undefined ? {} : { userId });
  const destination = await world.destination(endpoint);
  const events = await world.events(
    endpoint,
    Array.from({ length: count }, (_, i) => ({
      body: `{"n":"caf\\u00e9 ${i}"}`,
      method: i % 2 ? 'PUT' : 'POST',
      receivedAt: world.now + ((i * 7) % count),
    })),
  );
  world.now += 1000;
  for (const claim of await world.claimDue()) await world.settle(claim, 'succeeded');
  return { endpoint, destination, events };
}

export function replayJobConformance(open: OpenStore): void {
  const begin = clearedWorlds(open);

  test('a job replays every event once, slice by slice', async () => {
    const world = await begin();
    const { endpoint, destination, events } = await deliveredEvents(world, 10);
    expect(await startJob(world, endpoint)).toBe(10);
    const ids = new Set<string>();
    for (;;) {
      const worked = await world.store.replays.workOff(world.now, slice(3));
      if (!worked) break;
      for (const delivery of await deliveriesOf(world, events)) {
        if (delivery.trigger === 'replay') ids.add(delivery.id);
      }
      // The set has only this slice's destinations.
      if (worked.unclaimed.size > 0) expect(worked.unclaimed).toEqual(new Set([destination.key]));
    }
    // A second replay of an event would have superseded the first with a new delivery.
    expect(ids.size).toBe(10);
    expect(await replayedOf(world, events)).toEqual(Array(10).fill(true));
    const claims = await world.claimDue();
    expect(claims).toHaveLength(10);
    expect(claims.every(({ trigger }) => trigger === 'replay')).toBe(true);
    expect(await world.store.replays.workOff(world.now, slice(3))).toBeNull();
  });

  test('a slice replays at most its limit of events', async () => {
    const world = await begin();
    const { endpoint, events } = await deliveredEvents(world, 5);
    await startJob(world, endpoint);
    await world.store.replays.workOff(world.now, slice(2));
    expect((await replayedOf(world, events)).filter(Boolean)).toHaveLength(2);
  });

  const filters: [string, (events: EventSummary[]) => EventFilter, (i: number) => boolean][] = [
    ['method', () => ({ method: 'PUT' }), (i) => i % 2 === 1],
    ['text', () => ({ q: 'café 1' }), (i) => i === 1 || i >= 10],
    ['time', (events) => ({ from: events[3]?.receivedAt as number }), (i) => (i * 7) % 12 >= 9],
    ['text and method', () => ({ q: 'caf\\u00e9 1', method: 'PUT' }), (i) => [1, 11].includes(i)],
    ['status, none', () => ({ status: 'failed' }), () => false],
    ['status, all', () => ({ status: 'delivered' }), () => true],
  ];
  test.each(filters)('a job replays what matches: %s', async (_, filterOf, isMatch) => {
    const world = await begin();
    const { endpoint, events } = await deliveredEvents(world, 12);
    const expected = events.map((_, i) => isMatch(i));
    const filter = filterOf(events);
    const matching = expected.filter(Boolean).length;
    expect(await world.store.replays.count(endpoint.key, filter)).toBe(matching);
    expect(await startJob(world, endpoint, filter)).toBe(matching);
    await workOff(world, 2);
    expect(await replayedOf(world, events)).toEqual(expected);
  });

  test('events captured after a job started are not replayed', async () => {
    const world = await begin();
    const { endpoint, events } = await deliveredEvents(world, 4);
    await startJob(world, endpoint);
    const later = [await world.event(endpoint, { receivedAt: 1 })];
    await world.store.replays.workOff(world.now, slice(2));
    later.push(await world.event(endpoint));
    await workOff(world, 2);
    expect(await replayedOf(world, events)).toEqual([true, true, true, true]);
    expect(await replayedOf(world, later)).toEqual([false, false]);
  });

  test('a job continues after a restart, with no event skipped or repeated', async () => {
    const world = await begin();
    const { endpoint, events } = await deliveredEvents(world, 6);
    await startJob(world, endpoint, { q: 'café' });
    await world.reopen();
    await world.store.replays.workOff(world.now, slice(2));
    const before = await deliveriesOf(world, events);
    await world.reopen();
    await workOff(world, 2);
    const after = await deliveriesOf(world, events);
    expect(after.every(({ trigger }) => trigger === 'replay')).toBe(true);
    for (const [i, { id, trigger }] of before.entries()) {
      if (trigger === 'replay') expect(after[i]?.id).toBe(id);
    }
    expect(before.filter(({ trigger }) => trigger === 'replay')).toHaveLength(2);
  });

  test('two concurrent workers replay no event twice', async () => {
    const world = await begin();
    const { endpoint, events } = await deliveredEvents(world, 6);
    await startJob(world, endpoint);
    const { replays } = world.store;
    await Promise.all([replays.workOff(world.now, slice(2)), replays.workOff(world.now, slice(2))]);
    await workOff(world, 2);
    expect(await replayedOf(world, events)).toEqual(Array(6).fill(true));
    expect((await world.claimDue()).map(({ round }) => round)).toEqual(Array(6).fill(2));
  });

  test('accounts take turns, however many jobs one has', async () => {
    const world = await begin();
    const greedy = await deliveredEvents(world, 6);
    const other = await deliveredEvents(world, 2);
    const filters: EventFilter[] = [{}, { method: 'PUT' }, { method: 'POST' }];
    for (const filter of filters) await startJob(world, greedy.endpoint, filter);
    await world.store.replays.workOff(world.now, slice(1));
    await startJob(world, other.endpoint);
    // A job as small as a slice ends with it. Its account's next job gets only the next turn.
    for (let n = 0; n < 4; n++) {
      await startJob(world, greedy.endpoint, { q: `café ${n}` });
      await world.store.replays.workOff(world.now, slice(1));
    }
    expect(await replayedOf(world, other.events)).toEqual([true, true]);
    await workOff(world, 10);
    expect(await replayedOf(world, greedy.events)).toEqual(Array(6).fill(true));
  });

  test('an open job with the same filter starts over at the oldest event', async () => {
    const world = await begin();
    const { endpoint, events } = await deliveredEvents(world, 4);
    await startJob(world, endpoint);
    await world.store.replays.workOff(world.now, slice(3));
    const later = await world.event(endpoint);
    expect(await startJob(world, endpoint)).toBe(5);
    expect(await workOff(world, 10)).toBe(1);
    expect(await replayedOf(world, [...events, later])).toEqual(Array(5).fill(true));
    const rounds = (await world.claimDue()).map(({ round }) => round);
    expect(rounds.toSorted()).toEqual([2, 2, 3, 3, 3]);
  });

  test('the number of an account’s open jobs, over all endpoints, is limited', async () => {
    const world = await begin();
    const { endpoint } = await deliveredEvents(world, 2);
    const other = await world.endpoint({ userId: endpoint.userId });
    const stranger = await deliveredEvents(world, 1);
    const start = (of: Endpoint, filter: EventFilter = {}) => startJob(world, of, filter, 2);
    await start(endpoint);
    await start(other);
    await expect(start(endpoint, { method: 'PUT' })).rejects.toMatchObject({
      code: 'limit_reached',
      hint: expect.stringContaining('--max-replay-jobs'),
    });
    expect(await start(endpoint)).toBe(2);
    expect(await start(stranger.endpoint)).toBe(1);
    await workOff(world, 10);
    expect(await start(endpoint, { method: 'PUT' })).toBe(1);
  });

  test('a slice creates at most its limit of deliveries, and replays at least one event', async () => {
    const world = await begin();
    const { endpoint, events } = await deliveredEvents(world, 6);
    for (let i = 1; i < 4; i++) await world.destination(endpoint);
    await startJob(world, endpoint);
    const opened = async () => {
      const all = await Promise.all(
        events.map(({ seq }) => world.store.events.deliveries(seq, world.now)),
      );
      return all.map((deliveries) => deliveries.length).filter((count) => count === 4).length;
    };
    await world.store.replays.workOff(world.now, { events: 5, deliveries: 8 });
    expect(await opened()).toBe(2);
    await world.store.replays.workOff(world.now, { events: 5, deliveries: 3 });
    expect(await opened()).toBe(3);
  });

  test('an account’s jobs, over all endpoints, are worked off oldest first', async () => {
    const world = await begin();
    const a = await deliveredEvents(world, 2);
    const b = await deliveredEvents(world, 2, a.endpoint.userId);
    await startJob(world, b.endpoint);
    await startJob(world, a.endpoint);
    await world.store.replays.workOff(world.now, slice(1));
    expect((await replayedOf(world, b.events)).filter(Boolean)).toHaveLength(1);
    expect(await replayedOf(world, a.events)).toEqual([false, false]);
    await workOff(world, 1);
    expect(await replayedOf(world, [...a.events, ...b.events])).toEqual(Array(4).fill(true));
  });

  test('a job of a removed endpoint is dropped', async () => {
    const world = await begin();
    const { endpoint } = await deliveredEvents(world, 3);
    await startJob(world, endpoint);
    await world.store.endpoints.remove(endpoint.key, world.now);
    expect(await world.store.replays.workOff(world.now, slice(10))).toBeNull();
    await startJob(world, endpoint);
    expect(await world.store.replays.workOff(world.now, slice(10))).toBeNull();
  });

  test('events deleted before their turn are skipped', async () => {
    const world = await begin();
    const { endpoint, events } = await deliveredEvents(world, 6);
    await startJob(world, endpoint);
    await world.store.replays.workOff(world.now, slice(2));
    expect((await world.store.upkeep.retireSlice({ before: world.now }, 2)).removed).toBe(2);
    await workOff(world, 2);
    const left = await world.listed(endpoint);
    expect(left).toHaveLength(4);
    const leftOf = events.filter(({ id }) => left.some((one) => one.id === id));
    expect(await replayedOf(world, leftOf)).toEqual([true, true, true, true]);
  });

  test('an aborted start starts no job', async () => {
    const world = await begin();
    const { endpoint } = await deliveredEvents(world, 1);
    const job = { id: newId('job', world.now), endpointKey: endpoint.key, filter: {}, now: 1 };
    const reason = new Error('the caller left');
    const { replays } = world.store;
    await expect(replays.startJob(job, MANY, AbortSignal.abort(reason))).rejects.toBe(reason);
    await expect(replays.count(endpoint.key, {}, AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(await replays.workOff(world.now, slice(10))).toBeNull();
  });
}
