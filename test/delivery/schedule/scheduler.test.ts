import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { BorrowedBody } from '../../../src/core/http/borrowed-body.ts';
import { newId } from '../../../src/core/ids.ts';
import type { Endpoint } from '../../../src/core/model.ts';
import type { Verdict } from '../../../src/core/rules/verdict.ts';
import { type Logger, systemClock, type WakingClock } from '../../../src/core/runtime/runtime.ts';
import { DEFAULT_DESTINATION_SETTINGS } from '../../../src/core/settings/destination-settings.ts';
import { DEFAULT_ENDPOINT_SETTINGS } from '../../../src/core/settings/endpoint-settings.ts';
import { retryDelayMs } from '../../../src/delivery/attempt/backoff.ts';
import { Dispatcher, type DispatchLimits } from '../../../src/delivery/schedule/dispatcher.ts';
import { Scheduler } from '../../../src/delivery/schedule/scheduler.ts';
import { Throttle } from '../../../src/delivery/schedule/throttle.ts';
import type { ClaimedDelivery } from '../../../src/store/contract/claims.ts';
import type { QueueStore, Settlement } from '../../../src/store/contract/queue.ts';
import type { Store } from '../../../src/store/contract/store.ts';
import { openSqliteStore } from '../../../src/store/sqlite/sqlite-store.ts';
import { BREAKER } from '../../fixtures/breaker.ts';
import { failOnLeaks } from '../../fixtures/leaks.ts';
import { MANY } from '../../fixtures/many.ts';
import { tempDir } from '../../fixtures/running-server.ts';
import { until } from '../../fixtures/until.ts';
import { verdictOf } from '../../fixtures/verdict.ts';

/*
 * The scheduler on a real store. The test controls its timers and its clock: `pass`
 * skips hours at once. The store's own turns of the event loop are real.
 */

failOnLeaks();

const TICK_MS = 20_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

beforeEach(() => {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'],
  });
});

afterEach(() => {
  vi.useRealTimers();
});

/** Moves time timer by timer, with real turns of the event loop in between. */
async function pass(ms: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms);
  await turns();
}

async function turns(count = 8): Promise<void> {
  for (let i = 0; i < count; i++) await new Promise(setImmediate);
}

interface Made {
  claim: ClaimedDelivery;
  at: number;
}

type Outcome = Settlement['next'] | 'abort' | 'throw';
type Answer = (made: Made) => Outcome | Promise<Outcome>;

class Rig {
  readonly store: Store;
  readonly made: Made[] = [];
  readonly errors: string[] = [];
  readonly settledIds: string[] = [];
  /** The outcome of an attempt. */
  answer: Answer = () => ({ state: 'succeeded' });
  /** Replaces operations of the queue. */
  overrides: Partial<QueueStore> = {};
  calls: Record<string, number> = {};
  aborts = 0;
  /** Offset of the wall clock, ms. */
  skewMs = 0;
  #running = false;
  endpoint!: Endpoint;
  scheduler!: Scheduler;
  /** Whether attempts time out. */
  timesOut = false;
  /** Duration of such an attempt, ms. */
  timeoutMs = HOUR_MS;
  /** Busy share of the thread, 0 to 1. */
  busy = 0;
  readonly throttle = new Throttle(systemClock, () => this.busy);
  dispatcher!: Dispatcher;

  constructor(store: Store) {
    this.store = store;
  }

  /** Time that the machine has slept, ms. */
  sleptMs = 0;

  readonly clock: WakingClock = {
    now: () => Date.now() + this.sleptMs + this.skewMs,
    monotonic: () => Date.now(),
    elapsed: () => Date.now() + this.sleptMs,
  };

  /** Like `Scheduler.stop`. A scheduler that still runs at the end of the test is stopped. */
  async stop(graceMs: number): Promise<void> {
    const { scheduler } = this;
    this.#running = false;
    await scheduler.stop(graceMs);
  }

