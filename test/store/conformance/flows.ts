import { describe, expect, test } from 'vitest';
import { NO_FLOW } from '../../../src/core/flow/flow.ts';
import { healthOf } from '../../../src/core/flow/health.ts';
import type { Destination, Endpoint, EventSummary } from '../../../src/core/model.ts';
import {
  DEFAULT_DESTINATION_SETTINGS,
  type DestinationSettings,
} from '../../../src/core/settings/destination-settings.ts';
import type { ClaimedDelivery } from '../../../src/store/contract/claims.ts';
import type { Settlement } from '../../../src/store/contract/queue.ts';
import { BREAKER } from '../../fixtures/breaker.ts';
import { clearedWorlds, LEASE_MS, type OpenStore, only, type World } from './world.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const FAILED: Partial<Settlement> = { reach: 'failed' };

/** A destination, with shorthand for what happens to it. */
class Target {
  readonly world: World;
  readonly endpoint: Endpoint;
  readonly destination: Destination;

  constructor(world: World, endpoint: Endpoint, destination: Destination) {
    this.world = world;
    this.endpoint = endpoint;
    this.destination = destination;
  }

  static async in(world: World, settings: Partial<DestinationSettings> = {}): Promise<Target> {
    const endpoint = await world.endpoint();
    const destination = await world.destination(endpoint, {
      settings: { ...DEFAULT_DESTINATION_SETTINGS, ...settings },
    });
    return new Target(world, endpoint, destination);
  }

  async captured(count: number): Promise<EventSummary[]> {
    const events: EventSummary[] = [];
    for (let i = 0; i < count; i++) {
      this.world.now++;
      events.push(await this.world.event(this.endpoint));
    }
    return events;
  }

  async settle(claim: ClaimedDelivery, outcome: Parameters<World['settlement']>[1], patch = {}) {
    const settlement = this.world.settlement(claim, outcome, patch);
    return only(await this.world.store.queue.settle([settlement], BREAKER));
  }

  async condition() {
    const { destinations } = this.world.store;
    return only(await destinations.conditions(this.endpoint.key, this.destination.id));
  }

  change(settings: Partial<DestinationSettings>) {
    const change = { at: this.world.now, by: null };
    return this.world.store.destinations.update(
      this.endpoint.key,
      this.destination.id,
      { settings },
      change,
    );
  }

  nextDue(): Promise<number | null> {
    return this.world.store.queue.nextDueAt(this.world.now, new Set());
  }

  /** Attempts fail for more than a minute until the breaker opens. Returns the events, which wait. */
  async opened(events = 12): Promise<EventSummary[]> {
    const captured = await this.captured(events);
    const claims = await this.world.claimDue();
    for (const claim of claims.slice(0, 10)) {
      this.world.now += MINUTE_MS / 6;
      await this.settle(claim, { retryInMs: 1 }, FAILED);
    }
    await this.world.store.queue.release(claims.slice(10));
    expect((await this.condition()).flow.breaker).not.toBeNull();
    return captured;
  }

  /** Waits until the next probe and claims it. */
  async probe(): Promise<ClaimedDelivery> {
    this.world.now = (await this.nextDue()) as number;
    return only(await this.world.claimDue());
  }
}

const failedProbe = { reach: 'failed', next: { state: 'held' } } satisfies Partial<Settlement>;

