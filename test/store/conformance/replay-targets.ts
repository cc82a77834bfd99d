import { describe, expect, test } from 'vitest';
import { newId } from '../../../src/core/ids.ts';
import type { Destination, Endpoint, EventSummary } from '../../../src/core/model.ts';
import {
  DEFAULT_DESTINATION_SETTINGS,
  type DestinationSettings,
} from '../../../src/core/settings/destination-settings.ts';
import type { ClaimedDelivery } from '../../../src/store/contract/claims.ts';
import type { ReplayTarget } from '../../../src/store/contract/replays.ts';
import { CLAIM_NOTHING, clearedWorlds, type OpenStore, only, type World } from './world.ts';

const URL = 'https://once.example.com/hook';

export const withSettings = (settings: Partial<DestinationSettings>) => ({
  settings: { ...DEFAULT_DESTINATION_SETTINGS, ...settings },
});

const toSome = (...destinations: Destination[]): ReplayTarget => ({
  to: 'destinations',
  ids: destinations.map(({ id }) => id),
});

const once = (world: World, url = URL, mostUrls = 10): ReplayTarget => ({
  ...{ to: 'url', url, mostUrls },
  id: newId('dst', world.now),
});

const replay = (
  world: World,
  endpoint: Endpoint,
  { seq }: EventSummary,
  target?: ReplayTarget,
  terms = CLAIM_NOTHING,
) => world.store.replays.replay(endpoint.key, seq, world.now, terms, target);

const change = (world: World, destination: Destination, settings: Partial<DestinationSettings>) =>
  world.store.destinations.update(
    ...([endpointOf.get(destination) as number, destination.id] as const),
    { settings },
    { at: world.now, by: null },
  );
const endpointOf = new WeakMap<Destination, number>();

/** An endpoint with two destinations, and an event that one got and the other refused. */
async function halfDead(world: World) {
  const endpoint = await world.endpoint();
  const [a, b] = [await world.destination(endpoint), await world.destination(endpoint)];
  for (const one of [a, b]) endpointOf.set(one, endpoint.key);
  const event = await world.event(endpoint, { body: '{"id":7}' });
  for (const claim of await world.claimDue()) {
    await world.settle(claim, claim.destination.key === a.key ? 'succeeded' : 'dead');
  }
  world.now += 1000;
  return { endpoint, event, a, b };
}

const deliveriesOf = async (world: World, { seq }: EventSummary) =>
  (await world.store.events.deliveries(seq, world.now)).map(
    ({ destinationId, state, trigger }) => ({ destinationId, state, trigger }),
  );

