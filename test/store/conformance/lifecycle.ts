import { expect, test } from 'vitest';
import { newId } from '../../../src/core/ids.ts';
import { MANY } from '../../fixtures/many.ts';
import { newEntry, newToken } from './account-rows.ts';
import {
  clearedWorlds,
  LEASE_MS,
  type OpenStore,
  settingsPatch,
  sharedWorld,
  type World,
} from './world.ts';

/** Everything that reads show of an account and its first endpoint. */
async function everything(world: World, userId: string) {
  const { store } = world;
  const endpoints = await store.endpoints.list(userId);
  const byEndpoint = [];
  for (const endpoint of endpoints) {
    const events = await world.listed(endpoint);
    const details = [];
    for (const { seq } of events) {
      details.push({
        content: await store.events.content(seq),
        deliveries: await store.events.deliveries(seq, world.now),
        attempts: await store.events.attempts(seq),
      });
    }
    const destinations = await store.destinations.list(endpoint.key);
    byEndpoint.push({ endpoint, events, details, destinations });
  }
  const forever = { idleMs: 1e15, absoluteMs: 1e15 };
  return {
    byEndpoint,
    sessions: await store.accounts.listSessions(userId, forever, world.now),
    tokens: await store.apiTokens.list(userId),
    audit: await store.audit.list(userId, { offset: 0, limit: 10 }),
    sequences: await store.live.lastSequences(),
    generation: store.generation,
  };
}

export function lifecycleConformance(open: OpenStore): void {
  const begin = clearedWorlds(open);
  const shared = sharedWorld(open);

  test('a restart keeps everything, and its generation', async () => {
    const world = await begin();
    const { store } = world;
    const user = await world.user({ plan: 'pro' });
    const response = { status: 201, content_type: 'text/plain', body: 'é' };
    for (const patch of [settingsPatch({ response }), settingsPatch({ is_active: false })]) {
      const endpoint = await world.endpoint({ userId: user.id });
      await world.destination(endpoint, { sealedSecret: Buffer.of(1, 0, 255) });
      await world.events(endpoint, [
        { body: Buffer.of(0, 255), rawHeaders: ['A', 'é'] },
        { body: '' },
        { body: 'x' },
      ]);
      await store.endpoints.update(endpoint.key, patch);
    }
    const [retried, succeeded, dead] = await world.claimDue();
    if (!retried || !succeeded || !dead) throw new Error('six were due');
    await world.settle(retried, { retryInMs: 1000 });
    await world.settle(succeeded, 'succeeded');
    await world.settle(dead, 'dead');
    await store.accounts.createSession(
      {
        id: newId('ses', 1),
        userId: user.id,
        generation: 3,
        createdAt: 1,
        lastUsedAt: 2,
        address: null,
        userAgent: null,
      },
      MANY,
    );
    const [endpoint] = await store.endpoints.list(user.id);
    await store.apiTokens.create(
      newToken(user.id, { hash: Buffer.alloc(32), endpointIds: [endpoint?.id as string] }),
      MANY,
    );
    await store.audit.add(newEntry(user.id, { at: 7 }), { most: MANY });

    const before = await everything(world, user.id);
    expect(before.generation).toMatch(/^\S{16,}$/);
    await world.reopen();
    expect(await everything(world, user.id)).toEqual(before);
    await world.reopen();
    expect(await everything(world, user.id)).toEqual(before);
  });

  test('another store has another generation', async () => {
    expect((await begin()).store.generation).not.toBe(shared().store.generation);
  });

  test('after a restart every open delivery can be claimed again', async () => {
    const world = await begin();
    const endpoint = await world.endpoint();
    await world.destination(endpoint);
    const { claimed } = await world.capture(endpoint, [{}, {}], world.terms());
    await world.event(endpoint);
    const [fromTable] = await world.claimDue();
    await world.store.queue.begin(claimed, world.now + LEASE_MS, world.now);
    await world.reopen();
    // If several processes share the store, another may hold the claims until their leases end.
    world.now += LEASE_MS;
    const again = await world.claimDue();
    const ids = new Set(again.map(({ id }) => id));
    expect(ids).toEqual(new Set([...claimed, fromTable].map((claim) => claim?.id)));
    for (const claim of again) {
      expect(await world.settle(claim, 'succeeded')).toMatchObject({ eventStatus: 'delivered' });
    }
  });

  test('closing waits for the operations under way', async () => {
    const world = await begin();
    const { store } = world;
    const endpoint = await world.endpoint();
    const destination = await world.destination(endpoint);
    const captured = world.capture(endpoint, [{ body: 'last' }]);
    const removed = store.destinations.remove(endpoint.key, destination.id, world.now, false);
    await world.reopen();
    expect((await captured).results).toMatchObject([{ stored: true }]);
    expect(await removed).toBe(true);
    expect(await world.listed(endpoint)).toHaveLength(1);
    expect(await world.store.destinations.list(endpoint.key)).toEqual([]);
  });

  test('the first secret is recorded, and no other is accepted', async () => {
    const world = await begin();
    expect(await world.store.hasSecret()).toBe(false);
    const claims = await Promise.all(['a', 'b'].map((value) => world.store.claimSecret(value)));
    expect(claims.toSorted()).toEqual([false, true]);
    const [mine, other] = claims[0] ? ['a', 'b'] : ['b', 'a'];
    expect(await world.store.claimSecret(mine as string)).toBe(true);
    expect(await world.store.hasSecret()).toBe(true);
    await world.reopen();
    expect(await world.store.hasSecret()).toBe(true);
    expect(await world.store.claimSecret(other as string)).toBe(false);
    expect(await world.store.claimSecret(mine as string)).toBe(true);
  });

  test('a server may announce its URL at any time', async () => {
    const world = await begin();
    await world.store.announce('http://127.0.0.1:8484');
    await world.store.announce('http://127.0.0.1:9000');
    await world.store.checkWritable();
  });

  test('the write check passes', async () => {
    const world = await begin();
    await world.store.checkWritable();
    await world.store.checkWritable();
    expect((await world.store.stats(world.now)).databaseBytes).toBeGreaterThan(0);
  });
}
