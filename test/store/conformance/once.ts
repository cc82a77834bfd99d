import { describe, expect, test } from 'vitest';
import { newId } from '../../../src/core/ids.ts';
import type { Endpoint, EventSummary } from '../../../src/core/model.ts';
import type { Verdict } from '../../../src/core/rules/verdict.ts';
import { DEFAULT_DESTINATION_SETTINGS } from '../../../src/core/settings/destination-settings.ts';
import type { EventFilter } from '../../../src/store/contract/events.ts';
import { MANY } from '../../fixtures/many.ts';
import { BY_ID } from './proof.ts';
import {
  CLAIM_NOTHING,
  clearedWorlds,
  type OpenStore,
  only,
  settingsPatch,
  type World,
} from './world.ts';

/** Captures requests with these keys at one go, each with the body that stands behind a `:`. */
async function keyed(
  world: World,
  endpoint: Endpoint,
  keys: readonly string[],
  patch: Partial<Verdict> = {},
): Promise<EventSummary[]> {
  const verdict = await world.verdict(endpoint, patch);
  return world.events(
    endpoint,
    keys.map((text) => {
      const [key = '', body = 'same'] = text.split(':');
      return { body, verdict: { ...verdict, once: { key, body } } };
    }),
  );
}

const repeats = (events: readonly EventSummary[]) =>
  events.map(({ duplicateOf, isConflicting }) => [duplicateOf, isConflicting]);

const FIRST = [null, false];

