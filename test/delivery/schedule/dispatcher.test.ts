import { describe, expect, test } from 'vitest';
import { IN_TIME, TIMED_OUT, UNTRIED } from '../../../src/core/flow/slot-class.ts';
import { Dispatcher, type DispatchLimits } from '../../../src/delivery/schedule/dispatcher.ts';
import type { ClaimedDelivery } from '../../../src/store/contract/claims.ts';
import { seededRandom } from '../../fixtures/random.ts';

let made = 0;

/** A claim of a delivery to destination `key`. */
function claim(key: number, slotClass = IN_TIME, size = 1): ClaimedDelivery {
  made++;
  return {
    id: `dlv_${made}`,
    token: made,
    eventSeq: made,
    eventId: `evt_${made}`,
    endpointKey: 1,
    round: 1,
    trigger: 'capture',
    attempts: 0,
    probes: 0,
    probe: null,
    start: null,
    byHand: false,
    size,
    orderKey: null,
    jobKey: null,
    destination: {
      key,
      id: `dst_${key}`,
      slotClass,
      concurrency: 'auto',
      slots: null,
      isControlled: false,
    },
  };
}

const claims = (count: number, key: number, health = IN_TIME, size = 1) =>
  Array.from({ length: count }, () => claim(key, health, size));

const WIDE: DispatchLimits = { slots: 100, slotsPerDestination: 100, bytes: 1_000_000 };

function dispatcher(limits: Partial<DispatchLimits> = {}) {
  return new Dispatcher({ ...WIDE, ...limits });
}

/** All deliveries that may start now. */
function startAll(of: Dispatcher): ClaimedDelivery[] {
  const started: ClaimedDelivery[] = [];
  for (let next = of.next(); next; next = of.next()) started.push(next);
  return started;
}

/** An attempt ends, and its slot is free. */
function end(
  of: Dispatcher,
  attempted: ClaimedDelivery,
  timedOut: boolean | null,
  attempt = { responseCode: 200, durationMs: 100 },
): void {
  if (timedOut !== null) of.learn(attempted.destination.key, { timedOut, attempt });
  of.done(attempted);
}

const keys = (of: ClaimedDelivery[]) => of.map(({ destination }) => destination.key);

describe('turns', () => {
  test('there are none without deliveries', () => {
    const empty = dispatcher();
    expect(empty.next()).toBeNull();
    expect([empty.waiting, empty.running]).toEqual([0, 0]);
  });

  test('destinations take turns; each one’s deliveries keep their order', () => {
    const it = dispatcher();
    const [a, b, c] = [claims(4, 1), claims(2, 2), claims(1, 3)];
    it.add([...a, ...b, ...c]);
    const started = startAll(it);
    expect(keys(started)).toEqual([1, 2, 3, 1, 2, 1, 1]);
    expect(started.filter(({ destination }) => destination.key === 1)).toEqual(a);
    expect(started.filter(({ destination }) => destination.key === 2)).toEqual(b);
  });

  test('a destination with a million waiting gets no more than one with two', () => {
    const it = dispatcher({ slots: 1 });
    it.add(claims(1000, 1));
    it.add(claims(2, 2));
    const order: number[] = [];
    for (let i = 0; i < 6; i++) {
      const next = it.next() as ClaimedDelivery;
      order.push(next.destination.key);
      end(it, next, false);
    }
    expect(order).toEqual([1, 2, 1, 2, 1, 1]);
  });

  test('a new destination goes after those that wait', () => {
    const it = dispatcher({ slots: 2 });
    it.add([...claims(10, 1), ...claims(10, 2)]);
    const [first, second] = startAll(it) as [ClaimedDelivery, ClaimedDelivery];
    it.add(claims(10, 3));
    end(it, first, false);
    end(it, second, false);
    const next = startAll(it);
    expect(keys(next)).toContain(3);
  });
});