export function flowConformance(open: OpenStore): void {
  const begin = clearedWorlds(open);

  describe('refusals', () => {
    const health = async (target: Target) => healthOf((await target.condition()).flow);
    const refuse = async (target: Target, patch: Parameters<World['event']>[1] = {}) => {
      const { world } = target;
      world.now++;
      await world.event(target.endpoint, patch);
      return target.settle(only(await world.claimDue()), 'dead');
    };

    test('of three events in a row make a destination refusing; a success ends it', async () => {
      const target = await Target.in(await begin());
      const since = target.world.now + 1;
      expect((await refuse(target))?.attempt.health).toBeNull();
      expect((await refuse(target))?.attempt.health).toBeNull();
      expect(await health(target)).toMatchObject({ state: 'healthy', since: null });
      expect((await refuse(target))?.attempt.health).toBe('refusing');
      await refuse(target);
      expect(await health(target)).toEqual({
        ...{ state: 'refusing', since, consecutiveFailures: 4, nextProbeAt: null },
      });
      // Nothing is held back.
      const [event] = await target.captured(1);
      const claim = only(await target.world.claimDue());
      expect(claim.eventId).toBe(event?.id);
      expect((await target.settle(claim, 'succeeded'))?.attempt.health).toBe('healthy');
      expect((await target.condition()).flow).toEqual(NO_FLOW);
    });

    test('of edited events count neither way', async () => {
      const target = await Target.in(await begin());
      const first = await target.world.event(target.endpoint);
      await target.settle(only(await target.world.claimDue()), 'dead');
      for (let i = 0; i < 4; i++) await refuse(target, { editedFrom: first.id });
      await refuse(target);
      expect(await health(target)).toMatchObject({ state: 'healthy' });
      await refuse(target);
      expect(await health(target)).toMatchObject({ state: 'refusing', consecutiveFailures: 3 });
    });
  });

  describe('a pause', () => {
    test.each(['paused', 'disabled'] as const)('%s: nothing is claimed or begun', async (state) => {
      const target = await Target.in(await begin());
      const { world } = target;
      const [first] = await target.captured(1);
      const [claim] = await world.claimDue();
      await target.change({ state });
      expect(
        await world.store.queue.begin([claim as ClaimedDelivery], world.now, world.now),
      ).toEqual([null]);
      await target.captured(2);
      expect(await world.claimDue()).toEqual([]);
      expect(await target.nextDue()).toBeNull();
      const { waiting } = await target.condition();
      // A disabled destination gets no new deliveries. Those that it has wait.
      expect(waiting).toEqual({
        count: state === 'paused' ? 3 : 1,
        atLeast: false,
        oldestAt: first?.receivedAt,
      });
      const [delivery] = await world.store.events.deliveries(first?.seq ?? 0, world.now);
      expect(delivery).toMatchObject({ state: 'pending', waitsFor: 'paused', nextAttemptAt: null });
    });

    test('after it, what waited goes out oldest first: 1, 2, 4 … at once', async () => {
      const target = await Target.in(await begin(), { state: 'paused' });
      const { world } = target;
      const events = await target.captured(20);
      await target.change({ state: 'active' });
      const sent: number[] = [];
      const steps: number[] = [];
      for (;;) {
        const claims = await world.claimDue();
        if (claims.length === 0) break;
        expect(await world.claimDue()).toEqual([]);
        steps.push(claims.length);
        for (const claim of claims) {
          sent.push(claim.eventSeq);
          await target.settle(claim, 'succeeded');
        }
      }
      expect(steps).toEqual([1, 2, 4, 8, 5]);
      expect(sent).toEqual(events.map(({ seq }) => seq));
      expect((await target.condition()).flow.ramp).toBeNull();
    });

    test('a resumed destination without a backlog needs no ramp', async () => {
      const target = await Target.in(await begin(), { state: 'paused' });
      await target.change({ state: 'active' });
      await target.captured(5);
      expect(await target.world.claimDue()).toHaveLength(5);
    });

    test('a commit hands no delivery of it over', async () => {
      const target = await Target.in(await begin(), { state: 'paused' });
      const { claimed, unclaimed } = await target.world.capture(
        target.endpoint,
        [{}],
        target.world.terms(),
      );
      expect(claimed).toEqual([]);
      expect([...unclaimed]).toEqual([target.destination.key]);
    });
  });

  describe('the breaker', () => {
    test('opens after ten failures in a row over a minute from three events', async () => {
      const target = await Target.in(await begin());
      const { world } = target;
      await target.captured(12);
      const claims = await world.claimDue();
      const healths = [];
      for (const claim of claims.slice(0, 10)) {
        world.now += MINUTE_MS / 6;
        healths.push((await target.settle(claim, { retryInMs: 1 }, FAILED))?.attempt.health);
      }
      expect(healths).toEqual(['failing', ...Array(8).fill(null), 'open']);
      const { flow } = await target.condition();
      expect(flow.breaker).toMatchObject({ since: world.now + 12, failedProbes: 0 });
      expect(flow.failing?.count).toBe(10);
    });

    test.each<[string, (i: number) => Partial<Settlement>, number]>([
      ['an answer resets the count', (i) => (i === 5 ? {} : FAILED), MINUTE_MS / 6],
      ['nothing sent counts neither way', () => ({ reach: 'not_sent' }), MINUTE_MS / 6],
      ['less than a minute', () => FAILED, 1000],
    ])('stays closed: %s', async (_, patchOf, everyMs) => {
      const target = await Target.in(await begin());
      await target.captured(10);
      for (const [i, claim] of (await target.world.claimDue()).entries()) {
        target.world.now += everyMs;
        await target.settle(claim, { retryInMs: 1 }, patchOf(i));
      }
      expect((await target.condition()).flow.breaker).toBeNull();
    });

    test('stays closed: failures of two events', async () => {
      const target = await Target.in(await begin());
      await target.captured(2);
      for (let round = 0; round < 8; round++) {
        target.world.now += MINUTE_MS;
        for (const claim of await target.world.claimDue())
          await target.settle(claim, { retryInMs: 1 }, FAILED);
      }
      const { flow } = await target.condition();
      expect(flow.failing?.count).toBe(16);
      expect(flow.breaker).toBeNull();
    });

    test('stays closed: it is off', async () => {
      const target = await Target.in(await begin(), { breaker: 'off' });
      await target.captured(12);
      for (const claim of await target.world.claimDue()) {
        target.world.now += MINUTE_MS;
        await target.settle(claim, { retryInMs: 1 }, FAILED);
      }
      expect((await target.condition()).flow.breaker).toBeNull();
    });

    test('open: deliveries wait, a claim that waits isn’t begun, and it survives a restart', async () => {
      const target = await Target.in(await begin());
      const { world } = target;
      await target.captured(12);
      const claims = await world.claimDue();
      for (const claim of claims.slice(0, 10)) {
        world.now += MINUTE_MS / 6;
        await target.settle(claim, { retryInMs: 1 }, FAILED);
      }
      const waiting = claims.slice(10);
      expect(await world.store.queue.begin(waiting, world.now + LEASE_MS, world.now)).toEqual([
        null,
        null,
      ]);
      await world.reopen();
      expect(await world.claimDue()).toEqual([]);
      expect((await target.condition()).waiting.count).toBe(12);
      expect(await target.nextDue()).toBe(world.now + 12 + BREAKER.probeMs);
      const event = await world.event(target.endpoint);
      const [delivery] = await world.store.events.deliveries(event.seq, world.now);
      expect(delivery).toMatchObject({ waitsFor: 'breaker', nextAttemptAt: null, attempts: 0 });
    });

    test('probes one at a time, from both ends, never one twice in a row, twice as late each time', async () => {
      const target = await Target.in(await begin());
      const { world } = target;
      const events = await target.opened(12);
      const probed: number[] = [];
      const waits: number[] = [];
      for (let i = 0; i < 7; i++) {
        const before = world.now;
        const probe = await target.probe();
        waits.push(world.now - before);
        expect(await world.claimDue()).toEqual([]);
        probed.push(events.findIndex(({ seq }) => seq === probe.eventSeq));
        expect(probe.probe).toBe(i % 2 === 0 ? 'oldest' : 'newest');
        await target.settle(probe, 'dead', failedProbe);
      }
      expect(probed).toEqual([0, 11, 0, 11, 0, 11, 0]);
      // The durations of the attempts, 12 ms each, are in the times.
      expect(waits.map((ms) => Math.round(ms / 1000))).toEqual([30, 60, 120, 240, 300, 300, 300]);
    });

    test('with one waiting delivery, that one is probed again', async () => {
      const target = await Target.in(await begin());
      const { world } = target;
      const [first] = await target.opened(12);
      const { data: rest } = { data: (await target.world.listed(target.endpoint)).slice(0, -1) };
      for (const { seq } of rest) {
        const [delivery] = await world.store.events.deliveries(seq, world.now);
        await world.store.deliveries.cancel(delivery?.id ?? '');
      }
      for (let i = 0; i < 3; i++) {
        const probe = await target.probe();
        expect(probe.eventSeq).toBe(first?.seq);
        await target.settle(probe, 'dead', failedProbe);
      }
    });

    test('a failed probe is on record, spends no attempt, and makes the event failed', async () => {
      const target = await Target.in(await begin());
      const { world } = target;
      const events = await target.opened(12);
      await target.settle(await target.probe(), 'dead', failedProbe);
      const newest = await target.probe();
      expect(newest).toMatchObject({ eventSeq: events.at(-1)?.seq, attempts: 0, probes: 0 });
      const settled = await target.settle(newest, 'dead', failedProbe);
      expect(settled).toMatchObject({
        eventStatus: 'failed',
        attempt: { probe: true, number: 1, nextAttemptAt: null },
      });
      const [delivery] = await world.store.events.deliveries(newest.eventSeq, world.now);
      expect(delivery).toMatchObject({ state: 'pending', attempts: 0 });
      await target.settle(await target.probe(), 'dead', failedProbe);
      const again = await target.probe();
      expect(again).toMatchObject({ eventSeq: newest.eventSeq, attempts: 0, probes: 1 });
      // An answer ends the delivery's first attempt: its number follows the probe's.
      const answered = await target.settle(again, 'succeeded');
      expect(answered).toMatchObject({ eventStatus: 'delivered', attempt: { number: 2 } });
    });

    test('closes at an answer, and what waited goes out by a ramp', async () => {
      const target = await Target.in(await begin());
      const { world } = target;
      await target.opened(12);
      const answered = await target.settle(await target.probe(), { retryInMs: DAY_MS });
      expect(answered?.attempt).toMatchObject({ health: 'healthy', probe: true });
      const first = await world.claimDue();
      expect(first).toHaveLength(1);
      expect(await world.claimDue()).toEqual([]);
      await target.settle(only(first), 'succeeded');
      const second = await world.claimDue();
      expect(second).toHaveLength(2);
      for (const claim of second) await target.settle(claim, 'succeeded');
      expect(await world.claimDue()).toHaveLength(4);
    });

    test('a probe by hand comes at once; a change of the URL too; turned off, it closes', async () => {
      const target = await Target.in(await begin());
      const { world, endpoint, destination } = target;
      await target.opened(12);
      const { destinations } = world.store;
      expect(await destinations.probe(endpoint.key, destination.id, world.now)).toBe(true);
      expect(await target.nextDue()).toBe(world.now);
      await target.settle(only(await world.claimDue()), 'dead', failedProbe);
      expect(await world.claimDue()).toEqual([]);
      const change = { at: world.now, by: null };
      await destinations.update(
        endpoint.key,
        destination.id,
        { url: 'https://b.example/' },
        change,
      );
      await target.settle(only(await world.claimDue()), 'dead', failedProbe);
      await target.change({ breaker: 'off' });
      expect((await target.condition()).flow.breaker).toBeNull();
      expect(await world.claimDue()).toHaveLength(1);
      expect(await destinations.probe(endpoint.key, 'dst_none', world.now)).toBe(false);
    });

    test('what it holds for too long dies; a younger one, and a paused destination’s, stay', async () => {
      const target = await Target.in(await begin(), { hold: DAY_MS });
      const { world } = target;
      const events = await target.opened(12);
      world.now += DAY_MS - MINUTE_MS;
      const young = await world.event(target.endpoint);
      expect(await world.store.upkeep.expireHeldSlice(world.now, 100)).toEqual({
        expired: 0,
        more: false,
      });
      world.now += 2 * MINUTE_MS;
      await target.change({ state: 'paused' });
      expect((await world.store.upkeep.expireHeldSlice(world.now, 100)).expired).toBe(0);
      await target.change({ state: 'active' });
      expect(await world.store.upkeep.expireHeldSlice(world.now, 10)).toEqual({
        expired: 10,
        more: true,
      });
      expect((await world.store.upkeep.expireHeldSlice(world.now, 10)).expired).toBe(2);
      expect(await world.status(target.endpoint, events[0] as EventSummary)).toBe('dead_letter');
      expect(await world.status(target.endpoint, young)).toBe('received');
      const { deliveries } = await world.store.deliveries.list(
        target.endpoint.key,
        { state: 'dead' },
        { offset: 0, limit: 1, now: world.now },
      );
      expect(deliveries).toMatchObject([{ error: { code: 'held_too_long' } }]);
    });
  });

  test('times move with the wall clock', async () => {
    const target = await Target.in(await begin());
    const { world } = target;
    await target.opened(12);
    const before = await target.nextDue();
    await world.store.queue.shiftDue(-DAY_MS);
    world.now -= DAY_MS;
    expect(await target.nextDue()).toBe((before as number) - DAY_MS);
    expect((await target.condition()).flow.breaker?.since).toBe(world.now + 12);
  });

  test('a Retry-After holds the whole destination', async () => {
    const target = await Target.in(await begin());
    const { world } = target;
    await target.captured(3);
    const [first, ...rest] = await world.claimDue();
    const holdMs = 30_000;
    await target.settle(first as ClaimedDelivery, { retryInMs: holdMs }, { ...FAILED, holdMs });
    const until = world.now + 12 + holdMs;
    expect(await world.store.queue.begin(rest, world.now + LEASE_MS, world.now)).toEqual([
      null,
      null,
    ]);
    expect(await world.claimDue()).toEqual([]);
    expect(await target.nextDue()).toBe(until);
    const [delivery] = await world.store.events.deliveries(rest[0]?.eventSeq ?? 0, world.now);
    expect(delivery?.waitsFor).toBe('rate');
    world.now = until;
    expect(await world.claimDue()).toHaveLength(3);
  });

  test('a fixed concurrency bounds the claims', async () => {
    const target = await Target.in(await begin(), { concurrency: 3 });
    const { world } = target;
    await target.captured(8);
    const claims = await world.claimDue();
    expect(claims).toHaveLength(3);
    expect(claims[0]?.destination).toMatchObject({ concurrency: 3, isControlled: true });
    expect(await world.claimDue()).toEqual([]);
    expect(await target.nextDue()).toBeNull();
    await target.settle(only(claims.slice(0, 1)), 'succeeded');
    expect(await world.claimDue()).toHaveLength(1);
  });

  test('a claim from before a limit, or from before another one, is not begun', async () => {
    const target = await Target.in(await begin());
    const { world } = target;
    await target.captured(4);
    const claims = await world.claimDue();
    await target.change({ concurrency: 1 });
    const begun = await world.store.queue.begin(claims, world.now + LEASE_MS, world.now);
    expect(begun).toEqual([null, null, null, null]);
    const one = await world.claimDue();
    expect(one).toHaveLength(1);
    await target.change({ concurrency: 'auto', rate: { limit: 3, per: 'hour' } });
    expect(await world.store.queue.begin(one, world.now + LEASE_MS, world.now)).toEqual([null]);
    expect(await world.claimDue()).toHaveLength(3);
  });

  test('a removed destination is no longer paused: what it has runs to its end', async () => {
    const target = await Target.in(await begin(), { state: 'paused' });
    const { world, endpoint, destination } = target;
    await target.captured(2);
    await world.store.destinations.remove(endpoint.key, destination.id, world.now, false);
    expect(await world.claimDue()).toHaveLength(2);
  });

  describe('a rate', () => {
    test('grants only starts that have a slot', async () => {
      const target = await Target.in(await begin(), { rate: { limit: 50, per: 'hour' } });
      const { world } = target;
      await target.captured(30);
      const startable = new Map([[target.destination.key, 4]]);
      const claims = await world.claimDue({ startable });
      expect(claims).toHaveLength(4);
      expect((await target.condition()).flow.starts.at(-1)?.[2]).toBe(4);
    });

    test('bounds the starts in any window, also over a restart', async () => {
      const target = await Target.in(await begin(), { rate: { limit: 5, per: 'second' } });
      const { world } = target;
      await target.captured(30);
      const starts: number[] = [];
      for (let i = 0; i < 300 && starts.length < 30; i++) {
        const claims = await world.claimDue();
        // Each starts as late as it may.
        for (const claim of claims) starts.push(claim.start?.by as number);
        for (const claim of claims) await target.settle(claim, 'succeeded');
        if (i === 100) await world.reopen();
        world.now += 37;
      }
      expect(starts).toHaveLength(30);
      for (const [i, start] of starts.entries())
        expect((starts[i + 5] ?? Number.POSITIVE_INFINITY) - start).toBeGreaterThanOrEqual(1000);
      // At most a tenth of the rate is lost to the time by which a start may be late.
      expect((starts.at(-1) ?? 0) - (starts[0] ?? 0)).toBeLessThan(6 * 1200);
    });

    test('says when to look again, and what a delivery waits for', async () => {
      const target = await Target.in(await begin(), { rate: { limit: 2, per: 'hour' } });
      const { world } = target;
      const events = await target.captured(3);
      const before = world.now;
      for (const claim of await world.claimDue()) await target.settle(claim, 'succeeded');
      const [delivery] = await world.store.events.deliveries(events[2]?.seq ?? 0, world.now);
      expect(delivery?.waitsFor).toBe('rate');
      const next = (await target.nextDue()) as number;
      expect(next - before).toBeGreaterThanOrEqual(3_600_000);
      world.now = next;
      expect(await world.claimDue()).toHaveLength(1);
    });
  });
}