  async end(): Promise<void> {
    if (this.#running) await this.stop(0);
    await this.store.close();
  }

  /** A new scheduler on the same store, as after a restart. */
  makeScheduler(limits: Partial<DispatchLimits> = {}, attemptTimeoutMs = 10_000): Scheduler {
    const note = (message: string) => {
      this.errors.push(message);
    };
    const log: Logger = { debug() {}, info() {}, warn() {}, error: note };
    this.dispatcher = new Dispatcher({
      slots: 64,
      slotsPerDestination: 16,
      bytes: 1_000_000,
      ...limits,
    });
    this.#running = true;
    this.scheduler = new Scheduler({
      isApart: () => false,
      queue: this.#queue(),
      dispatcher: this.dispatcher,
      throttle: this.throttle,
      clock: this.clock,
      log,
      breaker: BREAKER,
      slots: null,
      attemptTimeoutMs,
      attempt: (claim) => this.#attempt(claim),
      abort: () => {
        this.aborts++;
      },
      onSettled: (settled) => {
        this.settledIds.push(...settled.map(({ attempt }) => attempt.id));
      },
    });
    return this.scheduler;
  }

  #queue(): QueueStore {
    return new Proxy(this.store.queue, {
      get: (queue, name: keyof QueueStore) => {
        return (...args: never[]) => {
          this.calls[name] = (this.calls[name] ?? 0) + 1;
          const operation = (this.overrides[name] ?? queue[name].bind(queue)) as (
            ...args: never[]
          ) => unknown;
          return operation(...args);
        };
      },
    });
  }

  async #attempt(claim: ClaimedDelivery): Promise<Settlement | null> {
    const made = { claim, at: this.clock.now() };
    this.made.push(made);
    const next = await this.answer(made);
    if (next === 'throw') throw new Error('a bug');
    if (next === 'abort') return null;
    return {
      claim,
      attempt: {
        id: newId('att', made.at),
        destinationUrl: 'https://192.0.2.1',
        responseCode: next.state === 'succeeded' ? 200 : 500,
        responseHeaders: null,
        responseBody: '',
        responseTruncated: false,
        durationMs: this.timesOut ? this.timeoutMs : 1,
        error: null,
        attemptedAt: made.at,
        requestHeaders: null,
        ruleVersion: 0,
      },
      timedOut: this.timesOut,
      reach: 'answered',
      holdMs: null,
      next,
    };
  }

  async addDestinations(count: number): Promise<void> {
    for (let i = 0; i < count; i++) {
      await this.store.destinations.add(
        this.endpoint.key,
        {
          id: newId('dst', this.clock.now()),
          url: `https://192.0.2.1/${i}`,
          sealedSecret: null,
          sealedHeaders: null,
          settings: DEFAULT_DESTINATION_SETTINGS,
          createdAt: this.clock.now(),
        },
        MANY,
      );
    }
  }

  /** Captures events in one commit, as the server does. Returns their ids. */
  async capture(count: number, terms = this.scheduler.terms()): Promise<string[]> {
    const ids = Array.from({ length: count }, () => newId('evt', this.clock.now()));
    const append = (verdict?: Verdict) =>
      this.store.events.appendBatch(
        ids.map((id) => ({
          ...(verdict && { verdict }),
          id,
          publicToken: this.endpoint.publicToken,
          path: '',
          query: '',
          rawHeaders: [],
          method: 'POST',
          body: new BorrowedBody(Buffer.from('x')),
          contentType: null,
          sourceIp: '192.0.2.9',
          receivedAt: this.clock.now(),
          provider: null,
          eventType: null,
        })),
        terms,
      );
    let batch = await append();
    const [first] = batch.results;
    if (first && !first.stored && first.reason === 'stale') {
      const { version, filters } = first.judgeBy;
      const orderKeys = filters.map(({ destinationKey }) => ({ destinationKey, key: '*' }));
      batch = await append(verdictOf({ version, orderKeys }));
    }
    this.scheduler.accept(batch);
    return ids;
  }

  /** Waits in real time until this many attempts were made and recorded. */
  async attempted(count: number): Promise<Made[]> {
    await until(`${count} attempts, recorded`, () => this.settledIds.length >= count);
    expect(this.made).toHaveLength(count);
    return this.made;
  }

  async stats() {
    return this.store.stats(this.clock.now());
  }
}

async function rig(destinations = 1): Promise<Rig> {
  const store = await openSqliteStore({
    dataDir: tempDir(),
    clock: systemClock,
    log: { debug() {}, info() {}, warn() {}, error() {} },
    onFatal: (error) => {
      throw error;
    },
  });
  onTestFinished(async () => {
    vi.useRealTimers();
    await made.end();
  });
  const made = new Rig(store);
  const user = { id: 'usr_1', email: 'a@example.com', plan: 'free' } as const;
  await store.accounts.createUser({ ...user, passwordHash: 'x', createdAt: 0 });
  made.endpoint = await store.endpoints.create(
    {
      id: 'ep_1',
      userId: user.id,
      publicToken: 'token',
      settings: { ...DEFAULT_ENDPOINT_SETTINGS, name: 'hooks' },
      source: null,
      createdAt: 0,
    },
    MANY,
  );
  await made.addDestinations(destinations);
  return made;
}