describe('caps', () => {
  test('limit all attempts together', () => {
    const it = dispatcher({ slots: 3 });
    it.add([...claims(5, 1), ...claims(5, 2)]);
    const started = startAll(it);
    expect(started).toHaveLength(3);
    end(it, started[0] as ClaimedDelivery, false);
    expect(startAll(it)).toHaveLength(1);
  });

  test('limit one destination; others go on', () => {
    const it = dispatcher({ slotsPerDestination: 2 });
    it.add([...claims(5, 1), ...claims(5, 2)]);
    const started = startAll(it);
    expect(keys(started).sort()).toEqual([1, 1, 2, 2]);
    end(it, started.find(({ destination }) => destination.key === 2) as ClaimedDelivery, false);
    expect(keys(startAll(it))).toEqual([2]);
  });

  test('of bytes give half to the healthy; a larger body goes alone', () => {
    const it = dispatcher({ bytes: 200 });
    const large = claim(1, IN_TIME, 5000);
    it.add([large, claim(2, IN_TIME, 60), claim(3, IN_TIME, 40), claim(4, IN_TIME, 1)]);
    expect(startAll(it)).toEqual([large]);
    end(it, large, false);
    expect(keys(startAll(it))).toEqual([2, 3]);
  });

  test('of bytes do not hold back empty bodies', () => {
    const it = dispatcher({ bytes: 20 });
    it.add([claim(1, IN_TIME, 10), claim(2, IN_TIME, 0)]);
    expect(startAll(it)).toHaveLength(2);
  });
});

describe('destinations with one slot', () => {
  test('have one slot while new, until the first answer', () => {
    const it = dispatcher();
    it.add(claims(5, 1, UNTRIED));
    const [first, ...more] = startAll(it);
    expect(more).toEqual([]);
    end(it, first as ClaimedDelivery, false);
    expect(startAll(it)).toHaveLength(4);
  });

  test('have one slot after a timeout, until the next answer', () => {
    const it = dispatcher();
    it.add(claims(6, 1, TIMED_OUT));
    for (let i = 0; i < 3; i++) {
      const started = startAll(it);
      expect(started).toHaveLength(1);
      end(it, started[0] as ClaimedDelivery, true);
    }
    const [last] = startAll(it);
    end(it, last as ClaimedDelivery, false);
    expect(startAll(it)).toHaveLength(2);
  });

  test('get half of all slots at most, and leave the other half to those with many', () => {
    const it = dispatcher({ slots: 10, slotsPerDestination: 10 });
    it.add(Array.from({ length: 1000 }, (_, i) => claim(1000 + i, TIMED_OUT)));
    const hanging = startAll(it);
    expect(hanging).toHaveLength(5);
    it.add(claims(20, 1));
    expect(keys(startAll(it))).toEqual([1, 1, 1, 1, 1]);
    // Answers of destinations with many slots free none of the other half.
    expect(it.running).toBe(10);
  });

  test('take turns with those with many, so neither waits until the other is empty', () => {
    const it = dispatcher({ slots: 4 });
    it.add([...claims(10, 1), claim(2, TIMED_OUT), claim(3, TIMED_OUT), claim(4, TIMED_OUT)]);
    const started = keys(startAll(it));
    expect(started.filter((key) => key === 1)).toHaveLength(2);
    expect(started.filter((key) => key !== 1)).toHaveLength(2);
  });

  test('count all running attempts from the moment of the change', () => {
    const it = dispatcher({ slots: 8 });
    it.add([...claims(6, 1), claim(2, TIMED_OUT), claim(3, TIMED_OUT), claim(4, TIMED_OUT)]);
    const started = startAll(it);
    const own = started.filter(({ destination }) => destination.key === 1);
    expect(own.length).toBeGreaterThan(3);
    end(it, own[0] as ClaimedDelivery, true);
    // The attempts under way fill the half of destinations with one slot, so no more start.
    const more = startAll(it);
    expect(keys(more)).toEqual([]);
  });

  test('do not change without an attempt', () => {
    const it = dispatcher();
    it.add(claims(3, 1, TIMED_OUT));
    const [one] = startAll(it);
    end(it, one as ClaimedDelivery, null);
    expect(startAll(it)).toHaveLength(1);
  });

  test('are remembered while they have deliveries here', () => {
    const it = dispatcher();
    it.add(claims(3, 1, TIMED_OUT));
    const [one] = startAll(it);
    end(it, one as ClaimedDelivery, false);
    // The health in the claim is older than that answer.
    it.add(claims(2, 1, TIMED_OUT));
    expect(startAll(it)).toHaveLength(4);
  });

  test('yield to the healthy when a body does not fit, and the other way round', () => {
    for (const [tooLarge, other] of [
      [TIMED_OUT, IN_TIME],
      [IN_TIME, TIMED_OUT],
    ] as const) {
      const it = dispatcher({ bytes: 100 });
      it.add([claim(1, tooLarge, 40), claim(2, tooLarge, 40)]);
      expect(keys(startAll(it))).toEqual([1]);
      it.add([claim(3, other, 40)]);
      expect(keys(startAll(it))).toEqual([3]);
    }
  });

  // design.md: a dead destination, or a thousand hanging ones, does not slow the
  // others.
  test('do not hold up small bodies of others with large ones', () => {
    const it = dispatcher({ slots: 20, bytes: 100 });
    it.add([
      claim(1, TIMED_OUT, 40),
      claim(2, TIMED_OUT, 40),
      claim(3, TIMED_OUT, 40),
      claim(4, TIMED_OUT, 40),
    ]);
    expect(startAll(it).length).toBeGreaterThan(0);
    it.add(claims(3, 9, IN_TIME, 1));
    expect(keys(startAll(it))).toEqual([9, 9, 9]);
  });
});

