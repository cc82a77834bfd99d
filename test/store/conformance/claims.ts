import { describe, expect, test } from 'vitest';
import { UNTRIED } from '../../../src/core/flow/slot-class.ts';
import type { Destination, Endpoint } from '../../../src/core/model.ts';
import { NOT_CHECKED } from '../../../src/core/proof/verification.ts';
import type { ClaimedDelivery } from '../../../src/store/contract/claims.ts';
import type { OutgoingRequest } from '../../../src/store/contract/queue.ts';
import { BREAKER } from '../../fixtures/breaker.ts';
import {
  CLAIM_NOTHING,
  clearedWorlds,
  LEASE_MS,
  type OpenStore,
  only,
  type World,
} from './world.ts';

const HOUR_MS = 3_600_000;

async function lane(world: World): Promise<{ endpoint: Endpoint; destination: Destination }> {
  const endpoint = await world.endpoint();
  return { endpoint, destination: await world.destination(endpoint) };
}

const eventsOf = (claims: readonly ClaimedDelivery[], key: number) =>
  claims.filter(({ destination }) => destination.key === key).map(({ eventId }) => eventId);

export function claimConformance(open: OpenStore): void {
  const begin = clearedWorlds(open);

  describe('a due delivery', () => {
    test('a look at some destinations claims and counts no others', async () => {
      const world = await begin();
      const endpoint = await world.endpoint();
      const [a, b] = [await world.destination(endpoint), await world.destination(endpoint)];
      await world.events(endpoint, [{}, {}]);
      const only = new Set([a.key]);
      expect((await world.claimDue({ only })).map(({ destination }) => destination.key)).toEqual([
        a.key,
        a.key,
      ]);
      const { queue } = world.store;
      expect(await queue.nextDueAt(world.now, new Set(), only)).toBeNull();
      expect(await queue.nextDueAt(world.now, new Set(), new Set([b.key]))).toBe(world.now);
      expect(await queue.nextDueAt(world.now, new Set())).toBe(world.now);
    });

    test('has everything that an attempt needs', async () => {
      const world = await begin();
      const { endpoint, destination } = await lane(world);
      const event = await world.event(endpoint, { body: 'abcd' });
      const claim = only(await world.claimDue());
      expect(claim).toMatchObject({
        eventSeq: event.seq,
        eventId: event.id,
        endpointKey: endpoint.key,
        trigger: 'capture',
        attempts: 0,
        size: 4,
        destination: { key: destination.key, id: destination.id, slotClass: UNTRIED },
      });
      const [begun] = await world.store.queue.begin([claim], world.now + 1000, world.now);
      expect(begun).toMatchObject({ destination, request: { body: Buffer.from('abcd') } });
      const delivery = only(await world.store.events.deliveries(event.seq, world.now));
      expect(claim.id).toBe(delivery.id);
    });

    test('is claimed at its millisecond, not before', async () => {
      const world = await begin();
      const { endpoint } = await lane(world);
      await world.event(endpoint, { receivedAt: world.now + 1 });
      expect(await world.claimDue()).toEqual([]);
      expect(await world.store.queue.nextDueAt(world.now, new Set())).toBe(world.now + 1);
      world.now += 1;
      expect(await world.claimDue()).toHaveLength(1);
    });

    test('is claimed longest due first, of each destination', async () => {
      const world = await begin();
      const a = await lane(world);
      const b = await lane(world);
      const at = world.now;
      const ages = [5, 1, 4, 2, 3];
      const ofA = await world.events(
        a.endpoint,
        ages.map((age) => ({ receivedAt: at - age })),
      );
      const ofB = await world.events(
        b.endpoint,
        ages.map((age) => ({ receivedAt: at - 100 * age })),
      );
      const oldestFirst = [0, 2, 4, 3, 1];
      const claims = await world.claimDue({ perDestination: 3 });
      expect(claims).toHaveLength(6);
      expect(eventsOf(claims, a.destination.key)).toEqual(
        oldestFirst.slice(0, 3).map((i) => ofA[i]?.id),
      );
      expect(eventsOf(claims, b.destination.key)).toEqual(
        oldestFirst.slice(0, 3).map((i) => ofB[i]?.id),
      );
      const rest = await world.claimDue({ perDestination: 3 });
      expect(eventsOf(rest, a.destination.key)).toEqual(
        oldestFirst.slice(3).map((i) => ofA[i]?.id),
      );
      expect(rest).toHaveLength(4);
    });

    test('of a busy destination delays no other destination', async () => {
      const world = await begin();
      const busy = await lane(world);
      const quiet = await lane(world);
      await world.events(
        busy.endpoint,
        Array.from({ length: 50 }, (_, i) => ({ receivedAt: world.now - 1000 + i })),
      );
      await world.event(quiet.endpoint);
      const claims = await world.claimDue({ perDestination: 4, limit: 10 });
      expect(eventsOf(claims, busy.destination.key)).toHaveLength(4);
      expect(eventsOf(claims, quiet.destination.key)).toHaveLength(1);
    });

    test('is claimed up to a limit of its own', async () => {
      const world = await begin();
      const [a, b, c] = [await lane(world), await lane(world), await lane(world)];
      for (const { endpoint } of [a, b, c]) await world.events(endpoint, [{}, {}, {}, {}, {}]);
      const depths = new Map([
        [a.destination.key, 4],
        [b.destination.key, 1],
      ]);
      const claims = await world.claimDue({ perDestination: 2, depths });
      const counts = [a, b, c].map(({ destination }) => eventsOf(claims, destination.key).length);
      expect(counts).toEqual([4, 1, 2]);
    });

    test('is claimed up to the total limit', async () => {
      const world = await begin();
      for (let i = 0; i < 4; i++) {
        const { endpoint } = await lane(world);
        await world.events(endpoint, [{}, {}, {}]);
      }
      const ids = new Set<string>();
      for (const [limit, expected] of [
        [5, 5],
        [5, 5],
        [5, 2],
        [5, 0],
      ] as const) {
        const claims = await world.claimDue({ limit, perDestination: 3 });
        expect(claims).toHaveLength(expected);
        for (const { id } of claims) ids.add(id);
      }
      expect(ids.size).toBe(12);
      expect(await world.claimDue({ limit: 0 })).toEqual([]);
    });

    test('of a skipped destination is not claimed', async () => {
      const world = await begin();
      const a = await lane(world);
      const b = await lane(world);
      await world.event(a.endpoint, { receivedAt: world.now - 5 });
      await world.event(b.endpoint);
      const skip = new Set([a.destination.key]);
      expect(eventsOf(await world.claimDue({ skip }), b.destination.key)).toHaveLength(1);
      expect(await world.claimDue({ skip })).toEqual([]);
      expect(eventsOf(await world.claimDue(), a.destination.key)).toHaveLength(1);
    });

    test('of an unhealthy destination is claimed up to a separate limit', async () => {
      const world = await begin();
      const lanes = [await lane(world), await lane(world), await lane(world)];
      const [healthy, late, untried] = lanes.map(({ destination }) => destination.key);
      const outcomes = new Map([
        [healthy, false],
        [late, true],
      ]);
      for (const { endpoint } of lanes.slice(0, 2)) await world.event(endpoint);
      for (const claim of await world.claimDue()) {
        const timedOut = outcomes.get(claim.destination.key) as boolean;
        await world.store.queue.settle([world.settlement(claim, 'dead', { timedOut })], BREAKER);
      }
      // The unhealthy ones have waited longer.
      for (const [i, { endpoint }] of lanes.entries()) {
        await world.events(endpoint, Array(4).fill({ receivedAt: world.now - i }));
      }
      const counts = async (terms: Parameters<typeof world.claimDue>[0]) => {
        const claims = await world.claimDue(terms);
        const of = (key?: number) => eventsOf(claims, key as number).length;
        return { healthy: of(healthy), unhealthy: of(late) + of(untried) };
      };
      expect(await counts({ oneSlotLimit: 0, limit: 1 })).toEqual({ healthy: 1, unhealthy: 0 });
      expect(await counts({ oneSlotLimit: 1, limit: 3 })).toEqual({ healthy: 2, unhealthy: 1 });
      // One delivery of each destination, however many are due.
      expect(await counts({ oneSlotLimit: 5 })).toEqual({ healthy: 1, unhealthy: 2 });
      expect(await counts({})).toEqual({ healthy: 0, unhealthy: 5 });
    });

    test('is claimed once by concurrent calls', async () => {
      const world = await begin();
      const { endpoint } = await lane(world);
      await world.destination(endpoint);
      await world.events(endpoint, Array(30).fill({}));
      const claims = await Promise.all(
        Array.from({ length: 8 }, () => world.claimDue({ limit: 11, perDestination: 7 })),
      );
      claims.push(await world.claimDue());
      const ids = claims.flat().map(({ id }) => id);
      expect(ids).toHaveLength(60);
      expect(new Set(ids).size).toBe(60);
    });
  });

  describe('the next due time', () => {
    test('is that of the first unclaimed delivery, without skipped destinations', async () => {
      const world = await begin();
      const a = await lane(world);
      const b = await lane(world);
      const nextDue = (skip: number[] = []) =>
        world.store.queue.nextDueAt(world.now, new Set(skip));
      expect(await nextDue()).toBeNull();
      const at = world.now;
      await world.event(a.endpoint, { receivedAt: at + 10 });
      await world.event(a.endpoint, { receivedAt: at + 30 });
      await world.event(b.endpoint, { receivedAt: at + 20 });
      expect(await nextDue()).toBe(at + 10);
      expect(await nextDue([a.destination.key])).toBe(at + 20);
      expect(await nextDue([a.destination.key, b.destination.key])).toBeNull();
      world.now = at + 10;
      const claim = only(await world.claimDue());
      expect(await nextDue()).toBe(at + 20);
      expect(await nextDue([b.destination.key])).toBe(at + 30);
      await world.settle(claim, { retryInMs: 5 });
      expect(await nextDue()).toBe(at + 15);
    });

    test('skips a destination whose deliveries are all claimed', async () => {
      const world = await begin();
      const a = await lane(world);
      const b = await lane(world);
      await world.events(a.endpoint, [{}, {}, {}]);
      await world.event(b.endpoint, { receivedAt: world.now + HOUR_MS });
      expect(await world.claimDue()).toHaveLength(3);
      expect(await world.store.queue.nextDueAt(world.now, new Set())).toBe(world.now + HOUR_MS);
    });

    test('moves with the other times when the clock was set back', async () => {
      const world = await begin();
      const { endpoint } = await lane(world);
      const at = world.now;
      const event = await world.event(endpoint, { receivedAt: at + HOUR_MS });
      const other = await lane(world);
      await world.event(other.endpoint, { receivedAt: at + 2 * HOUR_MS });
      const done = await world.event(endpoint);
      await world.settle(only(await world.claimDue()), 'succeeded');
      await world.store.queue.shiftDue(-HOUR_MS);
      expect(await world.store.queue.nextDueAt(at, new Set())).toBe(at);
      expect(only(await world.claimDue()).eventId).toBe(event.id);
      expect(await world.store.queue.nextDueAt(at, new Set())).toBe(at + HOUR_MS);
      expect(await world.store.events.deliveries(done.seq, world.now)).toMatchObject([
        { state: 'succeeded', nextAttemptAt: null },
      ]);
    });
  });

  test('only times within the span move when the clock was set ahead', async () => {
    const world = await begin();
    const at = world.now;
    const dueAt = [at, at + 1, at + HOUR_MS - 1, at + HOUR_MS];
    for (const receivedAt of dueAt) {
      const { endpoint } = await lane(world);
      await world.event(endpoint, { receivedAt });
    }
    await world.store.queue.shiftDue(5 * HOUR_MS, { after: at, before: at + HOUR_MS });
    const { queue } = world.store;
    const seen: number[] = [];
    for (let i = 0; i < dueAt.length; i++) {
      const next = (await queue.nextDueAt(world.now, new Set())) as number;
      seen.push(next - at);
      world.now = next;
      await world.settle(only(await world.claimDue()), 'succeeded');
    }
    expect(seen).toEqual([0, HOUR_MS, 5 * HOUR_MS + 1, 6 * HOUR_MS - 1]);
  });

  describe('a claim', () => {
    test('ends with its lease, and its token with the next claim', async () => {
      const world = await begin();
      const { endpoint } = await lane(world);
      await world.event(endpoint);
      const first = only(await world.claimDue());
      world.now += LEASE_MS - 1;
      expect(await world.claimDue()).toEqual([]);
      world.now += 1;
      const second = only(await world.claimDue());
      expect(second.id).toBe(first.id);
      expect(second.token).not.toBe(first.token);
      const until = world.now + LEASE_MS;
      expect(await world.store.queue.begin([first, second], until, world.now)).toMatchObject([
        null,
        {},
      ]);
      // The old token is ignored by both.
      await world.store.queue.release([first]);
      await world.store.queue.renew([first], world.now + HOUR_MS);
      expect(await world.claimDue()).toEqual([]);
      world.now = until;
      expect(await world.claimDue()).toHaveLength(1);
    });

    test('handed over by a capture ends with its lease too', async () => {
      const world = await begin();
      const { endpoint } = await lane(world);
      const { claimed } = await world.capture(endpoint, [{}], world.terms());
      world.now += LEASE_MS;
      const again = only(await world.claimDue());
      expect(again.id).toBe(only(claimed).id);
      expect(await world.store.queue.begin(claimed, world.now, world.now)).toEqual([null]);
    });

    test('lasts longer when it is renewed', async () => {
      const world = await begin();
      const { endpoint } = await lane(world);
      await world.events(endpoint, [{}, {}]);
      const claims = await world.claimDue();
      await world.store.queue.renew(claims.slice(0, 1), world.now + 2 * LEASE_MS);
      world.now += LEASE_MS;
      expect(only(await world.claimDue()).id).toBe(claims[1]?.id);
      expect(await world.store.queue.begin(claims.slice(0, 1), world.now, world.now)).toMatchObject(
        [{}],
      );
    });

    test('lasts longer when its attempt begins', async () => {
      const world = await begin();
      const { endpoint } = await lane(world);
      await world.event(endpoint);
      const claims = await world.claimDue();
      await world.store.queue.begin(claims, world.now + 2 * LEASE_MS, world.now);
      world.now += 2 * LEASE_MS - 1;
      expect(await world.claimDue()).toEqual([]);
      world.now += 1;
      expect(await world.claimDue()).toHaveLength(1);
    });

    test('given back leaves the delivery due as before', async () => {
      const world = await begin();
      const { endpoint } = await lane(world);
      const event = await world.event(endpoint);
      const first = only(await world.claimDue());
      await world.store.queue.release([first]);
      expect(await world.store.events.deliveries(event.seq, world.now)).toMatchObject([
        { state: 'pending', attempts: 0, nextAttemptAt: event.receivedAt },
      ]);
      expect(await world.store.queue.begin([first], world.now, world.now)).toEqual([null]);
      const second = only(await world.claimDue());
      expect({ ...second, token: 0 }).toEqual({ ...first, token: 0 });
      // A second release changes nothing.
      await world.store.queue.release([first]);
      expect(await world.claimDue()).toEqual([]);
    });
  });

  describe('an attempt', () => {
    test('begins with the captured request, in the order of the claims', async () => {
      const world = await begin();
      const { endpoint, destination } = await lane(world);
      const body = Buffer.from([0, 255, 1]);
      const rawHeaders = ['X-A', '1', 'x-a', 'é'];
      await world.events(endpoint, [
        { method: 'PUT', path: '/a%zz', query: 'b=%', rawHeaders, body },
        { method: 'GET' },
      ]);
      const claims = await world.claimDue();
      const until = world.now + LEASE_MS;
      const to = (request: OutgoingRequest) => ({ destination, request, signer: null });
      const put = to({
        ...{ method: 'PUT', path: '/a%zz', query: 'b=%', rawHeaders, body },
        verification: NOT_CHECKED,
      });
      const nothing = {
        ...{ path: '', query: '', rawHeaders: [], body: Buffer.alloc(0) },
        verification: NOT_CHECKED,
      };
      const get = to({ method: 'GET', ...nothing });
      expect(await world.store.queue.begin(claims, until, world.now)).toEqual([put, get]);
      expect(await world.store.queue.begin(claims.toReversed(), until, world.now)).toEqual([
        get,
        put,
      ]);
      expect(await world.store.queue.begin([], until, world.now)).toEqual([]);
    });

    test('does not begin once a replay superseded its delivery', async () => {
      const world = await begin();
      const { endpoint } = await lane(world);
      const event = await world.event(endpoint);
      const claim = only(await world.claimDue());
      const replayed = await world.store.replays.replay(
        endpoint.key,
        event.seq,
        world.now,
        world.terms(),
      );
      const newClaim = only(replayed?.claimed ?? []);
      const until = world.now + LEASE_MS;
      expect(await world.store.queue.begin([claim, newClaim], until, world.now)).toMatchObject([
        null,
        {},
      ]);
    });

    test('does not begin once its destination was removed with its deliveries', async () => {
      const world = await begin();
      const { endpoint, destination } = await lane(world);
      await world.event(endpoint);
      const claims = await world.claimDue();
      const { destinations, queue } = world.store;
      await destinations.remove(endpoint.key, destination.id, world.now, true);
      expect(await queue.begin(claims, world.now, world.now)).toEqual([null]);
    });

    test('does not begin once its endpoint was removed', async () => {
      const world = await begin();
      const { endpoint } = await lane(world);
      await world.events(endpoint, [{}, {}]);
      const claims = await world.claimDue();
      const { endpoints, queue, upkeep } = world.store;
      await endpoints.remove(endpoint.key, world.now);
      expect(await queue.begin(claims.slice(0, 1), world.now, world.now)).toEqual([null]);
      while ((await upkeep.purgeSlice(10)).more);
      expect(await queue.begin(claims, world.now, world.now)).toEqual([null, null]);
    });

    test('does not begin once its delivery was settled', async () => {
      const world = await begin();
      const { endpoint } = await lane(world);
      await world.event(endpoint);
      const claim = only(await world.claimDue());
      await world.settle(claim, { retryInMs: 0 });
      expect(await world.store.queue.begin([claim], world.now, world.now)).toEqual([null]);
    });
  });

  test('the statistics count pending and due deliveries', async () => {
    const world = await begin();
    const { endpoint } = await lane(world);
    const numbers = async () => {
      const { pending, due, oldestDueMs } = await world.store.stats(world.now);
      return { pending, due, oldestDueMs };
    };
    expect(await numbers()).toEqual({ pending: 0, due: 0, oldestDueMs: 0 });
    await world.event(endpoint, { receivedAt: world.now + 1000 });
    expect(await numbers()).toEqual({ pending: 1, due: 0, oldestDueMs: 0 });
    await world.capture(endpoint, [{ receivedAt: world.now - 300 }, {}], CLAIM_NOTHING);
    expect(await numbers()).toEqual({ pending: 3, due: 2, oldestDueMs: 300 });
    for (const claim of await world.claimDue()) await world.settle(claim, 'dead');
    expect(await numbers()).toEqual({ pending: 1, due: 0, oldestDueMs: 0 });
  });
}
