import { describe, expect, test } from 'vitest';
import type { OnUnjudged } from '../../../src/core/judging/unjudged.ts';
import type { Destination, Endpoint, EventSummary } from '../../../src/core/model.ts';
import type { Dedupe } from '../../../src/core/proof/dedupe.ts';
import {
  DEFAULT_DESTINATION_SETTINGS,
  type DestinationSettings,
} from '../../../src/core/settings/destination-settings.ts';
import type { ClaimedDelivery } from '../../../src/store/contract/claims.ts';
import { verdictOf } from '../../fixtures/verdict.ts';
import { clearedWorlds, type OpenStore, only, settingsPatch, type World } from './world.ts';

const MINUTE_MS = 60_000;
const BY_ID: Dedupe = { by: ['body.id'], since: 's' };
/** Nine million steps on `COSTLY_BODY`. */
const COSTLY = JSON.stringify({ body: { list: Array(450).fill({ $gt: 1 }) } });
const COSTLY_BODY = JSON.stringify({ id: 'a', list: [...Array(20_000).fill(1), 2] });

interface Place {
  world: World;
  endpoint: Endpoint;
  destination: Destination;
  version: number;
}

export function unjudgedConformance(open: OpenStore): void {
  const begin = clearedWorlds(open);

  async function placeOf(
    on_unjudged: OnUnjudged,
    settings: Partial<DestinationSettings> = {},
  ): Promise<Place> {
    const world = await begin();
    const endpoint = await world.endpoint({ on_unjudged });
    const destination = await world.destination(endpoint, {
      settings: { ...DEFAULT_DESTINATION_SETTINGS, filter: COSTLY, ...settings },
    });
    const version = (await world.judgeBy(endpoint))?.version ?? 0;
    return { world, endpoint, destination, version };
  }

  /** A capture with an order key, which its filter couldn't judge unless it is `judged`. */
  function capture(
    { world, endpoint, destination, version }: Place,
    key: string | null,
    judged = false,
  ): Promise<EventSummary> {
    world.now++;
    const orderKeys = key === null ? [] : [{ destinationKey: destination.key, key }];
    const unjudged = judged ? null : 'too_slow';
    const verdict = verdictOf({ version, orderKeys, unjudged });
    return world.event(endpoint, { verdict, body: COSTLY_BODY });
  }

  const deliveryOf = async ({ world }: Place, { seq }: EventSummary) =>
    only(await world.store.events.deliveries(seq, world.now));
  const claimed = async ({ world }: Place) => {
    const claims = await world.claimDue();
    return claims.map(({ eventId }) => eventId);
  };
  const settled = async ({ world }: Place, outcome: Parameters<World['settle']>[1]) => {
    const claim = only(await world.claimDue());
    await world.settle(claim, outcome);
    return claim.eventId;
  };

  test('says so, on the event and on its deliveries, and is delivered', async () => {
    const place = await placeOf('deliver');
    const { world, endpoint } = place;
    const event = await capture(place, null);
    expect(event.unjudged).toBe('too_slow');
    expect((await world.listed(endpoint)).map(({ unjudged }) => unjudged)).toEqual(['too_slow']);
    expect(await deliveryOf(place, event)).toMatchObject({ unjudged: 'too_slow', waitsFor: null });
    expect(await settled(place, 'succeeded')).toBe(event.id);
    expect(await deliveryOf(place, event)).toMatchObject({
      ...{ unjudged: 'too_slow', state: 'succeeded' },
    });
    const judged = await capture(place, null, true);
    expect(judged.unjudged).toBeNull();
    expect(await deliveryOf(place, judged)).toMatchObject({ unjudged: null });
  });

  test('an endpoint’s choice counts from the moment that it is stored', async () => {
    const place = await placeOf('deliver');
    const { world, endpoint } = place;
    const { endpoints } = world.store;
    expect(
      await endpoints.update(endpoint.key, settingsPatch({ on_unjudged: 'hold' })),
    ).toMatchObject({
      settings: { on_unjudged: 'hold' },
    });
    expect(await endpoints.find(endpoint.userId, endpoint.id)).toMatchObject({
      settings: { on_unjudged: 'hold' },
    });
    expect(await endpoints.update(endpoint.key, settingsPatch({ name: 'other' }))).toMatchObject({
      settings: { on_unjudged: 'hold' },
    });
    place.version = (await world.judgeBy(endpoint))?.version ?? 0;
    const event = await capture(place, null);
    expect(await deliveryOf(place, event)).toMatchObject({ waitsFor: 'unjudged' });
  });

  test('issues read it in order, with what became of it, without duplicates', async () => {
    const world = await begin();
    const endpoints = [
      await world.endpoint({ dedupe: BY_ID }),
      await world.endpoint({ dedupe: BY_ID, on_unjudged: 'hold' }),
    ] as const;
    const captured = async (of: Endpoint, keys: readonly (string | null)[]) => {
      const verdict = await world.verdict(of, { unjudged: 'too_large' });
      const once = (key: string | null) => (key === null ? null : { key, body: key });
      return world.events(
        of,
        keys.map((key) => ({ verdict: { ...verdict, once: once(key) } })),
      );
    };
    const [first] = await captured(endpoints[0], ['a', 'a']);
    await world.event(endpoints[0], { verdict: await world.verdict(endpoints[0]) });
    const [last] = await captured(endpoints[1], [null]);
    const { facts, scannedTo } = await world.store.issues.unjudgedFacts(0, 10);
    const of = ({ key, userId }: Endpoint) => ({ endpointKey: key, userId, at: world.now });
    expect(facts).toEqual([
      { ...of(endpoints[0]), seq: first?.seq, eventId: first?.id, fate: 'delivered' },
      { ...of(endpoints[1]), seq: last?.seq, eventId: last?.id, fate: 'held' },
    ]);
    expect(scannedTo).toBe(last?.seq);
    expect((await world.store.issues.unjudgedFacts(scannedTo, 10)).facts).toEqual([]);
  });

  describe('a held delivery', () => {
    test('waits for a person, also after a crash, and a retry by hand sends it alone', async () => {
      const place = await placeOf('hold');
      const { world, endpoint, version } = place;
      const verdict = verdictOf({ version, unjudged: 'too_large' });
      const { claimed: given, unclaimed } = await world.capture(
        endpoint,
        [{ verdict }, { verdict }],
        world.terms(),
      );
      expect(given).toEqual([]);
      expect(unclaimed).toEqual(new Set());
      const [second, first] = (await world.listed(endpoint)) as [EventSummary, EventSummary];
      await world.reopen();
      world.now += MINUTE_MS;
      expect(await claimed(place)).toEqual([]);
      const { id } = await deliveryOf(place, first);
      expect(await deliveryOf(place, first)).toMatchObject({
        ...{ state: 'pending', waitsFor: 'unjudged', nextAttemptAt: null },
        unjudged: 'too_large',
      });
      expect(await world.store.deliveries.holder(id)).toBeNull();

      expect(await world.store.deliveries.retry(id, world.now)).toMatchObject({
        destinationKey: place.destination.key,
      });
      expect(await settled(place, { retryInMs: MINUTE_MS })).toBe(first.id);
      expect(await deliveryOf(place, first)).toMatchObject({ attempts: 1, waitsFor: 'retry' });
      world.now += MINUTE_MS;
      expect(await settled(place, 'succeeded')).toBe(first.id);
      expect(await deliveryOf(place, second)).toMatchObject({ waitsFor: 'unjudged' });
    });

    test('a released one goes on after a crash', async () => {
      const place = await placeOf('hold');
      const { world } = place;
      const event = await capture(place, null);
      await world.store.deliveries.retry((await deliveryOf(place, event)).id, world.now);
      await world.reopen();
      expect(await settled(place, 'succeeded')).toBe(event.id);
    });

    test('holds its order key, until it is sent or cancelled', async () => {
      const place = await placeOf('hold', { order_by: 'body.id' });
      const { world } = place;
      const held = await capture(place, 'a');
      const later = await capture(place, 'a', true);
      const other = await capture(place, 'b', true);
      expect(await settled(place, 'succeeded')).toBe(other.id);
      expect(await deliveryOf(place, later)).toMatchObject({ waitsFor: 'order' });
      const { id } = await deliveryOf(place, held);
      const holder = await world.store.deliveries.holder((await deliveryOf(place, later)).id);
      expect(holder).toEqual({ id, orderKey: 'a' });
      await world.store.deliveries.retry(id, world.now);
      expect(await settled(place, 'succeeded')).toBe(held.id);
      expect(await settled(place, 'succeeded')).toBe(later.id);

      const again = await capture(place, 'a');
      const last = await capture(place, 'a', true);
      expect(await claimed(place)).toEqual([]);
      await world.store.deliveries.cancel((await deliveryOf(place, again)).id);
      expect(await settled(place, 'succeeded')).toBe(last.id);
    });

    test('stays held when its turn comes, and keeps its place when it is sent before', async () => {
      const place = await placeOf('hold', { order_by: 'body.id' });
      const { world } = place;
      const first = await capture(place, 'a', true);
      const held = await capture(place, 'a');
      const third = await capture(place, 'a', true);
      const heldToo = await capture(place, 'a');
      const claim = only(await world.claimDue()) as ClaimedDelivery;
      expect(claim.eventId).toBe(first.id);
      // Cancelled out of its turn, it frees nobody.
      await world.store.deliveries.cancel((await deliveryOf(place, heldToo)).id);
      expect(await claimed(place)).toEqual([]);
      await world.store.deliveries.retry((await deliveryOf(place, held)).id, world.now);
      expect(await settled(place, { retryInMs: MINUTE_MS })).toBe(held.id);
      await world.settle(claim, 'succeeded');
      expect(await claimed(place)).toEqual([]);
      world.now += MINUTE_MS;
      expect(await settled(place, 'succeeded')).toBe(held.id);
      const next = only(await world.claimDue());
      expect(next.eventId).toBe(third.id);
      const stays = await capture(place, 'a');
      await world.settle(next, 'succeeded');
      expect(await claimed(place)).toEqual([]);
      expect(await deliveryOf(place, stays)).toMatchObject({ waitsFor: 'unjudged' });
    });

    test('is replaced by a replay, which judges the event again', async () => {
      const place = await placeOf('hold');
      const { world, endpoint, destination } = place;
      const event = await capture(place, null);
      const replayed = await world.store.replays.replay(
        ...([endpoint.key, event.seq, world.now, world.terms({ limit: 0 })] as const),
      );
      expect(replayed?.deliveries).toBe(1);
      expect(await settled(place, 'succeeded')).toBe(event.id);

      const change = { at: world.now, by: null };
      const settings = { filter: 'header.x-kind=other' };
      await world.store.destinations.update(endpoint.key, destination.id, { settings }, change);
      const again = await world.store.replays.replay(
        ...([endpoint.key, event.seq, world.now, world.terms()] as const),
      );
      expect(again?.deliveries).toBe(0);
    });

    test('comes of a bulk replay that cannot judge an event, also one that was judged', async () => {
      const place = await placeOf('hold');
      const { world, endpoint } = place;
      const event = await capture(place, null, true);
      expect(await settled(place, 'succeeded')).toBe(event.id);
      world.now++;
      const newer = await world.destination(endpoint, {
        settings: { ...DEFAULT_DESTINATION_SETTINGS, filter: COSTLY },
      });
      const job = { id: 'job_unjudged', endpointKey: endpoint.key, filter: {}, now: world.now };
      await world.store.replays.startJob({ ...job, destinationIds: [newer.id] }, 10);
      while (await world.store.replays.workOff(world.now, { events: 10, deliveries: 10 }));
      const deliveries = await world.store.events.deliveries(event.seq, world.now);
      const made = deliveries.find(({ destinationId }) => destinationId === newer.id);
      expect(made).toMatchObject({ waitsFor: 'unjudged', unjudged: 'too_slow' });
      expect(await claimed(place)).toEqual([]);
    });
  });
}