const retryIn =
  (ms: number): Answer =>
  ({ at }) => ({ state: 'pending', nextAttemptAt: at + ms });

test('the end of a delivery lets the next of its order key go at once', async () => {
  const it = await rig(1);
  const [destination] = await it.store.destinations.list(it.endpoint.key);
  if (!destination) throw new Error('a destination was added');
  const by = { version: destination.version, at: 0, by: null };
  const settings = { order_by: '*' };
  await it.store.destinations.update(it.endpoint.key, destination.id, { settings }, by);
  it.makeScheduler().start();
  const ids: string[] = [];
  let running = 0;
  let most = 0;
  it.answer = async () => {
    most = Math.max(most, ++running);
    await turns(2);
    running--;
    return { state: 'succeeded' };
  };
  for (let i = 0; i < 5; i++) ids.push(...(await it.capture(1)));
  // No timer passes: nothing but the settled attempts leads to the next look.
  const made = await it.attempted(5);
  expect(made.map(({ claim }) => claim.eventId)).toEqual(ids);
  expect(most).toBe(1);
});

describe('an event', () => {
  test('is attempted at once, at every destination, and recorded', async () => {
    const it = await rig(3);
    it.makeScheduler().start();
    const [id] = await it.capture(1);
    const made = await it.attempted(3);
    expect(new Set(made.map(({ claim }) => claim.destination.key)).size).toBe(3);
    expect(made.every(({ claim }) => claim.eventId === id && claim.attempts === 0)).toBe(true);
    const event = await it.store.events.find(it.endpoint.key, id as string);
    expect(event).toMatchObject({ status: 'delivered', attempts: 3 });
    expect(await it.stats()).toMatchObject({ pending: 0, due: 0 });
  });

  test('captured while nothing ran is attempted at the start', async () => {
    const it = await rig();
    it.makeScheduler();
    await it.capture(5);
    await turns();
    expect(it.made).toEqual([]);
    expect(await it.stats()).toMatchObject({ due: 5 });
    it.scheduler.start();
    await it.attempted(5);
  });

  test('whose endpoint was deleted is not attempted, and frees its slot', async () => {
    const it = await rig();
    it.makeScheduler({ slots: 2, slotsPerDestination: 1 }).start();
    let finish = () => {};
    it.answer = () =>
      new Promise((resolve) => {
        finish = () => resolve({ state: 'succeeded' });
      });
    await it.capture(10);
    await until('one is under way', () => it.made.length === 1);
    await it.store.endpoints.remove(it.endpoint.key, it.clock.now());
    finish();
    await until('all slots are free', () => it.dispatcher.running === 0);
    expect(it.made).toHaveLength(1);
    expect(it.dispatcher.waiting).toBe(0);
  });
});

