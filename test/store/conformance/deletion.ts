import { expect, test } from 'vitest';
import { clearedWorlds, type OpenStore, only, settingsPatch } from './world.ts';

const MINUTE_MS = 60_000;

export function deletionConformance(open: OpenStore): void {
  const begin = clearedWorlds(open);

  test('an event is deleted with all that belongs to it, and nothing else', async () => {
    const world = await begin();
    const { events } = world.store;
    const endpoint = await world.endpoint();
    await world.destination(endpoint);
    const [gone, kept] = await world.events(endpoint, [{ body: 'needle 1' }, { body: 'needle 2' }]);
    if (!gone || !kept) throw new Error('two');
    for (const claim of await world.claimDue()) await world.settle(claim, { retryInMs: 0 });
    await world.indexed();
    expect(await events.remove((await world.endpoint()).key, gone.id)).toBeNull();
    expect(await events.remove(endpoint.key, gone.id)).toEqual({ freed: new Set() });
    expect(await events.find(endpoint.key, gone.id)).toBeNull();
    expect(await events.findOwned(endpoint.userId, gone.id)).toBeNull();
    expect(await events.content(gone.seq)).toBeNull();
    expect(await events.deliveries(gone.seq, world.now)).toEqual([]);
    expect(await events.attempts(gone.seq)).toEqual([]);
    expect((await world.listed(endpoint, { q: 'needle' })).map(({ id }) => id)).toEqual([kept.id]);
    expect(await world.listed(endpoint, { status: 'failed' })).toHaveLength(1);
    expect(only(await world.claimDue()).eventId).toBe(kept.id);
    expect((await world.store.stats(world.now)).pending).toBe(1);
    expect(await events.remove(endpoint.key, gone.id)).toBeNull();
    await world.indexed();
    expect((await world.listed(endpoint, { q: 'needle' })).map(({ id }) => id)).toEqual([kept.id]);
  });

  test('an attempt under way leaves no record, and a waiting one does not begin', async () => {
    const world = await begin();
    const { events, queue } = world.store;
    const endpoint = await world.endpoint();
    await world.destination(endpoint);
    const event = await world.event(endpoint);
    const claims = await world.claimDue();
    await events.remove(endpoint.key, event.id);
    expect(await queue.begin(claims, world.now + MINUTE_MS, world.now)).toEqual([null]);
    expect(await world.settle(only(claims), 'succeeded')).toBeNull();
    expect(await world.claimDue()).toEqual([]);
  });

  test('retention is that of the endpoint, or the server’s', async () => {
    const world = await begin();
    const { endpoints, upkeep } = world.store;
    const long = await world.endpoint({ retention: 60 * MINUTE_MS });
    const short = await world.endpoint({ retention: MINUTE_MS });
    const plain = await world.endpoint();
    expect(await endpoints.find(short.userId, short.id)).toMatchObject({
      settings: { retention: MINUTE_MS },
    });
    for (const endpoint of [long, short, plain]) await world.event(endpoint);
    const left = async () =>
      Promise.all([long, short, plain].map(async (one) => (await world.listed(one)).length));
    world.now += 10 * MINUTE_MS;
    const { now } = world;
    expect((await upkeep.retireSlice({ before: null, now }, 10)).removed).toBe(1);
    expect(await left()).toEqual([1, 0, 1]);
    expect((await upkeep.retireSlice({ before: now - 5 * MINUTE_MS, now }, 10)).removed).toBe(1);
    expect(await left()).toEqual([1, 0, 0]);
    await endpoints.update(long.key, settingsPatch({ retention: 10 * MINUTE_MS }));
    // Its end isn't in it.
    expect((await upkeep.retireSlice({ before: null, now }, 10)).removed).toBe(0);
    await endpoints.update(long.key, settingsPatch({ retention: null }));
    expect((await upkeep.retireSlice({ before: null, now: now + 1 }, 10)).removed).toBe(0);
    expect((await upkeep.retireSlice({ before: now }, 10)).removed).toBe(1);
  });

  test('a copy names the event that it comes from', async () => {
    const world = await begin();
    const endpoint = await world.endpoint();
    const event = await world.event(endpoint);
    const copy = await world.event(endpoint, { editedFrom: event.id });
    expect(copy.editedFrom).toBe(event.id);
    expect(await world.store.events.find(endpoint.key, copy.id)).toEqual(copy);
    expect((await world.listed(endpoint)).map(({ editedFrom }) => editedFrom)).toEqual([
      event.id,
      null,
    ]);
  });
}
