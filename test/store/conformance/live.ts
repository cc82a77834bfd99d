import { describe, expect, test } from 'vitest';
import type { SettledAttempt } from '../../../src/store/contract/queue.ts';
import type { Scope } from '../../../src/store/contract/scope.ts';
import { BREAKER } from '../../fixtures/breaker.ts';
import { clearedWorlds, newWorld, type OpenStore, only } from './world.ts';

export function liveConformance(open: OpenStore): void {
  const begin = clearedWorlds(open);
  test('an empty store’s sequences are 0', async () => {
    const world = await newWorld(open);
    expect(await world.store.live.lastSequences()).toEqual({ eventSeq: 0, attemptSeq: 0 });
    expect(await world.store.live.eventsAfter({ userId: 'usr_none' }, 0, 10)).toEqual([]);
    expect(await world.store.live.attemptsAfter({ userId: 'usr_none' }, 0, 10)).toEqual({
      attempts: [],
      scannedTo: 0,
    });
  });

  test('events after a sequence come in order, within their scope', async () => {
    const world = await begin();
    const { live } = world.store;
    const a = await world.endpoint();
    const b = await world.endpoint({ userId: a.userId });
    const foreign = await world.endpoint();
    const seen = [];
    for (const endpoint of [a, foreign, b, a, foreign]) {
      seen.push(await world.event(endpoint, { receivedAt: world.now - seen.length * 1000 }));
    }
    const [a1, , b1, a2, last] = seen;
    expect(await live.eventsAfter({ userId: a.userId }, 0, 10)).toEqual([a1, b1, a2]);
    expect(await live.eventsAfter({ userId: a.userId }, 0, 2)).toEqual([a1, b1]);
    expect(await live.eventsAfter({ userId: a.userId }, b1?.seq as number, 10)).toEqual([a2]);
    expect(await live.eventsAfter({ endpointKeys: [a.key] }, 0, 10)).toEqual([a1, a2]);
    expect(await live.eventsAfter({ endpointKeys: [a.key] }, a1?.seq as number, 1)).toEqual([a2]);
    expect(await live.eventsAfter({ endpointKeys: [] }, 0, 10)).toEqual([]);
    expect(await live.eventsAfter({ endpointKeys: [b.key] }, b1?.seq as number, 10)).toEqual([]);
    expect((await live.lastSequences()).eventSeq).toBe(last?.seq);
  });

  test('attempts after a sequence come in the order of settling, within their scope', async () => {
    const world = await begin();
    const { live } = world.store;
    const a = await world.endpoint();
    const b = await world.endpoint({ userId: a.userId });
    const foreign = await world.endpoint();
    const settled: SettledAttempt[] = [];
    for (const endpoint of [a, foreign, b, foreign, foreign, a]) {
      await world.destination(endpoint);
      await world.event(endpoint);
      for (const claim of await world.claimDue()) {
        const one = await world.settle(claim, 'succeeded');
        if (one) settled.push(one);
      }
    }
    const of = (...keys: number[]) =>
      settled.filter(({ endpointKey }) => keys.includes(endpointKey));
    const read = async (scope: Scope, seq: number, limit: number) => {
      const { attempts, scannedTo } = await live.attemptsAfter(scope, seq, limit);
      return { attempts: attempts.map(({ attempt }) => attempt), scannedTo };
    };
    const attemptsOf = (all: SettledAttempt[]) => all.map(({ attempt }) => attempt);
    const last = (await live.lastSequences()).attemptSeq;
    expect(last).toBe(settled.at(-1)?.attempt.seq);
    for (const [scope, own] of [
      [{ userId: a.userId }, of(a.key, b.key)],
      [{ endpointKeys: [a.key] }, of(a.key)],
      [{ endpointKeys: [b.key] }, of(b.key)],
      [{ endpointKeys: [foreign.key, a.key] }, of(foreign.key, a.key)],
      [{ userId: foreign.userId }, of(foreign.key)],
    ] as const) {
      expect(own.length).toBeGreaterThan(0);
      expect(await read(scope, 0, 100)).toEqual({ attempts: attemptsOf(own), scannedTo: last });
      // Reads page by page, two rows of any account at a time: every attempt once, to the end.
      const paged = [];
      let seq = 0;
      for (let pages = 0; ; pages++) {
        expect(pages).toBeLessThan(settled.length + 2);
        const { attempts, scannedTo } = await read(scope, seq, 2);
        if (scannedTo === seq) {
          expect(attempts).toEqual([]);
          break;
        }
        paged.push(...attempts);
        seq = scannedTo;
      }
      expect(paged).toEqual(attemptsOf(own));
    }
    const { attempts } = await live.attemptsAfter({ userId: a.userId }, 0, 100);
    expect(attempts[0]).toMatchObject({ userId: a.userId, endpointKey: a.key });
  });

  describe('a start at a time', () => {
    test('is before the first event of the scope from then on', async () => {
      const world = await begin();
      const { live } = world.store;
      const endpoint = await world.endpoint();
      const sibling = await world.endpoint({ userId: endpoint.userId });
      const foreign = await world.endpoint();
      const at = world.now;
      // The clock runs backwards meanwhile.
      const order = [
        [foreign, 5000],
        [endpoint, 3000],
        [sibling, 9000],
        [endpoint, 4000],
        [endpoint, 1000],
        [foreign, 6000],
      ] as const;
      const events = [];
      for (const [one, after] of order) {
        events.push(await world.event(one, { receivedAt: at + after }));
      }
      const scope = { endpointKeys: [endpoint.key] };
      const startOf = async (one: Scope, time: number) =>
        (await live.eventsAfter(one, (await live.sequencesAt(one, time)).eventSeq, 1))[0]?.id;
      expect(await startOf(scope, at)).toBe(events[1]?.id);
      expect(await startOf(scope, at + 3000)).toBe(events[1]?.id);
      expect(await startOf(scope, at + 3001)).toBe(events[3]?.id);
      expect(await startOf(scope, at + 4001)).toBeUndefined();
      expect(await startOf({ userId: endpoint.userId }, at + 4001)).toBe(events[2]?.id);
      expect(await startOf({ userId: foreign.userId }, at + 5001)).toBe(events[5]?.id);
      const { eventSeq } = await live.lastSequences();
      expect((await live.sequencesAt(scope, at + 9001)).eventSeq).toBe(eventSeq);
    });

    test('is before every attempt from then on, however long earlier ones took', async () => {
      const world = await begin();
      const { live, queue } = world.store;
      const endpoint = await world.endpoint();
      for (let i = 0; i < 3; i++) await world.destination(endpoint);
      await world.event(endpoint);
      const [slow, quick, last] = await world.claimDue();
      if (!slow || !quick || !last) throw new Error('three were due');
      const at = world.now;
      const settle = async (claim: typeof slow, attemptedAt: number, durationMs: number) => {
        const settlement = world.settlement(claim, 'dead');
        Object.assign(settlement.attempt, { attemptedAt, durationMs });
        const settled = only(await queue.settle([settlement], BREAKER));
        return settled?.attempt.id;
      };
      // In the order of their ends: the slow attempt began first.
      const ids = [
        await settle(quick, at + 1000, 10),
        await settle(slow, at, 9000),
        await settle(last, at + 9500, 10),
      ];
      const scope = { endpointKeys: [endpoint.key] };
      const idsFrom = async (time: number) => {
        const { attemptSeq } = await live.sequencesAt(scope, time);
        const { attempts } = await live.attemptsAfter(scope, attemptSeq, 10);
        return attempts.map(({ attempt }) => attempt.id);
      };
      expect(await idsFrom(at)).toEqual(ids);
      expect(await idsFrom(at + 1000)).toEqual(expect.arrayContaining([ids[0], ids[2]]));
      expect(await idsFrom(at + 9500)).toEqual([ids[2]]);
      expect(await idsFrom(at + 9501)).toEqual([]);
    });
  });

  test('attempts come with the current status of their event', async () => {
    const world = await begin();
    const endpoint = await world.endpoint();
    await world.destination(endpoint);
    await world.event(endpoint);
    await world.settle(only(await world.claimDue()), { retryInMs: 0 });
    const scope = { endpointKeys: [endpoint.key] };
    const statuses = async () =>
      (await world.store.live.attemptsAfter(scope, 0, 10)).attempts.map(
        ({ eventStatus }) => eventStatus,
      );
    expect(await statuses()).toEqual(['failed']);
    await world.settle(only(await world.claimDue()), 'succeeded');
    expect(await statuses()).toEqual(['delivered', 'delivered']);
  });

  test('sequence numbers never go back, whatever is deleted', async () => {
    const world = await begin();
    const { live, upkeep } = world.store;
    const endpoint = await world.endpoint();
    await world.destination(endpoint);
    await world.event(endpoint);
    await world.settle(only(await world.claimDue()), 'succeeded');
    const before = await live.lastSequences();
    expect(before.eventSeq).toBeGreaterThan(0);
    expect(before.attemptSeq).toBeGreaterThan(0);
    expect(await upkeep.retireSlice({ before: world.now + 1 }, 10)).toMatchObject({ removed: 1 });
    expect(await live.lastSequences()).toEqual(before);
    await world.reopen();
    expect(await world.store.live.lastSequences()).toEqual(before);
    const event = await world.event(endpoint);
    expect(event.seq).toBeGreaterThan(before.eventSeq);
    const settled = await world.settle(only(await world.claimDue()), 'succeeded');
    expect(settled?.attempt.seq).toBeGreaterThan(before.attemptSeq);
  });

  test('a database includes its own positions, and no later or foreign ones', async () => {
    const world = await begin();
    const endpoint = await world.endpoint();
    await world.destination(endpoint);
    await world.event(endpoint);
    await world.settle(only(await world.claimDue()), 'succeeded');
    const last = await world.store.live.lastSequences();
    const { history } = world.store;
    for (const opening of ['first', 'second']) {
      if (opening === 'second') await world.reopen();
      const { live } = world.store;
      expect(await live.includes(history, last)).toBe(true);
      expect(await live.includes(history, { eventSeq: 0, attemptSeq: 0 })).toBe(true);
      expect(await live.includes(history, { ...last, eventSeq: last.eventSeq + 1 })).toBe(false);
      expect(await live.includes(history, { ...last, attemptSeq: last.attemptSeq + 1 })).toBe(
        false,
      );
      expect(await live.includes('0'.repeat(32), last)).toBe(false);
    }
  });
}