describe('retries', () => {
  test('come when they are due, to the millisecond, over the whole schedule', async () => {
    const it = await rig();
    it.makeScheduler().start();
    const policy = { attempts: 8, baseMs: 5000, factor: 5, maxMs: DAY_MS };
    const delayAfter = (attempt: number) =>
      retryDelayMs({ attempt, retryAfterMs: null, random: () => 0.5, policy });
    it.answer = ({ claim, at }) => {
      const attempt = claim.attempts + 1;
      if (attempt === policy.attempts) return { state: 'dead' };
      return { state: 'pending', nextAttemptAt: at + delayAfter(attempt) };
    };
    const [id] = await it.capture(1);
    await it.attempted(1);
    for (let attempt = 1; attempt < 8; attempt++) {
      await pass(delayAfter(attempt) - 1);
      expect(it.made).toHaveLength(attempt);
      await pass(1);
      await it.attempted(attempt + 1);
    }
    const delays = it.made.slice(1).map(({ at }, i) => (at - (it.made[i] as Made).at) / 1000);
    expect(delays).toEqual([5, 25, 125, 625, 3125, 15_625, 78_125]);
    await pass(DAY_MS + HOUR_MS);
    expect(it.made).toHaveLength(8);
    const event = await it.store.events.find(it.endpoint.key, id as string);
    expect(event?.status).toBe('dead_letter');
  });

  test('of many deliveries come at their own times', async () => {
    const it = await rig();
    it.makeScheduler().start();
    const due = new Map<string, number>();
    it.answer = ({ claim, at }) => {
      if (claim.attempts > 0) return { state: 'succeeded' };
      const nextAttemptAt = at + 1000 + ((claim.eventSeq * 7919) % 60_000);
      due.set(claim.id, nextAttemptAt);
      return { state: 'pending', nextAttemptAt };
    };
    await it.capture(40);
    await it.attempted(40);
    for (let i = 0; i < 62; i++) await pass(1000);
    await it.attempted(80);
    for (const { claim, at } of it.made.slice(40)) {
      const late = at - (due.get(claim.id) as number);
      expect(late).toBeGreaterThanOrEqual(0);
      // One timer is set to the next due time: each retry is on time, not at the
      // next tick.
      expect(late).toBeLessThanOrEqual(1000);
    }
  });

  test('outlive a restart', async () => {
    const it = await rig();
    it.makeScheduler().start();
    it.answer = retryIn(60_000);
    await it.capture(1);
    const [first] = await it.attempted(1);
    await it.stop(0);
    it.makeScheduler().start();
    it.answer = () => ({ state: 'succeeded' });
    await pass(59_000);
    expect(it.made).toHaveLength(1);
    await pass(1000);
    const [, second] = await it.attempted(2);
    expect(second?.at).toBe((first as Made).at + 60_000);
    expect(second?.claim.attempts).toBe(1);
  });
});

describe('more deliveries than memory takes', () => {
  test('of one destination go in order, each once', async () => {
    const it = await rig();
    it.makeScheduler({ slotsPerDestination: 1 }).start();
    const ids: string[] = [];
    for (let i = 0; i < 10; i++) ids.push(...(await it.capture(100)));
    expect(it.dispatcher.waiting).toBeLessThan(1000);
    await it.attempted(1000);
    expect(it.made.map(({ claim }) => claim.eventId)).toEqual(ids);
    expect(await it.stats()).toMatchObject({ pending: 0 });
  });

  test('captured during other deliveries are not left behind', async () => {
    const it = await rig();
    it.makeScheduler({ slotsPerDestination: 4 }).start();
    let total = 0;
    for (let i = 0; i < 60; i++) {
      const count = 1 + ((i * 37) % 90);
      await it.capture(count);
      total += count;
      await turns(i % 5);
    }
    await it.attempted(total);
    expect(new Set(it.made.map(({ claim }) => claim.id)).size).toBe(total);
    expect(it.dispatcher.waiting + it.dispatcher.running).toBe(0);
  });

  test('of all destinations go once each, and memory holds at most 4096', async () => {
    const it = await rig(24);
    it.makeScheduler().start();
    let most = 0;
    it.answer = () => {
      most = Math.max(most, it.dispatcher.waiting);
      return { state: 'succeeded' };
    };
    for (let i = 0; i < 4; i++) await it.capture(50);
    await it.attempted(4800);
    expect(new Set(it.made.map(({ claim }) => claim.id)).size).toBe(4800);
    expect(most).toBeLessThanOrEqual(4096);
    expect(most).toBeGreaterThan(1000);
  });

  test('are read from the table at the start', async () => {
    const it = await rig(2);
    it.makeScheduler();
    for (let i = 0; i < 6; i++) await it.capture(100);
    it.scheduler.start();
    await it.attempted(1200);
    expect(new Set(it.made.map(({ claim }) => claim.id)).size).toBe(1200);
  });

  test('of a destination that stops answering give their places to others', async () => {
    const it = await rig(1);
    it.makeScheduler({ slotsPerDestination: 2 }, HOUR_MS).start();
    await it.capture(1);
    await it.attempted(1);
    const ends: (() => void)[] = [];
    it.answer = () =>
      new Promise((resolve) => {
        ends.push(() => resolve({ state: 'pending', nextAttemptAt: it.clock.now() + DAY_MS }));
      });
    // One commit hands over all of its deliveries.
    await it.capture(240);
    await until('two are under way', () => ends.length === 2);
    expect(it.dispatcher.waiting).toBeGreaterThan(200);
    it.timesOut = true;
    ends.shift()?.();
    await until('one waits', () => it.dispatcher.waiting === 1);
    expect(it.dispatcher.waitingOneSlot).toBe(1);
    // The returned claims are in the table, and come when the destination answers again.
    it.timesOut = false;
    it.answer = () => ({ state: 'succeeded' });
    for (const end of ends.splice(0)) end();
    await until('the others are made', () => it.settledIds.length === 241);
    expect(new Set(it.made.map(({ claim }) => claim.id)).size).toBe(241);
  });

  test('a flood is recorded at once, and keeps its slot until the deadline', async () => {
    const it = await rig(1);
    it.makeScheduler({ slotsPerDestination: 2 }, 10_000).start();
    it.timesOut = true;
    it.timeoutMs = 10;
    await it.capture(3);
    await it.attempted(1);
    await until('it is recorded', () => it.settledIds.length === 1);
    await pass(9_900);
    expect([it.made.length, it.dispatcher.running]).toEqual([1, 1]);
    await pass(100);
    await it.attempted(2);
    await until('the second is recorded', () => it.settledIds.length === 2);
    it.timesOut = false;
    await pass(10_000);
    await it.attempted(3);
    await until('the third is recorded', () => it.settledIds.length === 3);
    expect(it.dispatcher.running).toBe(0);
  });

  test('a stop does not wait for the slot of a flood', async () => {
    const it = await rig(1);
    it.makeScheduler({ slotsPerDestination: 2 }, HOUR_MS).start();
    it.timesOut = true;
    it.timeoutMs = 10;
    await it.capture(2);
    await until('it is recorded', () => it.settledIds.length === 1);
    await it.stop(60_000);
    expect([it.made.length, it.dispatcher.running, it.aborts]).toEqual([1, 0, 0]);
  });

  test('a hanging destination does not keep others from being fetched', async () => {
    const it = await rig(2);
    it.makeScheduler({ slots: 8, slotsPerDestination: 2 });
    const hanging = new Set<() => void>();
    it.answer = ({ claim }) => {
      if (claim.destination.key % 2 === 0) return { state: 'succeeded' };
      return new Promise((resolve) => {
        hanging.add(() => resolve({ state: 'succeeded' }));
      });
    };
    it.scheduler.start();
    for (let i = 0; i < 4; i++) await it.capture(100);
    await until('all of the other', () => it.settledIds.length === 400);
    it.answer = () => ({ state: 'succeeded' });
    for (const finish of hanging) finish();
    await until('then all', () => it.settledIds.length === 800);
  });
});