describe('shares of the slots', () => {
  /** As in production; every destination may use its whole share. */
  const SERVER: DispatchLimits = { slots: 256, slotsPerDestination: 128, bytes: 1_000_000 };
  const greedy = (count: number, key: number) =>
    claims(count, key).map((one) => ({
      ...one,
      destination: { ...one.destination, concurrency: 256 },
    }));

  test('one destination takes half of them at most', () => {
    const it = new Dispatcher(SERVER);
    it.add(greedy(300, 1));
    expect(startAll(it)).toHaveLength(128);
    it.add(claims(16, 2));
    expect(keys(startAll(it))).toEqual(Array.from({ length: 16 }, () => 2));
  });

  test.each([
    [2, 85],
    [3, 64],
    [7, 32],
    [14, 17],
    [16, 16],
    [64, 4],
    [256, 1],
  ])('%i destinations take %i each', (count, each) => {
    const it = new Dispatcher(SERVER);
    for (let key = 1; key <= count; key++) it.add(greedy(200, key));
    const taken = Map.groupBy(keys(startAll(it)), (key) => key);
    expect(taken.size).toBe(count);
    for (const { length } of taken.values()) expect(Math.abs(length - each)).toBeLessThanOrEqual(1);
  });

  test('up to fifteen slow destinations leave slots for another', () => {
    for (let count = 1; count < 15; count++) {
      const it = new Dispatcher(SERVER);
      for (let key = 1; key <= count; key++) it.add(greedy(200, key));
      startAll(it);
      it.add(claims(5, 99));
      expect(keys(startAll(it))).toEqual([99, 99, 99, 99, 99]);
    }
  });

  test('a thousand slow destinations take turns', () => {
    const it = new Dispatcher(SERVER);
    for (let key = 1; key <= 1000; key++) it.add(greedy(3, key));
    const order: number[] = [];
    let started = startAll(it);
    while (started.length > 0) {
      order.push(...keys(started));
      for (const one of started) end(it, one, false, { responseCode: 200, durationMs: 9000 });
      started = startAll(it);
    }
    for (let round = 0; round < 3; round++) {
      const turns = order.slice(round * 1000, (round + 1) * 1000);
      expect(new Set(turns).size).toBe(1000);
    }
  });

  test('one that came later catches up as slots become free', () => {
    const it = new Dispatcher(SERVER);
    it.add(greedy(300, 1));
    const first = startAll(it);
    it.add(greedy(300, 2));
    const second = startAll(it);
    expect([first.length, second.length]).toEqual([128, 64]);
    for (const one of first) end(it, one, false);
    const ofEach = Map.groupBy(keys(startAll(it)), (key) => key);
    expect([ofEach.get(1)?.length, 64 + (ofEach.get(2)?.length ?? 0)]).toEqual([75, 107]);
  });
});

