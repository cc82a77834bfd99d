import { expect, test } from 'vitest';
import { NO_DELIVERIES } from '../../fixtures/no-deliveries.ts';
import {
  CLAIM_NOTHING,
  clearedWorlds,
  LEASE_MS,
  type OpenStore,
  only,
  settingsPatch,
} from './world.ts';

export function replayConformance(open: OpenStore): void {
  const begin = clearedWorlds(open);

  test('starts a new round to the current destinations', async () => {
    const world = await begin();
    const { events, replays, destinations } = world.store;
    const endpoint = await world.endpoint();
    const removed = await world.destination(endpoint);
    const kept = await world.destination(endpoint);
    const event = await world.event(endpoint, { body: 'abc' });
    for (const claim of await world.claimDue()) await world.settle(claim, 'dead');
    expect(await world.status(endpoint, event)).toBe('dead_letter');
    await destinations.remove(endpoint.key, removed.id, world.now, false);
    const added = await world.destination(endpoint);
    world.now += 1000;

    const replayed = await replays.replay(endpoint.key, event.seq, world.now, world.terms());
    if (!replayed) throw new Error('the event is gone');
    expect(replayed.deliveries).toBe(2);
    expect(replayed.unclaimed.size).toBe(0);
    expect(replayed.claimed).toMatchObject(
      [kept, added].map(({ key }) => ({
        eventSeq: event.seq,
        eventId: event.id,
        trigger: 'replay',
        attempts: 0,
        size: 3,
        destination: { key },
      })),
    );
    expect(await events.find(endpoint.key, event.id)).toEqual({
      ...{ ...event, attempts: 0, outcome: expect.any(Object) },
      deliveryCounts: { ...NO_DELIVERIES, pending: 2 },
    });
    expect(await events.deliveries(event.seq, world.now)).toEqual(
      [kept, added].map((destination, i) => ({
        id: replayed.claimed[i]?.id,
        destinationId: destination.id,
        destinationUrl: destination.url,
        trigger: 'replay',
        state: 'pending',
        attempts: 0,
        nextAttemptAt: world.now,
        waitsFor: null,
        unjudged: null,
      })),
    );
    // Attempts are numbered from 1 again, and the earlier ones are still on record.
    for (const claim of replayed.claimed) {
      expect(await world.settle(claim, 'succeeded')).toMatchObject({
        attempt: { number: 1, trigger: 'replay' },
      });
    }
    expect(await events.find(endpoint.key, event.id)).toMatchObject({
      status: 'delivered',
      attempts: 2,
    });
    expect(await events.attempts(event.seq)).toHaveLength(4);
  });

  test('supersedes open deliveries to the same destinations', async () => {
    const world = await begin();
    const { events, replays } = world.store;
    const endpoint = await world.endpoint();
    await world.destination(endpoint);
    const event = await world.event(endpoint);
    await world.settle(only(await world.claimDue()), { retryInMs: 0 });
    const [before] = await events.deliveries(event.seq, world.now);
    const first = await replays.replay(endpoint.key, event.seq, world.now, world.terms());
    const second = await replays.replay(endpoint.key, event.seq, world.now, CLAIM_NOTHING);
    expect(second?.unclaimed).toEqual(new Set([only(first?.claimed ?? []).destination.key]));
    const open_ = only(await events.deliveries(event.seq, world.now));
    expect([before?.id, only(first?.claimed ?? []).id]).not.toContain(open_.id);
    expect(only(await world.claimDue()).id).toBe(open_.id);
    expect((await world.store.stats(world.now)).pending).toBe(1);
    expect(await world.status(endpoint, event)).toBe('received');
  });

  test('lets deliveries to removed destinations run on', async () => {
    const world = await begin();
    const { events, replays, destinations, queue } = world.store;
    const endpoint = await world.endpoint();
    const removed = await world.destination(endpoint);
    const event = await world.event(endpoint);
    const [old] = await events.deliveries(event.seq, world.now);
    await destinations.remove(endpoint.key, removed.id, world.now, false);
    await world.destination(endpoint);
    const claims = await world.claimDue();
    const replayed = await replays.replay(endpoint.key, event.seq, world.now, world.terms());
    expect(await events.deliveries(event.seq, world.now)).toMatchObject([
      { id: old?.id, trigger: 'capture', state: 'pending' },
      { id: only(replayed?.claimed ?? []).id, trigger: 'replay', state: 'pending' },
    ]);
    expect(await queue.begin(claims, world.now + LEASE_MS, world.now)).toMatchObject([{}]);
    // Its outcome is recorded, and doesn't affect the latest round.
    expect(await world.settle(only(claims), 'dead')).toMatchObject({
      eventStatus: 'received',
      attempt: { number: 1, trigger: 'capture' },
    });
    expect(await events.deliveries(event.seq, world.now)).toMatchObject([{ trigger: 'replay' }]);
    expect(await events.find(endpoint.key, event.id)).toMatchObject({
      status: 'received',
      attempts: 0,
    });
  });

  test('without destinations creates no deliveries', async () => {
    const world = await begin();
    const { events, replays, destinations } = world.store;
    const endpoint = await world.endpoint();
    const destination = await world.destination(endpoint);
    const event = await world.event(endpoint);
    await world.settle(only(await world.claimDue()), 'succeeded');
    await destinations.remove(endpoint.key, destination.id, world.now, false);
    const nothing = { deliveries: 0, claimed: [], unclaimed: new Set() };
    expect(await replays.replay(endpoint.key, event.seq, world.now, world.terms())).toEqual(
      nothing,
    );
    expect(await events.deliveries(event.seq, world.now)).toEqual([]);
    expect(await events.find(endpoint.key, event.id)).toEqual({
      ...{ ...event, attempts: 0, outcome: expect.any(Object) },
      deliveryCounts: NO_DELIVERIES,
    });
    expect(await events.attempts(event.seq)).toHaveLength(1);
  });

  test('claims as far as its terms allow', async () => {
    const world = await begin();
    const endpoint = await world.endpoint();
    const a = await world.destination(endpoint);
    const b = await world.destination(endpoint);
    const event = await world.event(endpoint);
    await world.claimDue();
    const replay = (terms: Parameters<typeof world.terms>[0]) =>
      world.store.replays.replay(endpoint.key, event.seq, world.now, world.terms(terms));
    const skipping = await replay({ skip: new Set([a.key]) });
    expect(skipping?.claimed.map(({ destination }) => destination.key)).toEqual([b.key]);
    expect(skipping?.unclaimed).toEqual(new Set([a.key]));
    const limited = await replay({ limit: 1 });
    expect(limited?.claimed).toHaveLength(1);
    expect(limited?.unclaimed.size).toBe(1);
    expect(await world.claimDue()).toHaveLength(1);
  });

  test('works on a paused endpoint', async () => {
    const world = await begin();
    const endpoint = await world.endpoint();
    await world.destination(endpoint);
    const event = await world.event(endpoint);
    await world.store.endpoints.update(endpoint.key, settingsPatch({ is_active: false }));
    const replayed = await world.store.replays.replay(
      endpoint.key,
      event.seq,
      world.now,
      world.terms(),
    );
    expect(await world.settle(only(replayed?.claimed ?? []), 'succeeded')).toMatchObject({
      eventStatus: 'delivered',
    });
  });

  test('of another endpoint’s event or an unknown one is null', async () => {
    const world = await begin();
    const endpoint = await world.endpoint();
    const other = await world.endpoint();
    await world.destination(other);
    const event = await world.event(endpoint);
    const { replay } = world.store.replays;
    const replayed = (key: number, seq: number) =>
      replay.call(world.store.replays, key, seq, world.now, world.terms());
    expect(await replayed(other.key, event.seq)).toBeNull();
    expect(await replayed(endpoint.key, event.seq + 1)).toBeNull();
    expect(await world.claimDue()).toEqual([]);
  });
}
