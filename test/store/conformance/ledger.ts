import { expect, test } from 'vitest';
import { newId } from '../../../src/core/ids.ts';
import { EVENT_STATUS } from '../../../src/core/model.ts';
import type { ClaimedDelivery } from '../../../src/store/contract/claims.ts';
import type { Settlement } from '../../../src/store/contract/queue.ts';
import { BREAKER } from '../../fixtures/breaker.ts';
import { close, LedgerModel, type ModelEndpoint, newestOf, statusOf } from './ledger-model.ts';
import { Random } from './random.ts';
import { clearedWorlds, LEASE_MS, type OpenStore, type Outcome, type World } from './world.ts';

/** Runs random operations on a store and on a model of it, and compares the two. */
class Ledger {
  readonly #world: World;
  readonly #random: Random;
  readonly #model = new LedgerModel();
  readonly #accounts = new Map<number, Awaited<ReturnType<World['endpoint']>>>();
  /** Null for a one-off URL. */
  readonly #destinationIds = new Map<number, string | null>();
  /** Every claim that was handed out and isn't settled yet, live or not. */
  #claims: ClaimedDelivery[] = [];

  constructor(world: World, seed: number) {
    this.#world = world;
    this.#random = new Random(seed);
  }

  async start(): Promise<void> {
    for (let i = 0; i < 3; i++) await this.#addEndpoint();
  }