export function replayTargetConformance(open: OpenStore): void {
  const begin = clearedWorlds(open);

  describe('to some destinations', () => {
    test('makes deliveries to these alone, and the others still count', async () => {
      const world = await begin();
      const { endpoint, event, a, b } = await halfDead(world);
      expect(await world.status(endpoint, event)).toBe('dead_letter');
      const replayed = await replay(world, endpoint, event, toSome(b), world.terms());
      expect(replayed?.deliveries).toBe(1);
      expect(await world.status(endpoint, event)).toBe('received');
      expect(await deliveriesOf(world, event)).toEqual([
        { destinationId: a.id, state: 'succeeded', trigger: 'capture' },
        { destinationId: b.id, state: 'pending', trigger: 'replay' },
      ]);
      const claim = only(replayed?.claimed ?? []);
      expect(await world.settle(claim, { retryInMs: 0 })).toMatchObject({ eventStatus: 'failed' });
      expect(await world.settle(only(await world.claimDue()), 'succeeded')).toMatchObject({
        eventStatus: 'delivered',
      });
      // One of the capture to each, two of the replay.
      expect(await world.store.events.find(endpoint.key, event.id)).toMatchObject({ attempts: 4 });
    });

    test('the one that is delivered again counts by its newest delivery', async () => {
      const world = await begin();
      const { endpoint, event, a, b } = await halfDead(world);
      await replay(world, endpoint, event, toSome(a));
      await world.settle(only(await world.claimDue()), 'dead');
      expect(await world.status(endpoint, event)).toBe('dead_letter');
      await replay(world, endpoint, event, toSome(a, b));
      for (const claim of await world.claimDue()) await world.settle(claim, 'succeeded');
      expect(await world.status(endpoint, event)).toBe('delivered');
    });

    test('supersedes open deliveries to these destinations alone', async () => {
      const world = await begin();
      const endpoint = await world.endpoint();
      const [a, b] = [await world.destination(endpoint), await world.destination(endpoint)];
      const event = await world.event(endpoint);
      const claims = await world.claimDue();
      await replay(world, endpoint, event, toSome(a));
      expect(await deliveriesOf(world, event)).toEqual([
        { destinationId: b.id, state: 'pending', trigger: 'capture' },
        { destinationId: a.id, state: 'pending', trigger: 'replay' },
      ]);
      for (const claim of claims) {
        const isSuperseded = claim.destination.key === a.key;
        expect(await world.settle(claim, 'dead')).toMatchObject({
          eventStatus: isSuperseded ? 'received' : 'failed',
        });
      }
      await world.settle(only(await world.claimDue()), 'succeeded');
      expect(await world.status(endpoint, event)).toBe('dead_letter');
    });

    test('a replay to all starts the count over', async () => {
      const world = await begin();
      const { endpoint, event, a } = await halfDead(world);
      await replay(world, endpoint, event, toSome(a));
      await replay(world, endpoint, event);
      expect(await world.status(endpoint, event)).toBe('received');
      expect(await world.store.events.find(endpoint.key, event.id)).toMatchObject({ attempts: 0 });
      for (const claim of await world.claimDue()) await world.settle(claim, 'succeeded');
      expect(await world.status(endpoint, event)).toBe('delivered');
    });

    test('refuses unknown, foreign, removed and disabled ones, and changes nothing', async () => {
      const world = await begin();
      const { endpoint, event, a, b } = await halfDead(world);
      const foreign = await world.destination(await world.endpoint());
      const before = await deliveriesOf(world, event);
      await world.store.destinations.remove(endpoint.key, b.id, world.now, false);
      for (const other of [foreign, b, { ...a, id: 'dst_unknown' }]) {
        await expect(replay(world, endpoint, event, toSome(a, other))).rejects.toMatchObject({
          code: 'destination_not_found',
          message: expect.stringContaining(other.id),
          hint: `hookrelay destinations list ${endpoint.id}`,
        });
      }
      await change(world, a, { state: 'disabled' });
      await expect(replay(world, endpoint, event, toSome(a))).rejects.toMatchObject({
        code: 'destination_disabled',
        message: expect.stringContaining(a.id),
        hint: `hookrelay destinations resume ${endpoint.id} ${a.id}`,
      });
      expect(await deliveriesOf(world, event)).toEqual(before);
    });

    test('what waits for a disabled destination goes on waiting', async () => {
      const world = await begin();
      const endpoint = await world.endpoint();
      const [a, b] = [await world.destination(endpoint), await world.destination(endpoint)];
      endpointOf.set(a, endpoint.key);
      const event = await world.event(endpoint);
      await change(world, a, { state: 'disabled' });
      expect(await replay(world, endpoint, event)).toMatchObject({ deliveries: 1 });
      expect(await deliveriesOf(world, event)).toEqual([
        { destinationId: a.id, state: 'pending', trigger: 'capture' },
        { destinationId: b.id, state: 'pending', trigger: 'replay' },
      ]);
      await world.settle(only(await world.claimDue()), 'succeeded');
      expect(await world.status(endpoint, event)).toBe('received');
      await change(world, a, { state: 'active' });
      world.now += 1000;
      const waited = await world.claimDue();
      await world.settle(only(waited), 'dead');
      expect(await world.status(endpoint, event)).toBe('dead_letter');
      expect(await deliveriesOf(world, event)).toEqual([
        { destinationId: a.id, state: 'dead', trigger: 'capture' },
        { destinationId: b.id, state: 'succeeded', trigger: 'replay' },
      ]);
    });

    test('only a delivery without a newer one of its destination is retried', async () => {
      const world = await begin();
      const { endpoint, event, a, b } = await halfDead(world);
      const { deliveries, events } = world.store;
      const dead = (await events.deliveries(event.seq, world.now)).find(
        ({ destinationId }) => destinationId === b.id,
      );
      await replay(world, endpoint, event, toSome(a));
      expect(await deliveries.retry(dead?.id as string, world.now)).toEqual({
        destinationKey: b.key,
      });
      expect(await world.status(endpoint, event)).toBe('failed');
      for (const claim of await world.claimDue()) await world.settle(claim, 'dead');
      await replay(world, endpoint, event, toSome(b));
      expect(await deliveries.retry(dead?.id as string, world.now)).toBe('settled');
    });
  });

  describe('to a one-off URL', () => {
    test('is retried by hand, before and after its end', async () => {
      const world = await begin();
      const endpoint = await world.endpoint();
      const event = await world.event(endpoint);
      await replay(world, endpoint, event, once(world));
      for (const outcome of [{ retryInMs: 60_000 }, 'dead', 'succeeded'] as const) {
        const claim = only(await world.claimDue());
        await world.settle(claim, outcome);
        expect(await world.claimDue()).toEqual([]);
        const retried = await world.store.deliveries.retry(claim.id, world.now);
        if (outcome === 'succeeded') expect(retried).toBe('settled');
        else expect(retried).toEqual({ destinationKey: claim.destination.key });
      }
    });

    test('delivers there once, without a destination, and the status stays', async () => {
      const world = await begin();
      const { endpoint, event, a, b } = await halfDead(world);
      const target = once(world);
      const replayed = await replay(world, endpoint, event, target, world.terms());
      expect(replayed?.deliveries).toBe(1);
      const claim = only(replayed?.claimed ?? []);
      expect(claim).toMatchObject({ trigger: 'replay', destination: { id: null } });
      expect(await world.store.events.deliveries(event.seq, world.now)).toMatchObject([
        { destinationId: a.id },
        { destinationId: b.id },
        { destinationId: null, destinationUrl: URL, state: 'pending' },
      ]);
      const [begun] = await world.store.queue.begin([claim], world.now + 60_000, world.now);
      expect(begun).toMatchObject({
        destination: { url: URL, sealedSecret: null, sealedHeaders: null },
      });
      expect(await world.settle(claim, 'succeeded')).toMatchObject({
        eventStatus: 'dead_letter',
        attempt: { destinationId: null },
      });
      expect(await world.status(endpoint, event)).toBe('dead_letter');
      expect(await world.store.events.find(endpoint.key, event.id)).toMatchObject({ attempts: 3 });
      const attempts = await world.store.events.attempts(event.seq);
      expect(attempts.map(({ destinationId }) => destinationId)).toContain(null);
      expect(await world.store.destinations.list(endpoint.key)).toHaveLength(2);
      expect(
        await world.store.destinations.get(endpoint.key, target.to === 'url' ? target.id : ''),
      ).toBeNull();
    });

    test('again supersedes the open one, and another URL is another', async () => {
      const world = await begin();
      const { endpoint, event } = await halfDead(world);
      await replay(world, endpoint, event, once(world));
      await replay(world, endpoint, event, once(world));
      await replay(world, endpoint, event, once(world, `${URL}/2`));
      const claims = await world.claimDue();
      expect(claims).toHaveLength(2);
      for (const claim of claims) await world.settle(claim, 'dead');
      const shown = await world.store.events.deliveries(event.seq, world.now);
      expect(shown.slice(2).map((one) => [one.destinationUrl, one.state])).toEqual([
        [URL, 'dead'],
        [`${URL}/2`, 'dead'],
      ]);
    });

    test('an endpoint has only so many', async () => {
      const world = await begin();
      const { endpoint, event } = await halfDead(world);
      await replay(world, endpoint, event, once(world, URL, 1));
      await expect(
        replay(world, endpoint, event, once(world, `${URL}/2`, 1)),
      ).rejects.toMatchObject({ code: 'limit_reached' });
      expect(await replay(world, endpoint, event, once(world, URL, 1))).toMatchObject({
        deliveries: 1,
      });
    });

    test('of an event that is gone is null, and makes no row', async () => {
      const world = await begin();
      const { endpoint, event } = await halfDead(world);
      const target = once(world, URL, 0);
      expect(await replay(world, endpoint, { ...event, seq: event.seq + 99 }, target)).toBeNull();
    });
  });

  describe('filters and orders', () => {
    test('a destination that is newer than the event judges it by its filter of now', async () => {
      const world = await begin();
      const { endpoint, event, a } = await halfDead(world);
      const other = await world.event(endpoint, { body: '{"id":8}' });
      for (const claim of await world.claimDue()) await world.settle(claim, 'succeeded');
      world.now += 1000;
      const added = await world.destination(endpoint, withSettings({ filter: 'body.id=8' }));
      expect(await replay(world, endpoint, event)).toMatchObject({ deliveries: 2 });
      expect(await replay(world, endpoint, other)).toMatchObject({ deliveries: 3 });
      expect(await replay(world, endpoint, event, toSome(added))).toMatchObject({ deliveries: 1 });
      // A destination that is older than the event passes it whatever it says now.
      await change(world, a, { filter: 'body.id=9' });
      expect(await replay(world, endpoint, event)).toMatchObject({ deliveries: 2 });
    });

    test('what a filter dropped goes there only by name, and is then no longer filtered', async () => {
      const world = await begin();
      const endpoint = await world.endpoint();
      const picky = await world.destination(endpoint, withSettings({ filter: 'method=PUT' }));
      const event = await world.droppedEvent(endpoint, [picky.key]);
      const isDropped = async () =>
        (await world.listed(endpoint, { filteredBy: picky.id })).length === 1;
      expect(await replay(world, endpoint, event)).toMatchObject({ deliveries: 0 });
      expect(await isDropped()).toBe(true);
      expect(await replay(world, endpoint, event, toSome(picky))).toMatchObject({ deliveries: 1 });
      expect(await isDropped()).toBe(false);
      expect(await deliveriesOf(world, event)).toEqual([
        { destinationId: picky.id, state: 'pending', trigger: 'replay' },
      ]);
    });

    test('an ordered delivery queues behind its key, by the order of now', async () => {
      const world = await begin();
      const endpoint = await world.endpoint();
      const ordered = await world.destination(endpoint);
      endpointOf.set(ordered, endpoint.key);
      const events = await world.events(endpoint, [
        { body: '{"id":7}' },
        { body: '{"id":7}' },
        { body: '{"id":8}' },
        { body: '{}' },
      ]);
      for (const claim of await world.claimDue()) await world.settle(claim, 'succeeded');
      await change(world, ordered, { order_by: 'body.id' });
      for (const event of events) await replay(world, endpoint, event);
      const claims = await world.claimDue();
      expect(claims.map(({ eventSeq, orderKey }) => [eventSeq, orderKey])).toEqual([
        [events[0]?.seq, '7'],
        [events[2]?.seq, '8'],
        [events[3]?.seq, null],
      ]);
      // The first goes to the end of its key.
      const again = await replay(world, endpoint, events[0] as EventSummary);
      expect(again?.unclaimed).toEqual(new Set([ordered.key]));
      expect(await world.claimDue()).toEqual([]);
      await world.settle(claims[0] as ClaimedDelivery, 'succeeded');
      expect(only(await world.claimDue()).eventSeq).toBe(events[1]?.seq);
      await change(world, ordered, { order_by: '*' });
      expect(await replay(world, endpoint, events[3] as EventSummary)).toMatchObject({
        deliveries: 1,
      });
      expect(only(await world.claimDue()).orderKey).toBe('*');
    });
  });
}