describe('when attempts can’t be recorded', () => {
  test('they are kept and nothing new starts; then everything goes on', async () => {
    const it = await rig();
    it.makeScheduler({ slotsPerDestination: 2 }).start();
    let failures = 0;
    it.overrides.settle = () => {
      failures++;
      return Promise.reject(new Error('disk full'));
    };
    await it.capture(20);
    await until('the first is refused', () => failures === 1);
    const made = it.made.length;
    await it.capture(5);
    await pass(5000);
    expect(failures).toBeGreaterThanOrEqual(4);
    expect(failures).toBeLessThanOrEqual(8);
    expect(it.made.length - made).toBeLessThanOrEqual(1);
    expect(it.errors).toEqual(['cannot record attempts; deliveries wait']);
    delete it.overrides.settle;
    await pass(2000);
    await it.attempted(25);
    expect(new Set(it.made.map(({ claim }) => claim.id)).size).toBe(25);
  });

  // A lease lasts an attempt and a minute. An outcome that waits longer must keep
  // its claim.
  test('for minutes, no delivery is made again', async () => {
    const it = await rig();
    it.makeScheduler().start();
    it.overrides.settle = () => Promise.reject(new Error('disk full'));
    await it.capture(3);
    await until('all are made', () => it.made.length >= 1);
    await pass(5 * 60_000);
    const made = it.made.length;
    delete it.overrides.settle;
    await pass(2 * TICK_MS);
    await until('all are recorded', () => it.settledIds.length >= 3);
    await pass(2 * TICK_MS);
    expect(made).toBeLessThanOrEqual(3);
    const perDelivery = Map.groupBy(it.made, ({ claim }) => claim.id);
    expect([...perDelivery.values()].map((all) => all.length)).toEqual([1, 1, 1]);
  });
});

