import { describe, expect, test } from 'vitest';
import type { Destination, Endpoint, EventSummary } from '../../../src/core/model.ts';
import {
  DEFAULT_DESTINATION_SETTINGS,
  type DestinationSettings,
} from '../../../src/core/settings/destination-settings.ts';
import type { ClaimedDelivery } from '../../../src/store/contract/claims.ts';
import { BREAKER } from '../../fixtures/breaker.ts';
import { verdictOf } from '../../fixtures/verdict.ts';
import { Random } from './random.ts';
import {
  clearedWorlds,
  LEASE_MS,
  type OpenStore,
  type Outcome,
  only,
  type World,
} from './world.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** A destination that orders its deliveries. */
class Ordered {
  readonly world: World;
  readonly endpoint: Endpoint;
  readonly destination: Destination;
  readonly version: number;

  constructor(world: World, endpoint: Endpoint, destination: Destination, version: number) {
    this.world = world;
    this.endpoint = endpoint;
    this.destination = destination;
    this.version = version;
  }

  static async in(world: World, settings: Partial<DestinationSettings> = {}): Promise<Ordered> {
    const endpoint = await world.endpoint();
    const destination = await world.destination(endpoint, {
      settings: { ...DEFAULT_DESTINATION_SETTINGS, order_by: 'body.id', ...settings },
    });
    const judgeBy = await world.judgeBy(endpoint);
    return new Ordered(world, endpoint, destination, judgeBy?.version ?? 0);
  }

  /** What a request of this key brings to its capture; null for one without a key. */
  keyed(key: string | null) {
    const { version } = this;
    const { key: destinationKey } = this.destination;
    const orderKeys = key === null ? [] : [{ destinationKey, key }];
    return { verdict: verdictOf({ version, orderKeys }) };
  }

  /** Captures one event for each key. */
  async events(...keys: (string | null)[]): Promise<EventSummary[]> {
    const events: EventSummary[] = [];
    for (const key of keys) {
      this.world.now++;
      events.push(await this.world.event(this.endpoint, this.keyed(key)));
    }
    return events;
  }

  async settle(claim: ClaimedDelivery, outcome: Outcome) {
    const settlement = this.world.settlement(claim, outcome);
    return only(await this.world.store.queue.settle([settlement], BREAKER));
  }

  async change(settings: Partial<DestinationSettings>) {
    const { destinations } = this.world.store;
    const change = { at: this.world.now, by: null };
    await destinations.update(this.endpoint.key, this.destination.id, { settings }, change);
  }

  /** The delivery of an event. */
  async delivery({ seq }: EventSummary) {
    return only(await this.world.store.events.deliveries(seq, this.world.now));
  }
}

const idsOf = (list: readonly { eventId: string }[]) => list.map(({ eventId }) => eventId);
const ids = (events: readonly EventSummary[]) => events.map(({ id }) => id);