describe('the limit of a destination', () => {
  const SERVER: DispatchLimits = { slots: 256, slotsPerDestination: 128, bytes: 1_000_000 };

  /** A dispatcher with its own clock, and `round`, in which all that may start ends after `ms`. */
  function timed() {
    const clock = { now: 1000, monotonic: () => clock.now };
    const it = new Dispatcher(SERVER, clock);
    const round = (ms: number, responseCode = 200) => {
      const started = startAll(it);
      clock.now += ms + 1;
      for (const one of started) end(it, one, false, { responseCode, durationMs: ms });
      return started.length;
    };
    return { it, clock, round };
  }

  test('starts at 16 and grows', () => {
    const { it, round } = timed();
    it.add(claims(5000, 1));
    expect(round(100)).toBe(16);
    for (let i = 0; i < 20; i++) round(100);
    expect(round(100)).toBe(128);
  });

  test('falls at a 429, not at other errors', () => {
    const { it, round } = timed();
    it.add(claims(500, 1));
    round(100, 500);
    expect(round(100, 404)).toBe(16);
    round(100, 429);
    expect(round(100)).toBe(11);
  });

  test('is a fixed number where the destination has one', () => {
    const { it, round } = timed();
    it.add(
      claims(500, 1).map((one) => ({
        ...one,
        destination: { ...one.destination, concurrency: 3 },
      })),
    );
    for (let i = 0; i < 20; i++) expect(round(100)).toBe(3);
    expect(it.paceOf(1)?.limit).toBe(3);
  });

  test('follows the newest claim', () => {
    const { it } = timed();
    it.add(claims(10, 1));
    const [one] = claims(1, 1) as [ClaimedDelivery];
    it.add([{ ...one, destination: { ...one.destination, concurrency: 2 } }]);
    expect(startAll(it)).toHaveLength(2);
    it.add(claims(1, 1));
    expect(startAll(it)).toHaveLength(10);
  });

  test('is kept while the destination is idle, for an hour', () => {
    const { it, clock, round } = timed();
    it.add(claims(5000, 1));
    while (round(100) > 0);
    expect(it.paceOf(1)).toBeNull();
    clock.now += 3_500_000;
    it.add(claims(500, 1));
    expect(startAll(it)).toHaveLength(128);
  });

  test('is forgotten after an hour, and after many other destinations', () => {
    const { it, clock, round } = timed();
    const grow = (key: number) => {
      it.add(claims(5000, key));
      while (round(100) > 0);
    };
    grow(1);
    clock.now += 3_700_000;
    it.add(claims(500, 1));
    expect(round(100)).toBe(16);
    while (round(100) > 0);
    grow(2);
    for (let key = 10; key < 10 + 1024; key++) it.add([claim(key)]);
    while (round(100) > 0);
    it.add(claims(500, 2));
    expect(round(100)).toBe(16);
  });
});

describe('waiting deliveries', () => {
  test('are counted by destination, and removed at once', () => {
    const it = dispatcher({ slots: 1 });
    const all = [...claims(3, 1), ...claims(2, 2)];
    it.add(all);
    const [running] = startAll(it);
    expect([it.waiting, it.running]).toEqual([4, 1]);
    expect([it.waitingFor(1), it.waitingFor(2), it.waitingFor(3)]).toEqual([2, 2, 0]);
    expect(new Set(it.claims())).toEqual(new Set(all.filter((one) => one !== running)));
    expect(it.waiting).toBe(4);
    expect(new Set(it.clear())).toEqual(new Set(all.filter((one) => one !== running)));
    expect([it.waiting, it.waitingFor(1), it.running]).toEqual([0, 0, 1]);
    expect(it.next()).toBeNull();
    end(it, running as ClaimedDelivery, false);
    expect(it.next()).toBeNull();
    const later = claim(1);
    it.add([later]);
    expect(it.next()).toBe(later);
  });
});