describe('failures', () => {
  test('an attempt that throws is logged, and made again at the next tick', async () => {
    const it = await rig();
    it.makeScheduler().start();
    it.answer = () => 'throw';
    await it.capture(1);
    await until('it is logged', () => it.errors.length === 1);
    expect(it.errors).toEqual(['a delivery attempt failed unexpectedly']);
    it.answer = () => ({ state: 'succeeded' });
    await pass(TICK_MS);
    await until('it is made', () => it.settledIds.length === 1);
    expect(it.made.length).toBeLessThanOrEqual(3);
  });

  test('an unreadable delivery is given back', async () => {
    const it = await rig();
    it.makeScheduler().start();
    it.overrides.begin = () => Promise.reject(new Error('io'));
    await it.capture(3);
    await until('it is logged', () => it.errors.length > 0);
    expect(it.dispatcher.running).toBe(0);
    delete it.overrides.begin;
    await pass(TICK_MS);
    await until('all are made', () => it.settledIds.length === 3);
  });

  test('an unreadable delivery does not hold back the others', async () => {
    const it = await rig();
    it.makeScheduler().start();
    // A destination that has answered gets several at once.
    await it.capture(1);
    await it.attempted(1);
    const { queue } = it.store;
    let bad = '';
    it.overrides.begin = (claims, leaseUntil, now) => {
      bad ||= claims[0]?.id ?? '';
      if (claims.some(({ id }) => id === bad)) return Promise.reject(new Error('damaged'));
      return queue.begin(claims, leaseUntil, now);
    };
    await it.capture(5);
    await until('the others are made', () => it.settledIds.length === 5);
    expect(new Set(it.errors)).toEqual(new Set(['could not read the requests to deliver']));
    expect(it.made.map(({ claim }) => claim.id)).not.toContain(bad);
    expect(it.dispatcher.running).toBe(0);
  });

  test('a failed claim is tried again at the next tick', async () => {
    const it = await rig();
    it.makeScheduler();
    await it.capture(2);
    it.overrides.claimDue = () => Promise.reject(new Error('io'));
    it.scheduler.start();
    await until('it is logged', () => it.errors.length > 0);
    delete it.overrides.claimDue;
    await pass(TICK_MS);
    await it.attempted(2);
  });
});

describe('stop', () => {
  test('lets attempts under way end, and gives back waiting claims', async () => {
    const it = await rig();
    it.makeScheduler({ slotsPerDestination: 1 }).start();
    let finish = () => {};
    it.answer = () =>
      new Promise((resolve) => {
        finish = () => resolve({ state: 'succeeded' });
      });
    await it.capture(5);
    await until('one is under way', () => it.made.length === 1);
    let stopped = false;
    const stopping = it.stop(8000).then(() => {
      stopped = true;
    });
    await turns();
    expect(stopped).toBe(false);
    finish();
    await stopping;
    expect(it.settledIds).toHaveLength(1);
    expect(it.aborts).toBe(0);
    expect(await it.stats()).toMatchObject({ pending: 4, due: 4 });
    await pass(10_000);
    expect([it.made.length, it.aborts]).toEqual([1, 0]);

    it.answer = () => ({ state: 'succeeded' });
    it.makeScheduler().start();
    await it.attempted(5);
  });

  test('aborts attempts after the grace, and leaves their deliveries due', async () => {
    const it = await rig();
    it.makeScheduler().start();
    let abort = () => {};
    it.answer = () =>
      new Promise((resolve) => {
        abort = () => resolve('abort');
      });
    await it.capture(1);
    await until('it is under way', () => it.made.length === 1);
    const stopping = it.stop(8000);
    await pass(7999);
    expect(it.aborts).toBe(0);
    await pass(1);
    expect(it.aborts).toBe(1);
    abort();
    await stopping;
    expect(it.settledIds).toEqual([]);
    expect(await it.stats()).toMatchObject({ pending: 1, due: 1 });
  });

  test('gives back claims that commits still hand over', async () => {
    const it = await rig();
    it.makeScheduler().start();
    await turns();
    await it.stop(0);
    expect(it.scheduler.terms().limit).toBe(0);
    await it.capture(3);
    await turns();
    expect(it.made).toEqual([]);
    expect(it.dispatcher.waiting).toBe(0);
    it.makeScheduler().start();
    await it.attempted(3);
  });

  test('ends even when attempts can’t be recorded', async () => {
    const it = await rig();
    it.makeScheduler().start();
    it.overrides.settle = () => Promise.reject(new Error('disk full'));
    await it.capture(1);
    await until('it is refused', () => it.errors.length === 1);
    const stopping = it.stop(8000);
    await pass(2000);
    await stopping;
    expect(await it.stats()).toMatchObject({ pending: 1 });
  });

  test('leaves no timer', async () => {
    const it = await rig();
    it.makeScheduler().start();
    it.answer = retryIn(60_000);
    await it.capture(1);
    await it.attempted(1);
    await it.stop(8000);
    await turns();
    // The indexer's wake-up belongs to the store; the scheduler leaves none.
    const calls = { ...it.calls };
    await pass(HOUR_MS);
    expect(it.calls).toEqual(calls);
  });
});

