import { describe, expect, test } from 'vitest';
import { IN_TIME, TIMED_OUT } from '../../../src/core/flow/slot-class.ts';
import type { Attempt, EventStatus } from '../../../src/core/model.ts';
import { BREAKER } from '../../fixtures/breaker.ts';
import {
  clearedWorlds,
  LEASE_MS,
  type OpenStore,
  type Outcome,
  only,
  type World,
} from './world.ts';

/** An event with one claimed delivery for each of its destinations. */
async function claimedEvent(world: World, destinations = 1) {
  const endpoint = await world.endpoint();
  const made = await Promise.all(
    Array.from({ length: destinations }, () => world.destination(endpoint)),
  );
  const { results, claimed } = await world.capture(
    endpoint,
    [{}],
    world.terms({ limit: destinations }),
  );
  const result = only(results);
  if (!result.stored) throw new Error('not stored');
  return { endpoint, destinations: made, event: result.event, claims: claimed };
}

export function settleConformance(open: OpenStore): void {
  const begin = clearedWorlds(open);

  test('an attempt is recorded as it happened', async () => {
    const world = await begin();
    const { endpoint, event, claims, destinations } = await claimedEvent(world);
    const claim = only(claims);
    const settlement = world.settlement(claim, { retryInMs: 5000 });
    settlement.attempt = {
      ...settlement.attempt,
      responseCode: 503,
      responseHeaders: [
        ['Set-Cookie', 'a="1\\"'],
        ['set-cookie', "{b},'\u00c3\u00a9\u0080"],
        ['X-Empty', ''],
      ],
      responseBody: 'é\0\u001b[31m\ufffd',
      responseTruncated: true,
      durationMs: 9999,
      error: { code: 'timeout', message: 'no answer in 10 s “é”' },
      requestHeaders: [['Host', 'é\u0000']],
      ruleVersion: 7,
    } as never;
    const settled = only(await world.store.queue.settle([settlement], BREAKER));
    const attempt: Attempt = {
      ...settlement.attempt,
      seq: expect.any(Number),
      eventId: event.id,
      endpointId: endpoint.id,
      deliveryId: claim.id,
      destinationId: only(destinations).id,
      destinationUrl: only(destinations).url,
      trigger: 'capture',
      number: 1,
      nextAttemptAt: world.now + 5000,
      probe: false,
      ruleVersion: 7,
      requestHeaders: [['Host', 'é\u0000']],
      health: null,
    };
    expect(settled).toEqual({
      eventSeq: event.seq,
      attempt,
      eventStatus: 'failed',
      userId: endpoint.userId,
      endpointKey: endpoint.key,
    });
    expect(await world.store.events.attempts(event.seq)).toEqual([settled?.attempt]);
    // Settled again after a lost answer: the recorded attempt comes back.
    expect(await world.store.queue.settle([settlement], BREAKER)).toEqual([settled]);
  });

  test('an attempt without a response has neither headers nor a body', async () => {
    const world = await begin();
    const { event, claims } = await claimedEvent(world);
    const settlement = world.settlement(only(claims), 'dead');
    const none = { responseCode: null, responseHeaders: null, responseBody: null };
    Object.assign(settlement.attempt, none);
    await world.store.queue.settle([settlement], BREAKER);
    expect(await world.store.events.attempts(event.seq)).toMatchObject([none]);
  });

  test('a failed delivery is tried again when due, and the failure counts', async () => {
    const world = await begin();
    const { endpoint, event, claims } = await claimedEvent(world);
    let claim = only(claims);
    for (let made = 1; made <= 3; made++) {
      const settled = await world.settle(claim, { retryInMs: made * 1000 });
      expect(settled).toMatchObject({
        eventStatus: 'failed',
        attempt: { number: made, nextAttemptAt: world.now + made * 1000 },
      });
      expect(await world.store.events.deliveries(event.seq, world.now)).toMatchObject([
        { state: 'pending', attempts: made, nextAttemptAt: world.now + made * 1000 },
      ]);
      expect(await world.store.events.find(endpoint.key, event.id)).toMatchObject({
        status: 'failed',
        attempts: made,
      });
      world.now += made * 1000 - 1;
      expect(await world.claimDue()).toEqual([]);
      world.now += 1;
      claim = only(await world.claimDue());
      expect(claim.attempts).toBe(made);
    }
    expect(await world.settle(claim, 'succeeded')).toMatchObject({
      eventStatus: 'delivered',
      attempt: { number: 4, nextAttemptAt: null },
    });
    expect(await world.store.events.deliveries(event.seq, world.now)).toMatchObject([
      { state: 'succeeded', attempts: 4, nextAttemptAt: null },
    ]);
    const attempts = await world.store.events.attempts(event.seq);
    expect(attempts.map(({ number }) => number)).toEqual([1, 2, 3, 4]);
    world.now += 1e9;
    expect(await world.claimDue()).toEqual([]);
  });

  test('a dead delivery is never tried again', async () => {
    const world = await begin();
    const { event, claims } = await claimedEvent(world);
    expect(await world.settle(only(claims), 'dead')).toMatchObject({ eventStatus: 'dead_letter' });
    expect(await world.store.events.deliveries(event.seq, world.now)).toMatchObject([
      { state: 'dead', attempts: 1, nextAttemptAt: null },
    ]);
    world.now += 1e9;
    expect(await world.claimDue()).toEqual([]);
  });

  describe('the status of an event follows from its deliveries', () => {
    const retry: Outcome = { retryInMs: 1000 };
    const cases: [string, (Outcome | null)[], EventStatus][] = [
      ['all succeeded', ['succeeded', 'succeeded'], 'delivered'],
      ['one succeeded, one open', ['succeeded', null], 'received'],
      ['one failed once, one open', [retry, null], 'failed'],
      ['one succeeded, one failed once', ['succeeded', retry], 'failed'],
      ['one dead, one open', ['dead', null], 'failed'],
      ['one dead, one succeeded', ['dead', 'succeeded'], 'dead_letter'],
      ['one dead, one failed once', ['dead', retry], 'failed'],
      ['all dead', ['dead', 'dead'], 'dead_letter'],
    ];
    test.each(cases)('%s', async (_, outcomes, status) => {
      const world = await begin();
      const { endpoint, event, claims } = await claimedEvent(world, outcomes.length);
      // All in one batch, like the attempts that end in one turn of the event loop.
      const settled = await world.store.queue.settle(
        outcomes.flatMap((outcome, i) =>
          outcome ? [world.settlement(claims[i] as never, outcome)] : [],
        ),
        BREAKER,
      );
      expect(settled.at(-1)?.eventStatus).toBe(status);
      expect(await world.status(endpoint, event)).toBe(status);
      const attempts = outcomes.filter((outcome) => outcome !== null).length;
      expect(await world.listed(endpoint, { status })).toMatchObject([{ id: event.id, attempts }]);
      for (const other of ['received', 'delivered', 'failed', 'dead_letter'] as const) {
        if (other !== status) expect(await world.listed(endpoint, { status: other })).toEqual([]);
      }
    });
  });

  test('results come in the order of the settlements, null if the event is gone', async () => {
    const world = await begin();
    const kept = await claimedEvent(world);
    const gone = await claimedEvent(world);
    const alsoKept = await claimedEvent(world);
    await world.store.endpoints.remove(gone.endpoint.key, world.now);
    const claims = [kept, gone, alsoKept].map((one) => only(one.claims));
    const settled = await world.store.queue.settle(
      claims.map((claim) => world.settlement(claim, 'succeeded')),
      BREAKER,
    );
    expect(settled).toMatchObject([
      { attempt: { eventId: kept.event.id } },
      null,
      { attempt: { eventId: alsoKept.event.id } },
    ]);
    expect(await world.store.queue.settle([], BREAKER)).toEqual([]);
  });

  describe('settled again with the same attempt id', () => {
    test('a delivery does not change, and the result is the same', async () => {
      const world = await begin();
      const { endpoint, event, claims } = await claimedEvent(world);
      const settlement = world.settlement(only(claims), { retryInMs: 1000 });
      const first = only(await world.store.queue.settle([settlement], BREAKER));
      const second = only(await world.store.queue.settle([settlement], BREAKER));
      expect(second).toEqual(first);
      expect(await world.store.events.attempts(event.seq)).toEqual([first?.attempt]);
      expect(await world.store.events.find(endpoint.key, event.id)).toMatchObject({ attempts: 1 });
    });

    test('in the same batch, an attempt is recorded once', async () => {
      const world = await begin();
      const { event, claims } = await claimedEvent(world);
      const settlement = world.settlement(only(claims), 'succeeded');
      const settled = await world.store.queue.settle([settlement, settlement], BREAKER);
      expect(settled[0]?.attempt.seq).toBe(settled[1]?.attempt.seq);
      expect(await world.store.events.attempts(event.seq)).toHaveLength(1);
      expect(await world.store.events.deliveries(event.seq, world.now)).toMatchObject([
        { state: 'succeeded', attempts: 1 },
      ]);
    });

    test('a later claim of the delivery stays live', async () => {
      const world = await begin();
      const { event, claims } = await claimedEvent(world);
      const settlement = world.settlement(only(claims), { retryInMs: 0 });
      await world.store.queue.settle([settlement], BREAKER);
      const next = only(await world.claimDue());
      await world.store.queue.settle([settlement], BREAKER);
      expect(await world.claimDue()).toEqual([]);
      expect(await world.settle(next, 'succeeded')).toMatchObject({ eventStatus: 'delivered' });
      expect(await world.store.events.attempts(event.seq)).toHaveLength(2);
    });
  });

  describe('with a token that is no longer live, the attempt is only recorded', () => {
    /** The event but for what it says of its attempts, which a late one adds to. */
    async function unchanging(
      world: World,
      { endpoint, event }: Awaited<ReturnType<typeof claimedEvent>>,
    ) {
      const found = await world.store.events.find(endpoint.key, event.id);
      return found && { ...found, outcome: undefined };
    }

    async function expectRecordedOnly(
      world: World,
      one: Awaited<ReturnType<typeof claimedEvent>>,
      outcome: Outcome,
    ) {
      const { store } = world;
      const before = {
        event: await unchanging(world, one),
        deliveries: await store.events.deliveries(one.event.seq, world.now),
        attempts: await store.events.attempts(one.event.seq),
      };
      world.now += 1;
      const settled = await world.settle(only(one.claims), outcome);
      expect(settled).toMatchObject({
        eventStatus: before.event?.status,
        attempt: { deliveryId: only(one.claims).id, nextAttemptAt: null },
      });
      expect({
        event: await unchanging(world, one),
        deliveries: await store.events.deliveries(one.event.seq, world.now),
        attempts: await store.events.attempts(one.event.seq),
      }).toEqual({ ...before, attempts: [...before.attempts, settled?.attempt] });
    }

    test.each<Outcome>(['succeeded', 'dead', { retryInMs: 1 }])(
      'claimed again, %j',
      async (how) => {
        const world = await begin();
        const one = await claimedEvent(world);
        world.now += LEASE_MS;
        const second = only(await world.claimDue());
        await expectRecordedOnly(world, one, how);
        // The new claim isn't affected.
        expect(
          await world.store.queue.begin([second], world.now + LEASE_MS, world.now),
        ).toMatchObject([{}]);
        expect(await world.settle(second, 'succeeded')).toMatchObject({ eventStatus: 'delivered' });
      },
    );

    test('settled by the later claim', async () => {
      const world = await begin();
      const one = await claimedEvent(world);
      world.now += LEASE_MS;
      await world.settle(only(await world.claimDue()), 'succeeded');
      await expectRecordedOnly(world, one, 'dead');
    });

    test('a late attempt is numbered after the recorded ones, and later ones after it', async () => {
      const world = await begin();
      const { event, claims } = await claimedEvent(world);
      world.now += LEASE_MS;
      const next = only(await world.claimDue());
      // The attempt of the ended claim is settled in the middle, and then once more.
      const late = world.settlement(only(claims), 'succeeded');
      await world.settle(next, { retryInMs: 0 });
      for (let told = 0; told < 2; told++) {
        expect(only(await world.store.queue.settle([late], BREAKER))?.attempt.number).toBe(2);
      }
      await world.settle(only(await world.claimDue()), { retryInMs: 0 });
      const numbers = async () =>
        (await world.store.events.attempts(event.seq)).map(({ number }) => number).sort();
      expect(await numbers()).toEqual([1, 2, 3]);
      // Next, a late attempt is settled before that of the later claim.
      const slow = only(await world.claimDue());
      world.now += LEASE_MS;
      const last = only(await world.claimDue());
      await world.settle(slow, 'dead');
      await world.settle(last, 'succeeded');
      expect(await numbers()).toEqual([1, 2, 3, 4, 5]);
    });

    test('superseded by a replay', async () => {
      const world = await begin();
      const one = await claimedEvent(world);
      const { endpoint, event } = one;
      await world.store.replays.replay(endpoint.key, event.seq, world.now, world.terms());
      await expectRecordedOnly(world, one, 'succeeded');
      expect(await world.status(endpoint, event)).toBe('received');
    });

    test('cancelled with its destination', async () => {
      const world = await begin();
      const one = await claimedEvent(world);
      const { destinations } = world.store;
      const { id } = only(one.destinations);
      await destinations.remove(one.endpoint.key, id, world.now, true);
      await expectRecordedOnly(world, one, 'succeeded');
    });

    test('released', async () => {
      const world = await begin();
      const one = await claimedEvent(world);
      await world.store.queue.release(one.claims);
      await expectRecordedOnly(world, one, 'succeeded');
    });
  });

  test('no attempt of an event that retention deleted is recorded', async () => {
    const world = await begin();
    const { event, claims } = await claimedEvent(world);
    world.now += LEASE_MS;
    await world.settle(only(await world.claimDue()), 'succeeded');
    expect(await world.store.upkeep.retireSlice({ before: world.now }, 10)).toMatchObject({
      removed: 1,
    });
    expect(await world.settle(only(claims), 'succeeded')).toBeNull();
    expect(await world.store.events.attempts(event.seq)).toEqual([]);
  });

  test('attempts are listed in the order in which they began', async () => {
    const world = await begin();
    const { event, claims } = await claimedEvent(world, 3);
    const settlements = claims.map((claim) => {
      world.now += 10;
      return world.settlement(claim, { retryInMs: 0 });
    });
    // They end in another order.
    const [a, b, c] = settlements;
    if (!a || !b || !c) throw new Error('three were claimed');
    await world.store.queue.settle([c], BREAKER);
    await world.store.queue.settle([b, a], BREAKER);
    const begun = (await world.store.events.attempts(event.seq)).map(({ id }) => id);
    expect(begun).toEqual([a, b, c].map(({ attempt }) => attempt.id));
    const live = await world.store.live.attemptsAfter(
      { endpointKeys: [claims[0]?.endpointKey as number] },
      0,
      10,
    );
    expect(live.attempts.map(({ attempt }) => attempt.id)).toEqual(
      [c, b, a].map(({ attempt }) => attempt.id),
    );
  });

  test('an attempt changes the health of its destination', async () => {
    const world = await begin();
    const { claims, endpoint } = await claimedEvent(world);
    let claim = only(claims);
    for (const timedOut of [true, false, false, true]) {
      await world.store.queue.settle(
        [world.settlement(claim, { retryInMs: 0 }, { timedOut })],
        BREAKER,
      );
      claim = only(await world.claimDue());
      expect(claim.destination.slotClass).toEqual(timedOut ? TIMED_OUT : IN_TIME);
    }
    const { claimed } = await world.capture(endpoint, [{}], world.terms());
    expect(only(claimed).destination.slotClass).toEqual(TIMED_OUT);
  });

  test('settling a delivery costs the same, however many deliveries its event has', async () => {
    const world = await begin();
    const events = [await claimedEvent(world, 100), await claimedEvent(world, 1000)];
    // The events take turns with one commit each, and the quickest counts: other programs
    // slow both alike.
    const times = events.map(() => Number.POSITIVE_INFINITY);
    for (let turn = 0; turn < 10; turn++) {
      for (const [i, { claims }] of events.entries()) {
        const settlements = claims.splice(0, 10).map((one) => world.settlement(one, 'succeeded'));
        const start = performance.now();
        await world.store.queue.settle(settlements, BREAKER);
        times[i] = Math.min(times[i] as number, performance.now() - start);
      }
    }
    expect((times[1] as number) / (times[0] as number)).toBeLessThan(2.5);
  });
}