describe('the counts add up', () => {
  test.each(Array.from({ length: 30 }, (_, i) => i + 1))('seed %i', (seed) => {
    const next = seededRandom(seed);
    const pick = (n: number) => Math.floor(next() * n);
    const limits = { slots: 2 + pick(12), slotsPerDestination: 1 + pick(6), bytes: 50 + pick(200) };
    const it = new Dispatcher(limits);
    const waiting = new Set<ClaimedDelivery>();
    const running = new Set<ClaimedDelivery>();
    /** Whether each destination with deliveries here has one slot. */
    const oneSlot = new Map<number, boolean>();
    const runningOf = (key: number) =>
      [...running].filter(({ destination }) => destination.key === key).length;
    const hasAny = (key: number) =>
      [...waiting, ...running].some(({ destination }) => destination.key === key);
    /** Bytes under way to destinations with one slot, or with many. */
    const bytesOf = (isOneSlot: boolean) =>
      [...running]
        .filter(({ destination }) => oneSlot.get(destination.key) === isOneSlot)
        .reduce((sum, { size }) => sum + size, 0);
    const runningOneSlot = () =>
      [...running].filter(({ destination }) => oneSlot.get(destination.key)).length;
    let finished = 0;

    const finish = (one: ClaimedDelivery, outcome: boolean | null) => {
      running.delete(one);
      end(it, one, outcome);
      finished++;
      const { key } = one.destination;
      if (!hasAny(key)) oneSlot.delete(key);
      else if (outcome !== null) oneSlot.set(key, outcome);
    };

    for (let step = 0; step < 600; step++) {
      const dice = next();
      if (dice < 0.35) {
        const known = [TIMED_OUT, IN_TIME, IN_TIME, UNTRIED][pick(4)] as typeof IN_TIME;
        const added = claims(1 + pick(4), pick(12), known, pick(80));
        for (const one of added) {
          if (!hasAny(one.destination.key)) oneSlot.set(one.destination.key, known !== IN_TIME);
          waiting.add(one);
        }
        it.add(added);
      } else if (dice < 0.75) {
        const oneSlotBefore = runningOneSlot();
        const bytesBefore = new Map([true, false].map((kind) => [kind, bytesOf(kind)]));
        const started = it.next();
        if (!started) continue;
        const { key } = started.destination;
        expect(waiting.delete(started)).toBe(true);
        if (oneSlot.get(key)) {
          expect(runningOf(key)).toBe(0);
          expect(oneSlotBefore).toBeLessThan(Math.floor(limits.slots / 2));
        }
        running.add(started);
        expect(running.size).toBeLessThanOrEqual(limits.slots);
        expect(runningOf(key)).toBeLessThanOrEqual(limits.slotsPerDestination);
        const kind = oneSlot.get(key) as boolean;
        expect(bytesBefore.get(kind) === 0 || bytesOf(kind) <= limits.bytes / 2).toBe(true);
      } else if (running.size > 0) {
        const one = [...running][pick(running.size)] as ClaimedDelivery;
        finish(one, [true, false, false, null][pick(4)] as boolean | null);
      }
      const oneSlotWaiting = [...waiting].filter(({ destination }) => oneSlot.get(destination.key));
      expect([it.waiting, it.waitingOneSlot, it.running]).toEqual([
        waiting.size,
        oneSlotWaiting.length,
        running.size,
      ]);
    }
    // Every delivery gets its turn in the end.
    for (let rounds = 0; waiting.size + running.size > 0; rounds++) {
      expect(rounds).toBeLessThan(5000);
      for (const one of startAll(it)) {
        waiting.delete(one);
        running.add(one);
      }
      for (const one of [...running]) finish(one, false);
    }
    expect(finished).toBeGreaterThan(50);
    expect([it.waiting, it.running, it.claims()]).toEqual([0, 0, []]);
    // No count remains that would hold back later deliveries.
    it.add(claims(limits.slots, 99));
    expect(startAll(it)).toHaveLength(Math.min(limits.slots, limits.slotsPerDestination));
  });
});
