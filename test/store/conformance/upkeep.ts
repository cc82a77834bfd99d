import { expect, test } from 'vitest';
import type { EventSummary } from '../../../src/core/model.ts';
import { clearedWorlds, type OpenStore, type World } from './world.ts';

/** The rows of these events that reads still show. */
async function remainsOf(world: World, events: readonly EventSummary[]) {
  const { store } = world;
  const remains = [];
  for (const { seq } of events) {
    remains.push(await store.events.content(seq));
    remains.push(...(await store.events.deliveries(seq, world.now)));
    remains.push(...(await store.events.attempts(seq)));
  }
  return remains.filter((found) => found !== null);
}

export function upkeepConformance(open: OpenStore): void {
  const begin = clearedWorlds(open);

  test('retention deletes events received before a time, with all rows that belong to them', async () => {
    const world = await begin();
    const { upkeep, live } = world.store;
    const endpoint = await world.endpoint();
    await world.destination(endpoint);
    const at = world.now;
    // The time of receipt decides, not the order.
    const [late, early, edge, oldest] = await world.events(endpoint, [
      { receivedAt: at + 5 },
      { receivedAt: at - 1 },
      { receivedAt: at },
      { receivedAt: at - 9 },
    ]);
    if (!late || !early || !edge || !oldest) throw new Error('four were captured');
    world.now = at + 10;
    for (const claim of await world.claimDue()) await world.settle(claim, 'dead');
    expect(await upkeep.retireSlice({ before: at }, 10)).toMatchObject({ removed: 2, more: false });
    const ids = (await world.listed(endpoint)).map(({ id }) => id);
    expect(ids).toEqual([edge.id, late.id]);
    expect(await world.listed(endpoint, { status: 'dead_letter' })).toHaveLength(2);
    expect(await remainsOf(world, [early, oldest])).toEqual([]);
    expect(await remainsOf(world, [late, edge])).toHaveLength(6);
    expect(await world.store.events.find(endpoint.key, early.id)).toBeNull();
    expect(await world.store.events.findOwned(endpoint.userId, early.id)).toBeNull();
    const scope = { endpointKeys: [endpoint.key] };
    expect((await live.eventsAfter(scope, 0, 10)).map(({ id }) => id)).toEqual([late.id, edge.id]);
    expect((await live.attemptsAfter(scope, 0, 10)).attempts).toHaveLength(2);
    expect(await upkeep.retireSlice({ before: at }, 10)).toMatchObject({ removed: 0, more: false });
  });

  test('retention keeps events with open deliveries of any round', async () => {
    const world = await begin();
    const { upkeep, destinations, replays } = world.store;
    const endpoint = await world.endpoint();
    const first = await world.destination(endpoint);
    const [open_, retrying, oldRound, closed] = await world.events(endpoint, [{}, {}, {}, {}]);
    const claims = await world.claimDue();
    const claimOf = (event: EventSummary | undefined) =>
      claims.find(({ eventId }) => eventId === event?.id) as never;
    await world.settle(claimOf(retrying), { retryInMs: 1000 });
    await world.settle(claimOf(closed), 'succeeded');
    // The first round runs on beside a second round without destinations.
    await destinations.remove(endpoint.key, first.id, world.now, false);
    await replays.replay(endpoint.key, oldRound?.seq as number, world.now, world.terms());
    expect(await upkeep.retireSlice({ before: world.now + 1 }, 10)).toMatchObject({
      removed: 1,
      more: false,
    });
    const ids = (await world.listed(endpoint)).map(({ id }) => id);
    expect(ids).toEqual([oldRound?.id, retrying?.id, open_?.id]);
    await world.settle(claimOf(oldRound), 'dead');
    expect(await upkeep.retireSlice({ before: world.now + 1 }, 10)).toMatchObject({
      removed: 1,
      more: false,
    });
  });

  test('retention works slice by slice over all endpoints', async () => {
    const world = await begin();
    const endpoints = [await world.endpoint(), await world.endpoint(), await world.endpoint()];
    for (const endpoint of endpoints) await world.events(endpoint, [{}, {}, {}]);
    const open_ = await world.endpoint();
    await world.destination(open_);
    await world.events(open_, [{}, {}, {}]);
    let removed = 0;
    for (let slices = 0; ; slices++) {
      expect(slices).toBeLessThan(10);
      const slice = await world.store.upkeep.retireSlice({ before: world.now + 1 }, 2);
      expect(slice.removed).toBeLessThanOrEqual(2);
      removed += slice.removed;
      if (!slice.more) break;
    }
    expect(removed).toBe(9);
    for (const endpoint of endpoints) expect(await world.listed(endpoint)).toEqual([]);
    expect(await world.listed(open_)).toHaveLength(3);
  });

  test('a removed endpoint is purged completely, and nothing else', async () => {
    const world = await begin();
    const { store } = world;
    const kept = await world.endpoint();
    const gone = [];
    const events: EventSummary[] = [];
    for (let i = 0; i < 2; i++) {
      const endpoint = await world.endpoint({ userId: kept.userId });
      await world.destination(endpoint);
      await world.destination(endpoint);
      events.push(...(await world.events(endpoint, Array(5).fill({ body: 'x' }))));
      gone.push(endpoint);
    }
    await world.destination(kept);
    const keptEvents = await world.events(kept, [{ body: 'x' }, {}]);
    const empty = await world.endpoint();
    const claims = await world.claimDue();
    for (const claim of claims.slice(0, 7)) await world.settle(claim, { retryInMs: 1000 });
    const before = await remainsOf(world, keptEvents);
    for (const { key } of [...gone, empty]) await store.endpoints.remove(key, world.now);

    let removed = 0;
    for (let slices = 0; ; slices++) {
      expect(slices).toBeLessThan(30);
      const slice = await store.upkeep.purgeSlice(3);
      expect(slice.removed).toBeLessThanOrEqual(3);
      removed += slice.removed;
      if (!slice.more) break;
    }
    expect(removed).toBe(10);
    expect(await remainsOf(world, events)).toEqual([]);
    for (const { key } of gone) {
      const window = { offset: 0, limit: 10 };
      for (const filter of [{}, { status: 'received' }, { from: 0 }, { q: 'x' }] as const) {
        const page = await store.events.list({ endpointKeys: [key] }, filter, window);
        expect(page).toEqual({ events: [], total: 0 });
      }
      expect(await store.destinations.list(key)).toEqual([]);
    }
    expect(await remainsOf(world, keptEvents)).toEqual(before);
    expect(await world.listed(kept)).toHaveLength(2);
    expect(await world.listed(kept, { q: 'x' })).toHaveLength(1);
    expect((await store.stats(world.now)).pending).toBe(2);
    expect(await store.upkeep.purgeSlice(3)).toMatchObject({ removed: 0, more: false });
  });

  test('there is nothing to purge while no endpoint was removed', async () => {
    const world = await begin();
    const endpoint = await world.endpoint();
    await world.event(endpoint);
    expect(await world.store.upkeep.purgeSlice(10)).toMatchObject({ removed: 0, more: false });
    expect(await world.listed(endpoint)).toHaveLength(1);
  });

  test('the index lag reaches 0, even if events are deleted before they are indexed', async () => {
    const world = await begin();
    const endpoint = await world.endpoint();
    // Both run in one turn. If that is one commit, no reader ever sees the events.
    await Promise.all([
      world.events(endpoint, [{ body: 'a' }, { body: 'b' }]),
      world.store.upkeep.retireSlice({ before: world.now + 1 }, 10),
    ]);
    await world.indexed();
    const event = await world.event(endpoint, { body: 'needle' });
    await world.store.upkeep.retireSlice({ before: world.now }, 10);
    await world.indexed();
    expect(await world.listed(endpoint, { q: 'needle' })).toEqual([event]);
  });
}