export function onceConformance(open: OpenStore): void {
  const begin = clearedWorlds(open);

  test('the first event of a key is delivered, those that repeat it are not', async () => {
    const world = await begin();
    const endpoint = await world.endpoint({ dedupe: BY_ID });
    await world.destination(endpoint);
    const [first, other, second, third] = await keyed(world, endpoint, ['a', 'b', 'a', 'a:other']);
    if (!first || !other || !second || !third) throw new Error('four');
    expect(repeats([first, other, second, third])).toEqual([
      FIRST,
      FIRST,
      [first.id, false],
      [first.id, true],
    ]);
    const fourth = only(await keyed(world, endpoint, ['a']));
    expect(repeats([fourth])).toEqual([[first.id, false]]);
    const claims = await world.claimDue();
    expect(claims.map(({ eventId }) => eventId).toSorted()).toEqual(
      [first.id, other.id].toSorted(),
    );
    for (const claim of claims) await world.settle(claim, 'succeeded');
    for (const { seq, id } of [second, third, fourth]) {
      expect(await world.store.events.deliveries(seq, world.now)).toEqual([]);
      expect(await world.store.events.find(endpoint.key, id)).toMatchObject({ status: 'received' });
    }
    expect(await world.listed(endpoint, { status: 'delivered' })).toHaveLength(2);
    const { totals } = await world.store.events.eventActivity(endpoint.key, {
      from: world.now,
      hours: 1,
    });
    expect(totals).toMatchObject({ received: 3, delivered: 2 });
  });

  test('a repeated request has no filtered delivery, and holds back no order', async () => {
    const world = await begin();
    const endpoint = await world.endpoint({ dedupe: BY_ID });
    const settings = { ...DEFAULT_DESTINATION_SETTINGS, order_by: '*' };
    const ordered = await world.destination(endpoint, { settings });
    const picky = await world.destination(endpoint, {
      settings: { ...DEFAULT_DESTINATION_SETTINGS, filter: 'method=PUT' },
    });
    const patch = {
      dropped: [{ destinationKey: picky.key, ruleVersion: 1 }],
      orderKeys: [{ destinationKey: ordered.key, key: '*' }],
    };
    const [first, second] = await keyed(world, endpoint, ['a', 'a'], patch);
    if (!first || !second) throw new Error('two');
    const states = async ({ seq }: EventSummary) =>
      (await world.store.events.deliveries(seq, world.now)).map(({ state }) => state).toSorted();
    expect(await states(first)).toEqual(['filtered', 'pending']);
    expect(await states(second)).toEqual([]);
    expect(await world.listed(endpoint, { filteredBy: picky.id })).toEqual([first]);
    const claim = only(await world.claimDue());
    await world.settle(claim, 'succeeded');
    const third = only(await keyed(world, endpoint, ['b'], patch));
    expect(only(await world.claimDue()).eventId).toBe(third.id);
  });

  test('every read has what an event repeats, also after a restart', async () => {
    const world = await begin();
    const endpoint = await world.endpoint({ dedupe: BY_ID });
    const captured = await keyed(world, endpoint, ['a', 'a', 'a:other']);
    const check = async () => {
      const { events, live } = world.store;
      const found = await Promise.all(captured.map(({ id }) => events.find(endpoint.key, id)));
      expect(found).toEqual(captured);
      expect((await world.listed(endpoint)).toReversed()).toEqual(captured);
      expect(await live.eventsAfter({ endpointKeys: [endpoint.key] }, 0, 10)).toEqual(captured);
    };
    await check();
    await world.reopen();
    await check();
    const [first] = captured;
    expect(repeats(await keyed(world, endpoint, ['a']))).toEqual([[first?.id, false]]);
  });

  test('of a hundred at once one is the first, whatever batches they come in', async () => {
    const world = await begin();
    const endpoint = await world.endpoint({ dedupe: BY_ID });
    const other = await world.endpoint({ userId: endpoint.userId, dedupe: BY_ID });
    await world.destination(endpoint);
    const verdict = await world.verdict(endpoint, { once: { key: 'k', body: 'same' } });
    const [elsewhere] = await keyed(world, other, ['k']);
    const sizes = [1, 1, 1, 7, 10, 30, 50];
    const batches = await Promise.all(
      sizes.map((size) =>
        world.events(
          endpoint,
          Array.from({ length: size }, () => ({ verdict })),
        ),
      ),
    );
    const captured = batches.flat();
    expect(captured).toHaveLength(100);
    const first = only(captured.filter(({ duplicateOf }) => duplicateOf === null));
    const rest = captured.filter(({ id }) => id !== first.id);
    expect(new Set(rest.map(({ duplicateOf }) => duplicateOf))).toEqual(new Set([first.id]));
    expect(rest.every(({ isConflicting }) => !isConflicting)).toBe(true);
    expect(only(await world.claimDue()).eventId).toBe(first.id);
    expect(repeats([elsewhere as EventSummary])).toEqual([FIRST]);
    // The first of a batch is the first one of the key.
    const [earliest] = await keyed(world, endpoint, ['z', 'z', 'z']);
    expect(repeats([earliest as EventSummary])).toEqual([FIRST]);
  });

  test('a request without a key is like any other', async () => {
    const world = await begin();
    const endpoint = await world.endpoint({ dedupe: BY_ID });
    const verdict = await world.verdict(endpoint);
    expect(repeats(await world.events(endpoint, [{ verdict }, { verdict }]))).toEqual([
      FIRST,
      FIRST,
    ]);
  });

  test('a key that the judging makes anew doesn’t count as the one before', async () => {
    const world = await begin();
    const endpoint = await world.endpoint({ dedupe: BY_ID });
    const verdict = await world.verdict(endpoint, { once: { key: 'since-1 a', body: 'x' } });
    await world.event(endpoint, { verdict });
    const dedupe = { ...BY_ID, since: 'since-2' };
    await world.store.endpoints.update(endpoint.key, settingsPatch({ dedupe }));
    expect((await world.capture(endpoint, [{ verdict }])).results).toMatchObject([
      { stored: false, reason: 'stale', judgeBy: { dedupe } },
    ]);
    expect(repeats(await keyed(world, endpoint, ['since-2 a', 'since-2 a']))).toEqual([
      FIRST,
      [expect.any(String), false],
    ]);
  });

  test('a batch that fails claims no key', async () => {
    const world = await begin();
    const endpoint = await world.endpoint({ dedupe: BY_ID });
    const verdict = await world.verdict(endpoint, { once: { key: 'a', body: '' } });
    const taken = await world.event(endpoint, { verdict: { ...verdict, once: null } });
    await expect(
      world.events(endpoint, [{ verdict }, { verdict, id: taken.id }]),
    ).rejects.toThrow();
    expect(repeats([await world.event(endpoint, { verdict })])).toEqual([FIRST]);
  });

  test('a person replays a repeated event like any other', async () => {
    const world = await begin();
    const endpoint = await world.endpoint({ dedupe: BY_ID });
    await world.destination(endpoint);
    const [, second] = await keyed(world, endpoint, ['a', 'a']);
    if (!second) throw new Error('two');
    for (const claim of await world.claimDue()) await world.settle(claim, 'succeeded');
    await world.store.replays.replay(endpoint.key, second.seq, world.now, CLAIM_NOTHING);
    const claim = only(await world.claimDue());
    expect(claim.eventId).toBe(second.id);
    await world.settle(claim, 'succeeded');
    expect(await world.status(endpoint, second)).toBe('delivered');
  });

  describe('a key goes with its event', () => {
    test('that is deleted', async () => {
      const world = await begin();
      const { events } = world.store;
      const endpoint = await world.endpoint({ dedupe: BY_ID });
      const [first, second, other] = await keyed(world, endpoint, ['a', 'a', 'b']);
      if (!first || !second || !other) throw new Error('three');
      await events.remove(endpoint.key, second.id);
      expect(repeats(await keyed(world, endpoint, ['a']))).toEqual([[first.id, false]]);
      await events.remove(endpoint.key, first.id);
      const next = await keyed(world, endpoint, ['a', 'a', 'b']);
      expect(repeats(next)).toEqual([FIRST, [next[0]?.id, false], [other.id, false]]);
      // A repeated event stays one when its first is gone.
      const kept = await world.listed(endpoint, { duplicates: 'only' });
      expect(repeats(kept)).toContainEqual([first.id, false]);
    });

    test('that retention deletes', async () => {
      const world = await begin();
      const endpoint = await world.endpoint({ dedupe: BY_ID });
      const [first] = await keyed(world, endpoint, ['a', 'b']);
      world.now += 10;
      const [late] = await keyed(world, endpoint, ['c', 'a']);
      let removed = 0;
      for (;;) {
        const slice = await world.store.upkeep.retireSlice({ before: world.now }, 1);
        removed += slice.removed;
        if (!slice.more) break;
      }
      expect(removed).toBe(2);
      expect(repeats(await keyed(world, endpoint, ['a', 'b', 'c']))).toEqual([
        FIRST,
        FIRST,
        [late?.id, false],
      ]);
      expect(repeats(await world.listed(endpoint, { duplicates: 'only' }))).toContainEqual([
        first?.id,
        false,
      ]);
    });
  });

  describe('a list', () => {
    test('has only repeated events, or none of them, with any other filter', async () => {
      const world = await begin();
      const endpoint = await world.endpoint({ dedupe: BY_ID });
      await world.destination(endpoint);
      const at = world.now;
      for (const key of ['a', 'b']) {
        for (const state of ['verified', 'failed'] as const) {
          world.now += 1;
          const verification = { state, provider: 'stripe', secret: null, reason: null };
          await keyed(world, endpoint, [key, key, `${state} ${key}`], { verification });
        }
      }
      for (const [i, claim] of (await world.claimDue()).entries()) {
        await world.settle(claim, i % 2 ? 'dead' : 'succeeded');
      }
      const others: EventFilter[] = [
        {},
        { status: 'received' },
        { status: 'delivered' },
        { method: 'POST', from: at + 2, to: at + 4 },
        { from: at + 3 },
        { verification: 'verified' },
        { verification: 'failed', status: 'received', from: at + 2 },
        { verification: 'unverified' },
        { q: 'same' },
        { where: 'method=POST', verification: 'failed' },
      ];
      const sizes = new Set<number>();
      for (const other of others) {
        const all = await world.listed(endpoint, other);
        for (const duplicates of ['only', 'hide'] as const) {
          const matching = all.filter(
            (one) => (one.duplicateOf !== null) === (duplicates === 'only'),
          );
          const filter = { ...other, duplicates };
          expect(await world.listed(endpoint, filter), JSON.stringify(filter)).toEqual(matching);
          sizes.add(matching.length);
          const window = { offset: 1, limit: 2 };
          const scope = { endpointKeys: [endpoint.key] };
          expect(await world.store.events.list(scope, filter, window)).toEqual({
            events: matching.slice(1, 3),
            total: matching.length,
          });
        }
      }
      expect(sizes.size).toBeGreaterThan(4);
    });

    test('of a bulk replay chooses them too', async () => {
      const world = await begin();
      const endpoint = await world.endpoint({ dedupe: BY_ID });
      await world.destination(endpoint);
      const [first, second] = await keyed(world, endpoint, ['a', 'a']);
      for (const claim of await world.claimDue()) await world.settle(claim, 'succeeded');
      for (const [duplicates, event] of [
        ['only', second],
        ['hide', first],
      ] as const) {
        const filter: EventFilter = { duplicates };
        const job = { id: newId('job', 1), endpointKey: endpoint.key, filter, now: world.now };
        expect((await world.store.replays.startJob(job, MANY)).matching).toBe(1);
        while (await world.store.replays.workOff(world.now, { events: 9, deliveries: MANY }));
        const claim = only(await world.claimDue());
        expect(claim.eventId).toBe(event?.id);
        await world.settle(claim, 'succeeded');
      }
    });
  });
}
