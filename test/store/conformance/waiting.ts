import { expect, test } from 'vitest';
import type { Delivery, DeliveryCounts, Endpoint, EventSummary } from '../../../src/core/model.ts';
import { DEFAULT_DESTINATION_SETTINGS } from '../../../src/core/settings/destination-settings.ts';
import type { EventFilter } from '../../../src/store/contract/events.ts';
import type { Settlement } from '../../../src/store/contract/queue.ts';
import { BREAKER } from '../../fixtures/breaker.ts';
import { NO_DELIVERIES } from '../../fixtures/no-deliveries.ts';
import { Random } from './random.ts';
import { clearedWorlds, type OpenStore, only, type RequestPatch, type World } from './world.ts';

const FAILED = { reach: 'failed' } satisfies Partial<Settlement>;
const HOLDS: ReadonlySet<string | null> = new Set(['paused', 'unjudged', 'breaker', 'order']);

/** What the counts of an event must be, by its deliveries. No destination has two of them here. */
function countsOf(deliveries: readonly Delivery[]): DeliveryCounts {
  const counts = { ...NO_DELIVERIES };
  for (const { state, waitsFor } of deliveries) {
    counts[state]++;
    if (HOLDS.has(waitsFor)) counts.held++;
  }
  return counts;
}

export function waitingConformance(open: OpenStore): void {
  const begin = clearedWorlds(open);

  /** Captures an event for one destination with these settings. Returns it as it is listed. */
  async function captured(
    world: World,
    endpoint: Endpoint,
    patch: RequestPatch = {},
  ): Promise<EventSummary> {
    const event = await world.event(endpoint, patch);
    const found = await world.store.events.find(endpoint.key, event.id);
    expect(found).toEqual(event);
    return event;
  }

  const named = (settings: object) => ({
    settings: { ...DEFAULT_DESTINATION_SETTINGS, name: 'ledger', ...settings },
  });

  test('an event says which destination holds it, and why, from its capture on', async () => {
    const world = await begin();
    const endpoint = await world.endpoint();
    const { id } = await world.destination(endpoint, named({}));
    expect(await captured(world, endpoint)).toMatchObject({
      deliveryCounts: { ...NO_DELIVERIES, pending: 1 },
      heldBy: null,
    });
    const change = { at: world.now, by: null };
    await world.store.destinations.update(endpoint.key, id, named({ state: 'paused' }), change);
    expect(await captured(world, endpoint)).toMatchObject({
      deliveryCounts: { ...NO_DELIVERIES, pending: 1, held: 1 },
      heldBy: { destinationId: id, name: 'ledger', reason: 'paused' },
    });
  });

  test('an event behind another of its key is held by the order', async () => {
    const world = await begin();
    const endpoint = await world.endpoint();
    const { id, key, url } = await world.destination(endpoint, {
      settings: { ...DEFAULT_DESTINATION_SETTINGS, order_by: 'body.id' },
    });
    const verdict = await world.verdict(endpoint, {
      orderKeys: [{ destinationKey: key, key: '7' }],
    });
    expect((await captured(world, endpoint, { verdict })).heldBy).toBeNull();
    expect(await captured(world, endpoint, { verdict })).toMatchObject({
      deliveryCounts: { ...NO_DELIVERIES, pending: 1, held: 1 },
      heldBy: { destinationId: id, name: url, reason: 'order' },
    });
  });

  test('an open breaker holds what waits and what comes', async () => {
    const world = await begin();
    const endpoint = await world.endpoint();
    await world.destination(endpoint, named({}));
    await world.events(endpoint, Array(12).fill({}));
    const claims = await world.claimDue();
    for (const claim of claims.slice(0, 10)) {
      world.now += 10_000;
      const settlement = world.settlement(claim, { retryInMs: 1 }, FAILED);
      await world.store.queue.settle([settlement], BREAKER);
    }
    await world.store.queue.release(claims.slice(10));
    const heldBy = { name: 'ledger', reason: 'breaker' };
    expect(await captured(world, endpoint)).toMatchObject({ heldBy });
    const listed = await world.listed(endpoint, { waiting: true });
    expect(listed).toHaveLength(13);
    for (const event of listed) {
      expect(event).toMatchObject({ deliveryCounts: { pending: 1, held: 1 }, heldBy });
    }
  });

  test('a filter’s drop counts, until the event is replayed to the destination', async () => {
    const world = await begin();
    const endpoint = await world.endpoint();
    const { id, key } = await world.destination(endpoint, named({ filter: 'path=/none' }));
    await world.destination(endpoint);
    const event = await world.droppedEvent(endpoint, [key]);
    const counts = { ...NO_DELIVERIES, pending: 1, filtered: 1 };
    expect(event.deliveryCounts).toEqual(counts);
    expect(only(await world.listed(endpoint)).deliveryCounts).toEqual(counts);
    await world.store.replays.replay(endpoint.key, event.seq, world.now, world.terms(), {
      ...{ to: 'destinations', ids: [id] },
    });
    const replayed = only(await world.listed(endpoint));
    expect(replayed.deliveryCounts).toEqual({ ...NO_DELIVERIES, pending: 2 });
  });

  test('counts fit the deliveries, and lists of what waits are complete, in every page', async () => {
    const world = await begin();
    const random = new Random(42);
    const endpoint = await world.endpoint();
    const neighbour = await world.endpoint({ userId: endpoint.userId });
    for (const at of [endpoint, endpoint, endpoint, neighbour]) await world.destination(at);
    // Without a destination, nothing waits.
    const idle = await world.endpoint({ userId: endpoint.userId });
    await world.events(idle, [{}, {}]);
    for (let i = 0; i < 40; i++) {
      const method = random.pick(['GET', 'POST']);
      await world.event(random.chance(0.7) ? endpoint : neighbour, { method });
    }
    const finish = async () => {
      world.now += 60_000;
      for (const claim of await world.claimDue()) {
        const outcome = random.pick([
          ...(['succeeded', 'succeeded', 'dead', { retryInMs: 1 }] as const),
          ...(['cancelled', null] as const),
        ]);
        if (outcome === 'cancelled') await world.store.deliveries.cancel(claim.id);
        else if (outcome) await world.settle(claim, outcome);
        else await world.store.queue.release([claim]);
      }
    };
    await finish();
    const some = (await world.listed(endpoint)).filter(() => random.chance(0.3));
    for (const { seq } of some) {
      await world.store.replays.replay(endpoint.key, seq, world.now, world.terms({ limit: 0 }));
    }
    await finish();
    const { events } = world.store;
    const scope = { userId: endpoint.userId };
    const all = (await events.list(scope, {}, { offset: 0, limit: 100 })).events;
    const waits = new Set<string>();
    for (const event of all) {
      const deliveries = await events.deliveries(event.seq, world.now);
      expect(event.deliveryCounts).toEqual(countsOf(deliveries));
      if (deliveries.some(({ state }) => state === 'pending')) waits.add(event.id);
    }
    expect(waits.size).toBeGreaterThan(5);
    expect(waits.size).toBeLessThan(all.length - 5);

    const filters: [EventFilter, (event: EventSummary) => boolean][] = [
      [{}, () => true],
      [{ method: 'GET' }, ({ method }) => method === 'GET'],
      [{ status: 'failed' }, ({ status }) => status === 'failed'],
      [{ where: 'method=GET' }, ({ method }) => method === 'GET'],
      [{ after: all[20]?.seq ?? 0 }, ({ seq }) => seq > (all[20]?.seq ?? 0)],
      [{ status: 'delivered' }, () => false],
    ];
    for (const endpointKeys of [[endpoint.key], [endpoint.key, neighbour.key, idle.key]]) {
      const ids = new Set(endpointKeys);
      const mine = [endpoint, neighbour, idle].filter(({ key }) => ids.has(key));
      for (const [filter, fits] of filters) {
        const expected = all.filter(
          (event) =>
            waits.has(event.id) && fits(event) && mine.some(({ id }) => id === event.endpointId),
        );
        const listed: EventSummary[] = [];
        for (let offset = 0; ; offset += 3) {
          const page = await events.list(
            { endpointKeys },
            { ...filter, waiting: true },
            { offset, limit: 3 },
          );
          expect(page.total).toBe(expected.length);
          listed.push(...page.events);
          if (page.events.length < 3) break;
        }
        expect(listed).toEqual(expected);
      }
    }
  });
}