describe('looks at the table', () => {
  test('come once a tick with nothing to do', async () => {
    const it = await rig();
    it.makeScheduler().start();
    await turns();
    const before = it.calls.claimDue ?? 0;
    await pass(HOUR_MS);
    expect((it.calls.claimDue ?? 0) - before).toBeLessThanOrEqual(HOUR_MS / TICK_MS + 1);
  });

  test('come little more often with a retry due tomorrow', async () => {
    const it = await rig();
    it.makeScheduler().start();
    it.answer = retryIn(DAY_MS);
    await it.capture(3);
    await it.attempted(3);
    const before = it.calls.claimDue ?? 0;
    await pass(HOUR_MS);
    expect((it.calls.claimDue ?? 0) - before).toBeLessThanOrEqual((2 * HOUR_MS) / TICK_MS + 2);
    expect(it.made).toHaveLength(3);
  });

  test('do not loop with hanging attempts and others waiting behind them', async () => {
    const it = await rig();
    it.makeScheduler({ slotsPerDestination: 1 }, HOUR_MS).start();
    let finish = () => {};
    it.answer = () =>
      new Promise((resolve) => {
        finish = () => resolve({ state: 'succeeded' });
      });
    for (let i = 0; i < 4; i++) await it.capture(100);
    await until('one is under way', () => it.made.length === 1);
    const before = it.calls.claimDue ?? 0;
    await pass(10 * 60_000);
    expect((it.calls.claimDue ?? 0) - before).toBeLessThanOrEqual(62);
    // Waiting claims are renewed meanwhile: none is lost, none is attempted twice.
    expect(it.made).toHaveLength(1);
    it.answer = () => ({ state: 'succeeded' });
    finish();
    await it.attempted(400);
    expect(new Set(it.made.map(({ claim }) => claim.id)).size).toBe(400);
  });

  test('a commit that begins before the previous one ended lets the previous one’s deliveries go first', async () => {
    const it = await rig();
    it.makeScheduler().start();
    await turns();
    // Untried destination: one place in memory, and the first event's delivery gets
    // it.
    const [terms, ahead] = [it.scheduler.terms(), it.scheduler.terms(true)];
    const ids = (await Promise.all([it.capture(3, terms), it.capture(3, ahead)])).flat();
    const made = await it.attempted(6);
    expect(made.map(({ claim }) => claim.eventId)).toEqual(ids);
  });

  test('do not loop with many due deliveries of untried destinations, one of each waiting', async () => {
    const it = await rig(12);
    it.makeScheduler({}, HOUR_MS).start();
    const hanging: (() => void)[] = [];
    it.answer = () =>
      new Promise((resolve) => {
        hanging.push(() => resolve({ state: 'succeeded' }));
      });
    // Of 1,200 untried deliveries 24 are held: the others stay due in the table.
    for (let i = 0; i < 2; i++) await it.capture(50);
    await until('each waits with one', () => it.dispatcher.waitingOneSlot === 12);
    const before = it.calls.claimDue ?? 0;
    await pass(60_000);
    expect((it.calls.claimDue ?? 0) - before).toBeLessThanOrEqual(65);
    expect(it.dispatcher.waitingOneSlot).toBe(12);
    it.answer = () => ({ state: 'succeeded' });
    for (const finish of hanging.splice(0)) finish();
    await until('all are attempted', () => it.settledIds.length === 1200);
    expect(new Set(it.made.map(({ claim }) => claim.id)).size).toBe(1200);
  });
});

describe('while captures queue for the processor', () => {
  test('attempts are throttled, and go on by themselves afterwards', async () => {
    const it = await rig();
    it.makeScheduler().start();
    await it.capture(1);
    await it.attempted(1);
    it.busy = 1;
    it.throttle.onCaptured(4, 100);
    await it.capture(50);
    await it.attempted(6);
    await turns(50);
    expect(it.made).toHaveLength(6);
    // Nothing reports the end: the captures have ended too.
    await until('the others are made', async () => {
      await pass(100);
      return it.made.length === 51;
    });
  });
});

