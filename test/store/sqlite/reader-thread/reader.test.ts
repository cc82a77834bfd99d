import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { START, World } from '../../conformance/world.ts';
import { openInTempDir, openStoreIn, tempDir } from '../temp-store.ts';

/** The same limits as in `reader.ts`. */
const MAX_CONCURRENT = 8;
const MAX_WAITING = 64;

async function openWorld(): Promise<World> {
  const world = new World(await openInTempDir());
  onTestFinished(() => world.close());
  return world;
}

/** A search that reads every body and matches none. */
const NOWHERE = { q: 'nowhere' };
const PAGE = { offset: 0, limit: 10 };

/** Two endpoints: a search takes many turns on one, and a single turn on the other. */
async function largeAndSmall(world: World): Promise<{ large: number; small: number }> {
  const large = await world.endpoint();
  const small = await world.endpoint();
  await world.event(small);
  for (let i = 0; i < 3; i++) await world.events(large, Array(5000).fill({ body: 'abc' }));
  return { large: large.key, small: small.key };
}

test('reads past the queue’s limit are refused, the others are answered', async () => {
  const world = await openWorld();
  const endpoint = await world.endpoint();
  const event = await world.event(endpoint, { body: 'here' });
  const list = () => world.store.events.list({ endpointKeys: [endpoint.key] }, { q: 'here' }, PAGE);
  // All start in one turn, before any answer can come.
  const reads = Array.from({ length: MAX_CONCURRENT + MAX_WAITING + 3 }, list);
  const outcomes = await Promise.allSettled(reads);
  for (const [i, outcome] of outcomes.entries()) {
    expect(outcome).toMatchObject(
      i < MAX_CONCURRENT + MAX_WAITING
        ? { status: 'fulfilled', value: { events: [event], total: 1 } }
        : { status: 'rejected', reason: { code: 'overloaded', retryAfterS: expect.any(Number) } },
    );
  }
  expect(await list()).toEqual({ events: [event], total: 1 });
});

test('an aborted read that waits rejects at once and frees its place', async () => {
  const world = await openWorld();
  const endpoint = await world.endpoint();
  const list = (signal?: AbortSignal) =>
    world.store.events.list({ endpointKeys: [endpoint.key] }, NOWHERE, PAGE, signal);
  const controller = new AbortController();
  let rejected = 0;
  const running = Array.from({ length: MAX_CONCURRENT }, () => list());
  const waiting = Array.from({ length: MAX_WAITING }, () =>
    list(controller.signal).catch(() => rejected++),
  );
  controller.abort(new Error('the caller left'));
  // In the same turn no running read can have ended.
  const late = list().catch((error: { code?: string }) => error.code);
  await new Promise(setImmediate);
  const atOnce = rejected;
  await Promise.all([...running, ...waiting]);
  expect(await late).toEqual({ events: [], total: 0 });
  expect(atOnce).toBe(MAX_WAITING);
});

test('an aborted search ends, and makes room for another', async () => {
  const world = await openWorld();
  const { large, small } = await largeAndSmall(world);
  // Alone, it takes longer than a busy machine keeps an abort from the thread.
  const huge = await world.endpoint();
  for (let i = 0; i < 10; i++) await world.events(huge, Array(5000).fill({ body: 'abc' }));
  const search = (key: number, signal?: AbortSignal) =>
    world.store.events.list({ endpointKeys: [key] }, { q: 'x' }, PAGE, signal);
  const order: string[] = [];
  const reason = new Error('the caller left');
  const controller = new AbortController();
  const kept = search(huge.key).then(() => order.push('kept'));
  const abandoned = Array.from({ length: MAX_CONCURRENT - 1 }, () =>
    search(large, controller.signal),
  );
  // It waits for a place. If the others weren't abandoned, all would end together, the
  // first one first.
  const waiting = search(small).then(() => order.push('waiting'));
  controller.abort(reason);
  for (const one of abandoned) await expect(one).rejects.toBe(reason);
  await Promise.all([kept, waiting]);
  expect(order).toEqual(['waiting', 'kept']);
});

test('searches take turns: a short one does not wait for a long one', async () => {
  const world = await openWorld();
  const { large, small } = await largeAndSmall(world);
  const order: string[] = [];
  const search = (name: string, key: number) =>
    world.store.events.list({ endpointKeys: [key] }, { q: 'x' }, PAGE).then(() => order.push(name));
  await Promise.all([search('long', large), search('short', small)]);
  expect(order).toEqual(['short', 'long']);
});

test('reads see every commit before their request', async () => {
  const world = await openWorld();
  const endpoint = await world.endpoint();
  for (let i = 1; i <= 20; i++) {
    await world.event(endpoint, { body: 'x' });
    const [{ total }, searched, counted] = await Promise.all([
      world.store.events.list({ endpointKeys: [endpoint.key] }, {}, PAGE),
      world.store.events.list({ endpointKeys: [endpoint.key] }, { q: 'x' }, PAGE),
      world.store.replays.count(endpoint.key, { from: START }),
    ]);
    expect([total, searched.total, counted]).toEqual([i, i, i]);
  }
});

test('a search during a commit sees all of the commit or nothing', async () => {
  const world = await openWorld();
  const endpoint = await world.endpoint();
  const rows = 2500;
  const old = 100;
  // The match is at the end, so that a search is slow.
  const body = `${'a'.repeat(8000)}b`;
  const patches = Array.from({ length: rows }, (_, i) => ({
    body,
    receivedAt: world.now - (i % (rows / old) === 0 ? 1 : 0),
  }));
  await world.events(endpoint, patches);
  const search = () => world.store.events.list({ endpointKeys: [endpoint.key] }, { q: 'b' }, PAGE);
  await search();
  const searches = Array.from({ length: MAX_CONCURRENT }, search);
  // The searches get somewhere meanwhile. Wherever that is, the outcome is one of two.
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(await world.store.upkeep.retireSlice({ before: world.now }, rows)).toMatchObject({
    removed: old,
  });
  const totals = (await Promise.all(searches)).map(({ total }) => total);
  expect(totals.filter((total) => total !== rows && total !== rows - old)).toEqual([]);
  expect((await search()).total).toBe(rows - old);
});

test('reads under way when the store closes reject, and later ones too', async () => {
  const store = await openStoreIn(join(tempDir(), 'data'));
  const reads = Array.from({ length: MAX_CONCURRENT + 2 }, () =>
    store.events.list({ endpointKeys: [1] }, NOWHERE, PAGE),
  );
  const outcomes = Promise.allSettled(reads);
  await store.close();
  for (const outcome of await outcomes) {
    if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'not_ready' });
  }
  await expect(store.stats(0)).rejects.toMatchObject({ code: 'not_ready' });
});