export function orderConformance(open: OpenStore): void {
  const begin = clearedWorlds(open);

  test('captures need a verdict where a destination has an order, and none after it', async () => {
    const ordered = await Ordered.in(await begin());
    const { key: destinationKey } = ordered.destination;
    expect(await ordered.world.judgeBy(ordered.endpoint)).toMatchObject({
      filters: [{ destinationKey, filter: null, orderBy: 'body.id' }],
    });
    await ordered.change({ order_by: null });
    expect(await ordered.world.judgeBy(ordered.endpoint)).toBeNull();
  });

  describe('one delivery of a key at a time', () => {
    test('the first of each key is claimed, in the order of capture', async () => {
      const ordered = await Ordered.in(await begin());
      const { world } = ordered;
      const [a1, a2, b1, plain, a3] = (await ordered.events('a', 'a', 'b', null, 'a')) as [
        EventSummary,
        EventSummary,
        EventSummary,
        EventSummary,
        EventSummary,
      ];
      const claims = await world.claimDue();
      expect(idsOf(claims)).toEqual(ids([a1, b1, plain]));
      expect(claims.map(({ orderKey }) => orderKey)).toEqual(['a', 'b', null]);
      expect(await world.claimDue()).toEqual([]);
      await ordered.settle(claims[1] as ClaimedDelivery, 'succeeded');
      expect(await world.claimDue()).toEqual([]);
      await ordered.settle(claims[0] as ClaimedDelivery, 'succeeded');
      const second = only(await world.claimDue());
      expect(second.eventId).toBe(a2.id);
      await ordered.settle(second, 'dead');
      expect(only(await world.claimDue()).eventId).toBe(a3.id);
    });

    test('a commit hands over the first of a key alone', async () => {
      const ordered = await Ordered.in(await begin());
      const { world } = ordered;
      const patches = ['a', 'a', 'b'].map((key) => ordered.keyed(key));
      const first = await world.capture(ordered.endpoint, patches, world.terms());
      expect(first.claimed.map(({ orderKey }) => orderKey)).toEqual(['a', 'b']);
      expect(first.unclaimed).toEqual(new Set());
      const later = await world.capture(ordered.endpoint, patches, world.terms());
      expect(later.claimed).toEqual([]);
      expect(later.unclaimed).toEqual(new Set());
      expect(await world.claimDue()).toEqual([]);
    });

    test('a retry holds its key back, not the others', async () => {
      const ordered = await Ordered.in(await begin());
      const { world } = ordered;
      const [a1, a2] = (await ordered.events('a', 'a')) as [EventSummary, EventSummary];
      const claim = only(await world.claimDue());
      const settled = await ordered.settle(claim, { retryInMs: MINUTE_MS });
      expect(await world.claimDue()).toEqual([]);
      expect(await ordered.delivery(a1)).toMatchObject({ waitsFor: 'retry' });
      expect(await ordered.delivery(a2)).toMatchObject({ waitsFor: 'order', nextAttemptAt: null });
      const { deliveries } = world.store;
      const first = await ordered.delivery(a1);
      const second = await ordered.delivery(a2);
      expect(await deliveries.holder(second.id)).toEqual({ id: first.id, orderKey: 'a' });
      expect(await deliveries.holder(first.id)).toBeNull();
      expect(await deliveries.holder('dlv_unknown')).toBeNull();
      const [b1] = (await ordered.events('b')) as [EventSummary];
      const other = only(await world.claimDue());
      expect(other.eventId).toBe(b1.id);
      await ordered.settle(other, 'succeeded');
      expect(await world.store.queue.nextDueAt(world.now, new Set())).toBe(
        settled?.attempt.nextAttemptAt,
      );
      world.now += MINUTE_MS;
      expect(only(await world.claimDue()).eventId).toBe(a1.id);
    });

    test('a claim that is given back or lapses is claimed again, and nothing before it', async () => {
      const ordered = await Ordered.in(await begin());
      const { world } = ordered;
      const [a1] = (await ordered.events('a', 'a')) as [EventSummary];
      await world.store.queue.release(await world.claimDue());
      expect(only(await world.claimDue()).eventId).toBe(a1.id);
      world.now += LEASE_MS + 1;
      expect(only(await world.claimDue()).eventId).toBe(a1.id);
      expect(await world.claimDue()).toEqual([]);
    });

    test('the order outlives a restart', async () => {
      const ordered = await Ordered.in(await begin());
      const { world } = ordered;
      const events = await ordered.events('a', 'a', 'a');
      await ordered.settle(only(await world.claimDue()), { retryInMs: 1000 });
      await world.reopen();
      world.now += LEASE_MS;
      for (const { id } of events) {
        const claim = only(await world.claimDue());
        expect(claim.eventId).toBe(id);
        await ordered.settle(claim, 'succeeded');
      }
      expect(await world.claimDue()).toEqual([]);
    });
  });

  describe('by hand', () => {
    test('a stuck key lets the next go when its first is cancelled', async () => {
      const ordered = await Ordered.in(await begin());
      const { world } = ordered;
      const [a1, a2] = (await ordered.events('a', 'a')) as [EventSummary, EventSummary];
      await ordered.settle(only(await world.claimDue()), { retryInMs: DAY_MS });
      const { id } = await ordered.delivery(a1);
      expect(await world.store.deliveries.cancel(id)).toEqual({
        destinationKey: ordered.destination.key,
      });
      expect(only(await world.claimDue()).eventId).toBe(a2.id);
    });

    test('to cancel one in the middle changes nothing for the others', async () => {
      const ordered = await Ordered.in(await begin());
      const { world } = ordered;
      const [, a2, a3] = (await ordered.events('a', 'a', 'a')) as [
        EventSummary,
        EventSummary,
        EventSummary,
      ];
      const first = only(await world.claimDue());
      await world.store.deliveries.cancel((await ordered.delivery(a2)).id);
      expect(await world.claimDue()).toEqual([]);
      await ordered.settle(first, 'succeeded');
      expect(only(await world.claimDue()).eventId).toBe(a3.id);
    });

    test('a retry goes past the order, and stays behind where it fails', async () => {
      const ordered = await Ordered.in(await begin());
      const { world } = ordered;
      const [, a2, a3] = (await ordered.events('a', 'a', 'a')) as [
        EventSummary,
        EventSummary,
        EventSummary,
      ];
      const first = only(await world.claimDue());
      await world.store.deliveries.retry((await ordered.delivery(a2)).id, world.now);
      const urgent = only(await world.claimDue());
      expect(urgent.eventId).toBe(a2.id);
      await ordered.settle(urgent, { retryInMs: 0 });
      expect(await world.claimDue()).toEqual([]);
      expect(await ordered.delivery(a2)).toMatchObject({ waitsFor: 'order', attempts: 1 });
      await ordered.settle(first, 'succeeded');
      const second = only(await world.claimDue());
      expect(second.eventId).toBe(a2.id);
      await ordered.settle(second, 'succeeded');
      expect(only(await world.claimDue()).eventId).toBe(a3.id);
    });

    test('one that a person delivers past the order leaves the first where it is', async () => {
      const ordered = await Ordered.in(await begin());
      const { world } = ordered;
      const [, a2, a3] = (await ordered.events('a', 'a', 'a')) as [
        EventSummary,
        EventSummary,
        EventSummary,
      ];
      const first = only(await world.claimDue());
      await world.store.deliveries.retry((await ordered.delivery(a2)).id, world.now);
      await ordered.settle(only(await world.claimDue()), 'succeeded');
      expect(await world.claimDue()).toEqual([]);
      await ordered.settle(first, 'succeeded');
      expect(only(await world.claimDue()).eventId).toBe(a3.id);
    });

    test('a dead one that is retried is behind the others of its key', async () => {
      const ordered = await Ordered.in(await begin());
      const { world } = ordered;
      const [a1, a2] = (await ordered.events('a', 'a')) as [EventSummary, EventSummary];
      await ordered.settle(only(await world.claimDue()), 'dead');
      const second = only(await world.claimDue());
      const { id } = await ordered.delivery(a1);
      await world.store.deliveries.retry(id, world.now);
      const urgent = only(await world.claimDue());
      expect(urgent).toMatchObject({ eventId: a1.id, orderKey: 'a' });
      await ordered.settle(urgent, { retryInMs: 0 });
      expect(await world.claimDue()).toEqual([]);
      await ordered.settle(second, { retryInMs: 0 });
      expect(only(await world.claimDue()).eventId).toBe(a2.id);
    });

    test('discarding what waits leaves a key free', async () => {
      const ordered = await Ordered.in(await begin());
      const { world } = ordered;
      await ordered.events('a', 'a', 'b', 'b');
      const { destinations } = world.store;
      expect(await destinations.discard(ordered.endpoint.key, ordered.destination.id)).toBe(4);
      const [next] = (await ordered.events('a')) as [EventSummary];
      expect(only(await world.claimDue()).eventId).toBe(next.id);
    });
  });

  describe('a delivery that ends while its attempt is under way', () => {
    const ends: [string, (ordered: Ordered, event: EventSummary) => Promise<unknown>][] = [
      [
        'by a cancel',
        async (ordered, event) => {
          const { deliveries } = ordered.world.store;
          await deliveries.cancel((await ordered.delivery(event)).id);
        },
      ],
      [
        'by a discard',
        async ({ world, endpoint, destination }) => {
          await world.store.destinations.discard(endpoint.key, destination.id);
        },
      ],
      [
        'by the deletion of its event',
        async ({ world, endpoint }, event) => {
          await world.store.events.remove(endpoint.key, event.id);
        },
      ],
      [
        'by a replay of its event',
        async ({ world, endpoint }, event) => {
          await world.store.replays.replay(endpoint.key, event.seq, world.now, world.terms());
        },
      ],
    ];

    test.each(ends)('%s, keeps its key until then', async (_, end) => {
      const ordered = await Ordered.in(await begin(), { order_by: '*' });
      const { world } = ordered;
      const [first] = (await ordered.events('*')) as [EventSummary];
      const claim = only(await world.claimDue());
      await end(ordered, first);
      await ordered.events('*');
      expect(await world.claimDue()).toEqual([]);
      const nextDue = await world.store.queue.nextDueAt(world.now, new Set());
      expect(nextDue === null || nextDue > world.now).toBe(true);
      await ordered.settle(claim, 'succeeded');
      expect(await world.claimDue()).toHaveLength(1);
    });

    test('keeps its key no longer than its lease', async () => {
      const ordered = await Ordered.in(await begin());
      const { world } = ordered;
      const [first, second] = (await ordered.events('a', 'a')) as [EventSummary, EventSummary];
      await world.claimDue();
      await world.store.deliveries.cancel((await ordered.delivery(first)).id);
      expect(await world.claimDue()).toEqual([]);
      world.now += LEASE_MS + 1;
      expect(only(await world.claimDue()).eventId).toBe(second.id);
    });

    test('is never handed over meanwhile', async () => {
      const ordered = await Ordered.in(await begin());
      const { world } = ordered;
      const [first] = (await ordered.events('a')) as [EventSummary];
      const claim = only(await world.claimDue());
      await world.store.deliveries.cancel((await ordered.delivery(first)).id);
      const patches = [ordered.keyed('a')];
      expect((await world.capture(ordered.endpoint, patches, world.terms())).claimed).toEqual([]);
      expect(await world.store.queue.begin([claim], world.now + LEASE_MS, world.now)).toEqual([
        null,
      ]);
      expect(await world.claimDue()).toHaveLength(1);
    });
  });

  test('probes of an open breaker take none that is behind', async () => {
    const ordered = await Ordered.in(await begin());
    const { world } = ordered;
    const events = await ordered.events(...Array<string>(12).fill('a'), 'b', 'c', 'd');
    for (let i = 0; i < 12; i++) {
      const claims = await world.claimDue();
      for (const claim of claims) {
        world.now += MINUTE_MS / 6;
        const settlement = world.settlement(claim, { retryInMs: 0 }, { reach: 'failed' });
        await world.store.queue.settle([settlement], BREAKER);
      }
    }
    const firsts = new Set([0, 12, 13, 14].map((i) => events[i]?.id));
    for (let i = 0; i < 6; i++) {
      world.now = (await world.store.queue.nextDueAt(world.now, new Set())) as number;
      const probe = only(await world.claimDue());
      expect(probe.probe).not.toBeNull();
      expect(firsts).toContain(probe.eventId);
      const held = { reach: 'failed', next: { state: 'held' } } as const;
      await world.store.queue.settle([world.settlement(probe, 'dead', held)], BREAKER);
    }
  });

  test('an open breaker that holds too long ends all of a key', async () => {
    const ordered = await Ordered.in(await begin(), { hold: DAY_MS });
    const { world } = ordered;
    await ordered.events(...Array<string>(10).fill('a'), ...Array<string>(5).fill('b'), 'c');
    for (let i = 0; i < 12; i++) {
      for (const claim of await world.claimDue()) {
        world.now += MINUTE_MS / 6;
        const settlement = world.settlement(claim, { retryInMs: 0 }, { reach: 'failed' });
        await world.store.queue.settle([settlement], BREAKER);
      }
    }
    world.now += 2 * DAY_MS;
    let expired = 0;
    for (;;) {
      const slice = await world.store.upkeep.expireHeldSlice(world.now, 3);
      expect(slice.expired).toBeLessThanOrEqual(3);
      expired += slice.expired;
      if (!slice.more) break;
    }
    expect(expired).toBe(16);
  });

  test.each([1, 2, 3])('in order and one at a time, whatever happens (seed %i)', async (seed) => {
    const ordered = await Ordered.in(await begin());
    const { world } = ordered;
    const random = new Random(seed);
    /** Keys, their events in the order of capture, as far as they are open. */
    const waiting = new Map<string, string[]>();
    const keyOf = new Map<string, string>();
    const live = new Map<string, ClaimedDelivery>();
    for (let step = 0; step < 150; step++) {
      world.now += random.below(300);
      const action = random.pick(['capture', 'capture', 'claim', 'settle', 'settle', 'cancel']);
      if (action === 'capture') {
        const key = random.pick(['a', 'b', 'c']);
        const { id } = only(await ordered.events(key));
        keyOf.set(id, key);
        waiting.set(key, [...(waiting.get(key) ?? []), id]);
      } else if (action === 'claim') {
        for (const claim of await world.claimDue()) {
          const key = keyOf.get(claim.eventId) as string;
          expect(live.has(key), `a second of ${key}`).toBe(false);
          expect(claim.eventId).toBe(waiting.get(key)?.[0]);
          live.set(key, claim);
        }
      } else if (action === 'settle' && live.size > 0) {
        const [key, claim] = random.pick([...live]);
        const outcome = random.pick<Outcome>([
          'succeeded',
          'dead',
          { retryInMs: random.below(3000) },
        ]);
        await ordered.settle(claim, outcome);
        live.delete(key);
        const left = waiting.get(key) ?? [];
        const isOpen = typeof outcome !== 'string' || left[0] !== claim.eventId;
        if (!isOpen) waiting.set(key, left.slice(1));
      } else if (action === 'cancel') {
        const key = random.pick(['a', 'b', 'c']);
        const left = waiting.get(key) ?? [];
        if (left.length === 0) continue;
        const chosen = random.pick(left);
        const event = await world.store.events.find(ordered.endpoint.key, chosen);
        const { id } = await ordered.delivery(event as EventSummary);
        await world.store.deliveries.cancel(id);
        // An attempt that is under way goes on: the key is free when it ends.
        waiting.set(
          key,
          left.filter((one) => one !== chosen),
        );
      }
    }
  });
}
