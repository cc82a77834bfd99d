import { describe, expect, test } from 'vitest';
import { MOST_URGENT } from '../../../src/core/flow/flow.ts';
import { newId } from '../../../src/core/ids.ts';
import type { Endpoint, EventSummary } from '../../../src/core/model.ts';
import type { ClaimedDelivery } from '../../../src/store/contract/claims.ts';
import { CLAIM_NOTHING, clearedWorlds, type OpenStore, only, type World } from './world.ts';

const DAY_MS = 86_400_000;

export function deliveryConformance(open: OpenStore): void {
  const begin = clearedWorlds(open);

  async function listed(world: World, endpoint: Endpoint, filter = {}, window = {}) {
    return world.store.deliveries.list(endpoint.key, filter, {
      ...{ offset: 0, limit: 100, now: world.now },
      ...window,
    });
  }

  async function deliveryOf(world: World, { seq }: EventSummary) {
    const [delivery] = await world.store.events.deliveries(seq, world.now);
    if (!delivery) throw new Error('the event has no delivery');
    return delivery;
  }

  test('are listed newest first, by state and destination, with their exact number', async () => {
    const world = await begin();
    const endpoint = await world.endpoint();
    const [a, b] = [await world.destination(endpoint), await world.destination(endpoint)];
    const other = await world.endpoint();
    await world.destination(other);
    await world.event(other);
    const events: EventSummary[] = [];
    for (let i = 0; i < 6; i++) {
      world.now += 10;
      events.push(await world.event(endpoint));
    }
    for (const claim of await world.claimDue()) {
      const place = events.findIndex(({ seq }) => seq === claim.eventSeq);
      if (place < 2 && claim.destination.key === a.key) await world.settle(claim, 'succeeded');
      else if (place === 2) await world.settle(claim, 'dead');
      else await world.store.queue.release([claim]);
    }
    const all = await listed(world, endpoint);
    expect(all.total).toBe(12);
    const seqs = all.deliveries.map(({ eventId }) => events.findIndex(({ id }) => id === eventId));
    expect(seqs).toEqual([5, 5, 4, 4, 3, 3, 2, 2, 1, 1, 0, 0]);
    expect(all.deliveries.map(({ createdAt }) => createdAt)).toEqual(
      seqs.map((place) => events[place]?.receivedAt),
    );
    const pages = [0, 5, 10].map((offset) => listed(world, endpoint, {}, { offset, limit: 5 }));
    const paged = await Promise.all(pages);
    expect(paged.flatMap(({ deliveries }) => deliveries)).toEqual(all.deliveries);
    const count = async (filter: object) => (await listed(world, endpoint, filter)).total;
    expect(await count({ state: 'pending' })).toBe(8);
    expect(await count({ state: 'succeeded' })).toBe(2);
    expect(await count({ state: 'dead' })).toBe(2);
    expect(await count({ state: 'cancelled' })).toBe(0);
    expect(await count({ state: 'filtered' })).toBe(0);
    expect(await count({ destinationId: b.id })).toBe(6);
    expect(await count({ destinationId: b.id, state: 'pending' })).toBe(5);
    expect(await count({ destinationId: newId('dst', 1) })).toBe(0);
    const dead = await listed(world, endpoint, { state: 'dead', destinationId: a.id });
    expect(dead.deliveries).toMatchObject([
      {
        eventId: events[2]?.id,
        destinationId: a.id,
        attempts: 1,
        error: { code: 'http_status', message: 'The receiver answered 500.' },
        nextAttemptAt: null,
        waitsFor: null,
        unjudged: null,
      },
    ]);
  });

  test('that a filter dropped are listed apart', async () => {
    const world = await begin();
    const endpoint = await world.endpoint();
    const open = await world.destination(endpoint);
    const settings = { ...open.settings, filter: 'method=PUT' };
    const closed = await world.destination(endpoint, { settings });
    const event = await world.droppedEvent(endpoint, [closed.key]);
    const { deliveries, total } = await listed(world, endpoint, { state: 'filtered' });
    expect(total).toBe(1);
    expect(deliveries).toMatchObject([
      { eventId: event.id, destinationId: closed.id, state: 'filtered', attempts: 0, error: null },
    ]);
    expect((await listed(world, endpoint)).total).toBe(1);
    const ofOpen = { state: 'filtered', destinationId: open.id };
    expect((await listed(world, endpoint, ofOpen)).total).toBe(0);
  });

  test('are found by their id alone, in their own account', async () => {
    const world = await begin();
    const endpoint = await world.endpoint();
    await world.destination(endpoint);
    const event = await world.event(endpoint);
    const { id } = await deliveryOf(world, event);
    const { deliveries } = world.store;
    expect(await deliveries.find(endpoint.userId, id, world.now)).toMatchObject({
      endpoint: { id: endpoint.id },
      delivery: { id, eventId: event.id, createdAt: event.receivedAt },
    });
    const settled = await world.settle(only(await world.claimDue()), 'succeeded');
    expect((await deliveries.find(endpoint.userId, id, world.now))?.delivery.state).toBe(
      'succeeded',
    );
    const attemptId = settled?.attempt.id as string;
    expect(await deliveries.findAttempt(endpoint.userId, attemptId)).toMatchObject({
      endpoint: { id: endpoint.id },
      eventSeq: event.seq,
    });
    const stranger = (await world.user()).id;
    expect(await deliveries.find(stranger, id, world.now)).toBeNull();
    expect(await deliveries.findAttempt(stranger, attemptId)).toBeNull();
    await world.store.endpoints.remove(endpoint.key, world.now);
    expect(await deliveries.find(endpoint.userId, id, world.now)).toBeNull();
    expect(await deliveries.findAttempt(endpoint.userId, attemptId)).toBeNull();
  });

  describe('a retry by hand', () => {
    test('comes past backoff and breaker, before all others', async () => {
      const world = await begin();
      const endpoint = await world.endpoint();
      const destination = await world.destination(endpoint);
      const events = await world.events(endpoint, [{}, {}]);
      for (const claim of await world.claimDue()) await world.settle(claim, { retryInMs: DAY_MS });
      expect(await world.claimDue()).toEqual([]);
      const { id } = await deliveryOf(world, events[1] as EventSummary);
      const { deliveries, queue } = world.store;
      expect(await deliveries.retry(id, world.now)).toEqual({ destinationKey: destination.key });
      expect(await queue.nextDueAt(world.now, new Set())).toBe(world.now);
      const claim = only(await world.claimDue());
      expect(claim).toMatchObject({ id, attempts: 1, probe: null });
      expect(await queue.begin([claim], world.now + 1000, world.now)).toMatchObject([{}]);
      await world.settle(claim, { retryInMs: DAY_MS });
      expect(await world.claimDue()).toEqual([]);
    });

    test('under way or cancelled, it neither holds probes back nor asks for looks', async () => {
      const world = await begin();
      const endpoint = await world.endpoint();
      const destination = await world.destination(endpoint);
      const events = await world.events(endpoint, [{}, {}]);
      for (const claim of await world.claimDue()) await world.settle(claim, { retryInMs: DAY_MS });
      const { id } = await deliveryOf(world, events[1] as EventSummary);
      const { deliveries, queue } = world.store;
      await deliveries.retry(id, world.now);
      const [claim] = await world.claimDue();
      const nextDue = () => queue.nextDueAt(world.now, new Set());
      expect(await nextDue()).toBe(world.now + DAY_MS);
      await deliveries.cancel(id);
      expect(await nextDue()).toBe(world.now + DAY_MS);
      expect(await world.settle(claim as ClaimedDelivery, 'succeeded')).not.toBeNull();
      world.now += DAY_MS;
      await world.settle(only(await world.claimDue()), 'succeeded');
      const [condition] = await world.store.destinations.conditions(endpoint.key, destination.id);
      expect(condition?.flow.urgent).toEqual([]);
    });

    test('revives a dead delivery of the newest round only', async () => {
      const world = await begin();
      const endpoint = await world.endpoint();
      const destination = await world.destination(endpoint);
      const event = await world.event(endpoint);
      await world.settle(only(await world.claimDue()), 'dead');
      const { id } = await deliveryOf(world, event);
      const { deliveries, replays } = world.store;
      expect(await deliveries.retry(id, world.now)).toEqual({ destinationKey: destination.key });
      expect(await world.status(endpoint, event)).toBe('failed');
      const settled = await world.settle(only(await world.claimDue()), 'succeeded');
      expect(settled).toMatchObject({ eventStatus: 'delivered', attempt: { number: 2 } });
      expect(await deliveries.retry(id, world.now)).toBe('settled');
      const second = await world.event(endpoint);
      await world.settle(only(await world.claimDue()), 'dead');
      const old = await deliveryOf(world, second);
      await replays.replay(endpoint.key, second.seq, world.now, CLAIM_NOTHING);
      expect(await deliveries.retry(old.id, world.now)).toBe('settled');
      expect(await deliveries.retry(newId('dlv', 1), world.now)).toBeNull();
    });

    test('not past a pause, and a bounded number at a time', async () => {
      const world = await begin();
      const endpoint = await world.endpoint();
      const destination = await world.destination(endpoint);
      await world.events(endpoint, Array(MOST_URGENT + 1).fill({}));
      const all = await listed(world, endpoint);
      const { deliveries, destinations } = world.store;
      const change = { at: world.now, by: null };
      const set = (state: 'paused' | 'active') =>
        destinations.update(endpoint.key, destination.id, { settings: { state } }, change);
      await set('paused');
      expect(await deliveries.retry(all.deliveries[0]?.id ?? '', world.now)).toBe('paused');
      await set('active');
      const answers = [];
      for (const { id } of [...all.deliveries.slice(0, 1), ...all.deliveries])
        answers.push(await deliveries.retry(id, world.now));
      // A second retry of the same delivery takes no second place.
      expect(answers.filter((answer) => answer === 'crowded')).toHaveLength(1);
    });
  });

  test('a cancelled one is over, and its claim ends', async () => {
    const world = await begin();
    const endpoint = await world.endpoint();
    await world.destination(endpoint);
    const event = await world.event(endpoint);
    const claim = only(await world.claimDue());
    const { deliveries, queue } = world.store;
    expect(await deliveries.cancel(claim.id)).toEqual({
      destinationKey: claim.destination.key,
    });
    expect(await queue.begin([claim], world.now + 1000, world.now)).toEqual([null]);
    expect(await deliveries.cancel(claim.id)).toBe('settled');
    expect(await deliveries.cancel(newId('dlv', 1))).toBeNull();
    expect(await deliveryOf(world, event)).toMatchObject({ state: 'cancelled' });
    expect(await world.status(endpoint, event)).toBe('received');
    expect(await world.claimDue()).toEqual([]);
  });

  test('discarding cancels everything that waits for one destination', async () => {
    const world = await begin();
    const endpoint = await world.endpoint();
    const destination = await world.destination(endpoint);
    const other = await world.destination(endpoint);
    await world.events(endpoint, Array(2500).fill({}));
    const { destinations } = world.store;
    expect(await destinations.discard(endpoint.key, destination.id)).toBe(2500);
    expect(await destinations.discard(endpoint.key, destination.id)).toBe(0);
    expect(await destinations.discard(endpoint.key, newId('dst', 1))).toBeNull();
    const [newest, oldest] = await destinations.conditions(endpoint.key, null);
    expect(newest).toMatchObject({ destinationId: other.id, waiting: { count: 2500 } });
    expect(oldest).toMatchObject({
      destinationId: destination.id,
      waiting: { count: 0, oldestAt: null },
    });
  });

  test('a change that is based on an older version is refused', async () => {
    const world = await begin();
    const endpoint = await world.endpoint();
    const { id, version } = await world.destination(endpoint);
    const { destinations } = world.store;
    const change = (sealedHeaders: Uint8Array, version: number) =>
      destinations.update(endpoint.key, id, { sealedHeaders }, { at: 1, by: null, version });
    const changed = await change(Buffer.from('a'), version);
    if (!changed || changed === 'changed') throw new Error('refused');
    expect(Buffer.from(changed.sealedHeaders as Uint8Array)).toEqual(Buffer.from('a'));
    expect(await change(Buffer.from('b'), version)).toBe('changed');
    const previousSecret = { sealed: Buffer.from('old'), until: 77 };
    const patch = { previousSecret, sealedSecret: Buffer.from('new') };
    await destinations.update(endpoint.key, id, patch, { at: 1, by: null });
    const found = await destinations.get(endpoint.key, id);
    expect(Buffer.from(found?.previousSecret?.sealed as Uint8Array)).toEqual(Buffer.from('old'));
    expect(found?.previousSecret?.until).toBe(77);
    expect(Buffer.from(found?.sealedHeaders as Uint8Array)).toEqual(Buffer.from('a'));
  });
}