  readonly #operations: readonly [weight: number, name: string, run: () => Promise<void>][] = [
    [5, 'capture', () => this.#capture()],
    [5, 'claim', () => this.#claimDue()],
    [8, 'settle', () => this.#settle()],
    [3, 'replay', () => this.#replay()],
    [3, 'replay to some', () => this.#replayToSome()],
    [1, 'replay to a URL', () => this.#replayToUrl()],
    [0.5, 'delete an event', () => this.#deleteEvent()],
    [2, 'add a destination', () => this.#addDestination()],
    [2, 'remove a destination', () => this.#removeDestination()],
    [3, 'release or begin', () => this.#giveBack()],
    [3, 'pass time', () => this.#passTime()],
    [1, 'retire', () => this.#retire()],
    [0.5, 'remove an endpoint', () => this.#removeEndpoint()],
    [1, 'purge', () => this.#purge()],
    [0.3, 'restart', () => this.#restart()],
  ];

  /** The names of all operations. */
  get names(): string[] {
    return this.#operations.map(([, name]) => name);
  }

  /** Runs one random operation and returns its name. */
  async step(): Promise<string> {
    let at = this.#random.next() * this.#operations.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, name, run] of this.#operations) {
      at -= weight;
      if (at >= 0) continue;
      await run();
      return name;
    }
    return 'nothing';
  }

  /**
   * Compares every list, total and delivery with the model. Endpoints take turns with their
   * lists by status: a total that is wrong stays wrong.
   */
  async check(step: string, turn: number): Promise<void> {
    const { store } = this.#world;
    for (const [i, endpoint] of [...this.#model.endpoints.values()].entries()) {
      const expected = endpoint.events.toReversed().map((event) => ({
        id: event.id,
        status: statusOf(event, endpoint.oneOffKeys),
        attempts: event.deliveries
          .filter(({ round }) => round >= event.countedFrom)
          .reduce((sum, { attempts }) => sum + attempts, 0),
      }));
      const list = async (filter: object) => {
        const window = { offset: 0, limit: 1000 };
        const { events, total } = await store.events.list(
          { endpointKeys: [endpoint.key] },
          filter,
          window,
        );
        return {
          events: events.map(({ id, status, attempts }) => ({ id, status, attempts })),
          total,
        };
      };
      expect(await list({}), step).toEqual({ events: expected, total: expected.length });
      const statuses = i === turn % this.#model.endpoints.size ? EVENT_STATUS.names : [];
      for (const status of statuses) {
        const events = expected.filter((event) => event.status === status);
        expect(await list({ status }), step).toEqual({ events, total: events.length });
      }
      for (const event of this.#random.some(endpoint.events, 0.2)) {
        const newest = newestOf(event);
        const visible = event.deliveries
          .filter((one) => one.state === 'pending' || newest.includes(one))
          .sort((a, b) => a.round - b.round || a.destinationKey - b.destinationKey)
          .map(({ destinationKey, state, attempts, dueAt }) => ({
            destinationId: this.#destinationIds.get(destinationKey),
            state,
            attempts,
            nextAttemptAt: state === 'pending' ? dueAt : null,
          }));
        const deliveries = (await store.events.deliveries(event.seq, this.#world.now)).map(
          ({ destinationId, state, attempts, nextAttemptAt }) => ({
            destinationId,
            state,
            attempts,
            nextAttemptAt,
          }),
        );
        expect(deliveries, step).toEqual(visible);
        const attempts = await store.events.attempts(event.seq);
        expect(new Set(attempts.map(({ id }) => id)), step).toEqual(event.attemptIds);
      }
    }
  }

  #endpoint(): ModelEndpoint {
    return this.#random.pick([...this.#model.endpoints.values()]);
  }

  async #addEndpoint(): Promise<void> {
    const endpoint = await this.#world.endpoint();
    this.#accounts.set(endpoint.key, endpoint);
    this.#model.endpoints.set(endpoint.key, {
      key: endpoint.key,
      destinationKeys: [],
      oneOffKeys: new Set(),
      events: [],
    });
    await this.#addDestination(this.#model.endpoints.get(endpoint.key));
  }

  async #capture(): Promise<void> {
    const targets = Array.from({ length: 1 + this.#random.below(4) }, () => this.#endpoint());
    const requests = targets.map(({ key }) =>
      this.#world.request(this.#accounts.get(key) as never, {
        receivedAt: this.#world.now - this.#random.below(50),
      }),
    );
    const terms = this.#world.terms({
      limit: this.#random.below(6),
      skip: new Set(this.#random.some([...this.#destinationIds.keys()], 0.2)),
    });
    const { results, claimed } = await this.#world.store.events.appendBatch(requests, terms);
    for (const [i, result] of results.entries()) {
      const endpoint = targets[i] as ModelEndpoint;
      if (!result.stored) throw new Error(`not stored: ${result.reason}`);
      const { seq, id, receivedAt } = result.event;
      const event = {
        seq,
        id,
        receivedAt,
        round: 0,
        countedFrom: 0,
        deliveries: [],
        attemptIds: new Set<string>(),
      };
      endpoint.events.push(event);
      this.#model.openRound(endpoint, event, receivedAt);
    }
    this.#take(claimed, terms.leaseUntil);
  }

  #take(claims: readonly ClaimedDelivery[], leaseUntil: number): void {
    for (const claim of claims) {
      expect(this.#model.deliveryOf(claim)).toMatchObject({
        state: 'pending',
        attempts: claim.attempts,
      });
      this.#model.claim(claim, leaseUntil);
    }
    this.#claims.push(...claims);
  }

  async #claimDue(): Promise<void> {
    const { now } = this.#world;
    const skip = new Set(this.#random.some([...this.#destinationIds.keys()], 0.2));
    const perDestination = 1 + this.#random.below(4);
    const due = this.#model.claimable(now);
    const claims = await this.#world.claimDue({ skip, perDestination });
    for (const [key, dueTimes] of due) {
      const expected = skip.has(key) ? [] : dueTimes.slice(0, perDestination);
      const claimed = claims.filter(({ destination }) => destination.key === key);
      const times = claimed.map((claim) => this.#model.deliveryOf(claim)?.dueAt);
      expect(times).toEqual(expected);
    }
    expect(new Set(claims.map(({ id }) => id)).size).toBe(claims.length);
    expect(claims.every(({ destination }) => due.has(destination.key))).toBe(true);
    this.#take(claims, now + LEASE_MS);
    const left = [...this.#model.claimable(now)].filter(([key]) => !skip.has(key));
    const next =
      left.length === 0 ? null : Math.min(...left.map(([, times]) => times[0] as number));
    const nextDueAt = await this.#world.store.queue.nextDueAt(now, skip);
    if (next !== null) expect(nextDueAt).toBe(next);
    else expect(nextDueAt ?? now + 1).toBeGreaterThan(now);
  }

  async #settle(): Promise<void> {
    const settled = this.#random.some(this.#claims, 0.4);
    this.#claims = this.#claims.filter((claim) => !settled.includes(claim));
    const { now } = this.#world;
    const settlements = settled.map((claim) => {
      const retry = { retryInMs: this.#random.below(3 * LEASE_MS) };
      const outcome = this.#random.pick<Outcome>(['succeeded', 'dead', retry, retry]);
      return this.#world.settlement(claim, outcome);
    });
    const expected = settlements.map(({ claim, attempt, next }) =>
      this.#model.settle(
        claim,
        attempt.id,
        next.state as 'pending' | 'succeeded' | 'dead',
        next.state === 'pending' ? next.nextAttemptAt : now,
      ),
    );
    const results = await this.#world.store.queue.settle(settlements, BREAKER);
    const gone = expected.map((status) => status === null);
    expect(results.map((result) => result === null)).toEqual(gone);
    // Of several results for one event, the last has the event's status after the commit.
    for (const [i, result] of results.entries()) {
      const isOfSame = ({ claim }: Settlement) => claim.eventSeq === settled[i]?.eventSeq;
      expect(result?.attempt.id).toBe(gone[i] ? undefined : settlements[i]?.attempt.id);
      if (settlements.findLastIndex(isOfSame) !== i) continue;
      expect(result?.eventStatus ?? null).toBe(expected[i]);
    }
  }

  async #replay(): Promise<void> {
    const endpoint = this.#endpoint();
    if (endpoint.events.length === 0) return;
    const event = this.#random.pick(endpoint.events);
    const terms = this.#world.terms({ limit: this.#random.below(3) });
    const { replays } = this.#world.store;
    const replayed = await replays.replay(endpoint.key, event.seq, this.#world.now, terms);
    expect(replayed?.deliveries).toBe(endpoint.destinationKeys.length);
    this.#model.openRound(endpoint, event, this.#world.now);
    this.#take(replayed?.claimed ?? [], terms.leaseUntil);
  }

  async #replayToSome(): Promise<void> {
    const endpoint = this.#endpoint();
    const keys = this.#random.some(endpoint.destinationKeys, 0.6).sort((a, b) => a - b);
    if (endpoint.events.length === 0 || keys.length === 0) return;
    const event = this.#random.pick(endpoint.events);
    const terms = this.#world.terms({ limit: this.#random.below(3) });
    const replayed = await this.#world.store.replays.replay(
      ...([endpoint.key, event.seq, this.#world.now, terms] as const),
      { to: 'destinations', ids: keys.map((key) => this.#destinationIds.get(key) as string) },
    );
    expect(replayed?.deliveries).toBe(keys.length);
    this.#model.openRound(endpoint, event, this.#world.now, keys);
    this.#take(replayed?.claimed ?? [], terms.leaseUntil);
  }

  async #replayToUrl(): Promise<void> {
    const endpoint = this.#endpoint();
    if (endpoint.events.length === 0) return;
    const event = this.#random.pick(endpoint.events);
    const terms = this.#world.terms({ limit: this.#random.below(2) });
    const url = `https://once.example.com/${this.#random.below(2)}`;
    const id = newId('dst', this.#world.now);
    const replayed = await this.#world.store.replays.replay(
      ...([endpoint.key, event.seq, this.#world.now, terms] as const),
      { to: 'url', url, id, mostUrls: 2 },
    );
    expect(replayed?.deliveries).toBe(1);
    const claimed = replayed?.claimed ?? [];
    const [key = claimed[0]?.destination.key as number] = replayed?.unclaimed ?? [];
    endpoint.oneOffKeys.add(key);
    this.#destinationIds.set(key, null);
    this.#model.openRound(endpoint, event, this.#world.now, [key]);
    this.#take(claimed, terms.leaseUntil);
  }

  async #deleteEvent(): Promise<void> {
    const endpoint = this.#endpoint();
    if (endpoint.events.length === 0) return;
    const event = this.#random.pick(endpoint.events);
    const removed = await this.#world.store.events.remove(endpoint.key, event.id);
    expect(removed).toEqual({ freed: new Set() });
    endpoint.events = endpoint.events.filter((one) => one !== event);
  }

  async #addDestination(endpoint = this.#endpoint()): Promise<void> {
    if (endpoint.destinationKeys.length >= 3) return;
    const account = this.#accounts.get(endpoint.key) as never;
    const { key, id } = await this.#world.destination(account);
    endpoint.destinationKeys.push(key);
    this.#destinationIds.set(key, id);
  }

  async #removeDestination(): Promise<void> {
    const endpoint = this.#endpoint();
    if (endpoint.destinationKeys.length === 0) return;
    const key = this.#random.pick(endpoint.destinationKeys);
    const cancel = this.#random.chance(0.5);
    const id = this.#destinationIds.get(key) as string;
    const { destinations } = this.#world.store;
    expect(await destinations.remove(endpoint.key, id, this.#world.now, cancel)).toBe(true);
    endpoint.destinationKeys = endpoint.destinationKeys.filter((one) => one !== key);
    if (!cancel) return;
    for (const { deliveries } of endpoint.events) {
      for (const delivery of deliveries) {
        const isIts = delivery.destinationKey === key;
        if (isIts && delivery.state === 'pending') close(delivery, 'cancelled');
      }
    }
  }

  async #giveBack(): Promise<void> {
    const some = this.#random.some(this.#claims, 0.3);
    const live = some.filter((claim) => this.#model.isLive(claim));
    if (this.#random.chance(0.5)) {
      await this.#world.store.queue.release(some);
      for (const claim of live) {
        const delivery = this.#model.deliveryOf(claim);
        if (delivery) delivery.token = null;
      }
    } else {
      const until = this.#world.now + 2 * LEASE_MS;
      const begun = await this.#world.store.queue.begin(some, until, this.#world.now);
      expect(begun.map((outgoing) => outgoing !== null)).toEqual(
        some.map((claim) => live.includes(claim)),
      );
      for (const claim of live) this.#model.claim(claim, until);
    }
  }

  async #passTime(): Promise<void> {
    this.#world.now += this.#random.below(LEASE_MS);
  }

  async #retire(): Promise<void> {
    const before = this.#world.now - 2 * LEASE_MS;
    const isKept = (event: ModelEndpoint['events'][number]) =>
      event.receivedAt >= before || event.deliveries.some(({ state }) => state === 'pending');
    let expected = 0;
    for (const endpoint of this.#model.endpoints.values()) {
      expected += endpoint.events.filter((event) => !isKept(event)).length;
      endpoint.events = endpoint.events.filter(isKept);
    }
    const { removed } = await this.#world.store.upkeep.retireSlice({ before: before }, 1000);
    // The slice may also delete events of removed endpoints, which the model no longer has.
    expect(removed).toBeGreaterThanOrEqual(expected);
  }

  async #removeEndpoint(): Promise<void> {
    const { key } = this.#endpoint();
    expect(await this.#world.store.endpoints.remove(key, this.#world.now)).toBe(true);
    this.#model.endpoints.delete(key);
    await this.#addEndpoint();
  }

  async #purge(): Promise<void> {
    await this.#world.store.upkeep.purgeSlice(1 + this.#random.below(5));
  }

  async #restart(): Promise<void> {
    await this.#world.reopen();
    this.#claims = [];
    // The clock moves past every lease, for backends whose claims outlive a process.
    this.#world.now += 2 * LEASE_MS;
    for (const endpoint of this.#model.endpoints.values()) {
      for (const { deliveries } of endpoint.events) {
        for (const delivery of deliveries) delivery.token = null;
      }
    }
  }
}

export const ledgerConformance = (open: OpenStore): void => followOperations(open, [5], 60);
export const ledgerTries = (open: OpenStore): void => followOperations(open, [14, 16], 130);

function followOperations(open: OpenStore, seeds: readonly number[], steps: number): void {
  test.each(seeds)('match the model after every operation (seed %i)', async (seed) => {
    const world = await clearedWorlds(open)();
    const ledger = new Ledger(world, seed);
    await ledger.start();
    const done = new Set<string>();
    for (let i = 0; i < steps; i++) {
      const name = await ledger.step();
      done.add(name);
      await ledger.check(`step ${i}: ${name}`, i);
    }
    expect([...done].sort()).toEqual(ledger.names.sort());
  });
}