describe('the wall clock', () => {
  test('set back by an hour: a retry due in a minute comes within it and a tick', async () => {
    const it = await rig();
    it.makeScheduler().start();
    it.answer = retryIn(60_000);
    await it.capture(1);
    await it.attempted(1);
    it.answer = () => ({ state: 'succeeded' });
    it.skewMs = -HOUR_MS;
    await pass(60_000 + TICK_MS);
    await it.attempted(2);
  });

  test('set back by a year and forth: nothing stalls and nothing storms', async () => {
    const it = await rig();
    it.makeScheduler().start();
    it.answer = retryIn(30_000);
    await it.capture(10);
    await it.attempted(10);
    for (const skew of [-365 * DAY_MS, 365 * DAY_MS, 0]) {
      const before = it.made.length;
      it.skewMs = skew;
      await pass(4 * 60_000);
      await turns(50);
      const rounds = (it.made.length - before) / 10;
      expect(rounds).toBeGreaterThanOrEqual(5);
      expect(rounds).toBeLessThanOrEqual(10);
    }
  });

  /** One delivery whose attempt hangs until `finish`, its claim older than a tick. */
  async function underWay() {
    const it = await rig();
    it.makeScheduler({}, HOUR_MS).start();
    const held = { it, finish: () => {} };
    it.answer = () =>
      new Promise((resolve) => {
        held.finish = () => resolve({ state: 'succeeded' });
      });
    await it.capture(1);
    await until('it is under way', () => it.made.length === 1);
    await pass(TICK_MS);
    return held;
  }

  test.each([HOUR_MS, 365 * DAY_MS])(
    'set ahead by %i ms: an attempt under way is not repeated',
    async (skew) => {
      const { it, finish } = await underWay();
      it.skewMs = skew;
      await pass(3 * TICK_MS);
      finish();
      await it.attempted(1);
      expect(await it.stats()).toMatchObject({ pending: 0 });
    },
  );

  test('set ahead: claims that wait or are to be recorded are kept', async () => {
    const it = await rig();
    it.makeScheduler({ slotsPerDestination: 1 }).start();
    it.overrides.settle = () => Promise.reject(new Error('disk full'));
    await it.capture(3);
    await until('one is made', () => it.made.length === 1);
    it.skewMs = HOUR_MS;
    await pass(3 * TICK_MS);
    delete it.overrides.settle;
    await pass(2 * TICK_MS);
    await it.attempted(3);
  });

  test.each([HOUR_MS, 365 * DAY_MS])(
    'set ahead by %i ms: a retry keeps its delay, and a new delivery goes at once',
    async (skew) => {
      const it = await rig();
      it.makeScheduler().start();
      it.answer = retryIn(30 * 60_000);
      await it.capture(1);
      await it.attempted(1);
      it.answer = () => ({ state: 'succeeded' });
      it.skewMs = skew;
      await it.capture(1);
      await it.attempted(2);
      await pass(29 * 60_000);
      expect(it.made).toHaveLength(2);
      await pass(60_000 + TICK_MS);
      await it.attempted(3);
    },
  );

  test('while the machine sleeps: due deliveries are due, and attempts under way are not repeated', async () => {
    const { it, finish } = await underWay();
    const other = retryIn(30 * 60_000);
    it.sleptMs = 8 * HOUR_MS;
    await pass(3 * TICK_MS);
    expect(it.made).toHaveLength(1);
    it.answer = other;
    finish();
    await it.attempted(1);
    await it.capture(1);
    await it.attempted(2);
    it.answer = () => ({ state: 'succeeded' });
    it.sleptMs += HOUR_MS;
    await pass(TICK_MS);
    await it.attempted(3);
  });

  test('while the process is suspended for longer than a lease: only a new claim is used', async () => {
    const it = await rig();
    it.makeScheduler().start();
    const { queue } = it.store;
    let begun: ClaimedDelivery | undefined;
    it.overrides = {
      async begin(claims, leaseUntil, now) {
        const outgoing = await queue.begin(claims, leaseUntil, now);
        [begun] = claims;
        it.overrides = {};
        vi.setSystemTime(Date.now() + 90_000);
        return outgoing;
      },
    };
    await it.capture(1);
    await until('it was begun', () => begun);
    await pass(TICK_MS);
    const [made] = await it.attempted(1);
    expect(made?.claim.token).toBeGreaterThan(begun?.token as number);
  });
});
