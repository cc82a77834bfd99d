import { describe, expect, test } from 'vitest';
import { newId } from '../../../src/core/ids.ts';
import { OUTCOMES } from '../../../src/core/issues/issue.ts';
import type { Endpoint, EventSummary } from '../../../src/core/model.ts';
import type { Verification } from '../../../src/core/proof/verification.ts';
import { DEFAULT_DESTINATION_SETTINGS } from '../../../src/core/settings/destination-settings.ts';
import type { ClaimedDelivery } from '../../../src/store/contract/claims.ts';
import type { AttemptFact } from '../../../src/store/contract/issues.ts';
import type { Settlement } from '../../../src/store/contract/queue.ts';
import { BREAKER } from '../../fixtures/breaker.ts';
import { newIssue, saved } from './issue-rows.ts';
import { BY_ID, STRIPE } from './proof.ts';
import { clearedWorlds, type OpenStore, only, type World } from './world.ts';

const MINUTE_MS = 60_000;
const ENFORCED = { ...STRIPE, enforce: true };

/** All facts after a number, read so many rows at a time. */
async function allFacts(world: World, after: number, limit = 1000): Promise<AttemptFact[]> {
  const all: AttemptFact[] = [];
  for (let from = after; ; ) {
    const { facts, scannedTo } = await world.store.issues.attemptFacts(from, limit);
    all.push(...facts);
    if (scannedTo === from) return all;
    from = scannedTo;
  }
}

const lastAttempt = async (world: World) => (await world.store.live.lastSequences()).attemptSeq;

/** Settles a delivery with a failed response of its own. */
const failing = (code: Settlement['attempt']['error'], responseCode: number | null) =>
  ({ error: code, responseCode }) as const;

const proof = (state: Verification['state']): Verification => ({
  ...{ state, provider: 'stripe', secret: state === 'failed' ? null : 1 },
  reason: state === 'failed' ? 'signature_mismatch' : null,
});

export function issueFactConformance(open: OpenStore): void {
  const begin = clearedWorlds(open);

  async function target(world: World, patch: Parameters<World['endpoint']>[0] = {}) {
    const endpoint = await world.endpoint(patch);
    return { endpoint, destination: await world.destination(endpoint) };
  }

  async function settle(
    world: World,
    claim: ClaimedDelivery,
    outcome: Parameters<World['settlement']>[1],
    patch: Partial<Settlement> = {},
    attempt: Partial<Settlement['attempt']> = {},
  ) {
    const settlement = world.settlement(claim, outcome, patch);
    const settled = { ...settlement, attempt: { ...settlement.attempt, ...attempt } };
    await world.store.queue.settle([settled], BREAKER);
  }

  describe('facts of attempts', () => {
    test('a failure has its code, and says whether its delivery died of it', async () => {
      const world = await begin();
      const after = await lastAttempt(world);
      const { endpoint, destination } = await target(world);
      const events = await world.events(endpoint, [{}, {}, {}, {}]);
      const claims = await world.claimDue();
      const claimOf = (event: EventSummary | undefined) =>
        claims.find(({ eventId }) => eventId === event?.id) as ClaimedDelivery;
      const [first, second, third, fourth] = events;
      world.now += 7;
      await settle(world, claimOf(first), { retryInMs: 5 });
      const timeout = failing({ code: 'timeout', message: 'slow' }, null);
      await settle(world, claimOf(second), 'dead', { timedOut: true }, timeout);
      await settle(world, claimOf(third), 'dead', {}, { responseCode: 410 });
      // A 2xx is a success, even where the rest of the response fails.
      const reset = failing({ code: 'reset', message: 'cut' }, 200);
      await settle(world, claimOf(fourth), 'succeeded', {}, reset);
      const fact = {
        ...{ seq: expect.any(Number), destinationKey: destination.key, endpointKey: endpoint.key },
        ...{
          userId: endpoint.userId,
          isInternal: false,
          isEdited: false,
          at: world.now,
          opensBreaker: false,
        },
      };
      expect(await allFacts(world, after)).toEqual([
        { ...fact, eventId: first?.id, code: 'http_500', isDead: false },
        { ...fact, eventId: second?.id, code: 'timeout', isDead: true },
        { ...fact, eventId: third?.id, code: 'http_410', isDead: true },
      ]);
    });

    test('a failure says whether a person edited the event', async () => {
      const world = await begin();
      const after = await lastAttempt(world);
      const { endpoint } = await target(world);
      const event = await world.event(endpoint);
      await world.event(endpoint, { editedFrom: event.id });
      for (const claim of await world.claimDue()) await settle(world, claim, 'dead');
      const facts = await allFacts(world, after);
      expect(facts.map(({ eventId, isEdited }) => [eventId === event.id, isEdited]).sort()).toEqual(
        [
          [false, true],
          [true, false],
        ],
      );
    });

    test('a delivery that dies in its second attempt dies of the second', async () => {
      const world = await begin();
      const after = await lastAttempt(world);
      const { endpoint } = await target(world);
      await world.event(endpoint);
      await settle(world, only(await world.claimDue()), { retryInMs: 5 });
      world.now += 5;
      await settle(world, only(await world.claimDue()), 'dead');
      const facts = await allFacts(world, after);
      expect(facts.map(({ isDead }) => isDead)).toEqual([false, true]);
    });

    test('of one that was cancelled meanwhile, no late attempt is its death', async () => {
      const world = await begin();
      const after = await lastAttempt(world);
      const { endpoint } = await target(world);
      await world.event(endpoint);
      const claim = only(await world.claimDue());
      await world.store.deliveries.cancel(claim.id);
      await settle(world, claim, 'dead');
      const facts = await allFacts(world, after);
      expect(facts.map(({ isDead }) => isDead)).toEqual([false]);
    });

    test('the failure that opens the breaker says so; a probe that fails kills no delivery', async () => {
      const world = await begin();
      const after = await lastAttempt(world);
      const { endpoint } = await target(world);
      await world.events(endpoint, [{}, {}, {}, {}, {}, {}, {}, {}, {}, {}]);
      for (const claim of await world.claimDue()) {
        world.now += MINUTE_MS / 6;
        await settle(world, claim, { retryInMs: 1 }, { reach: 'failed' });
      }
      world.now = (await world.store.queue.nextDueAt(world.now, new Set())) as number;
      const probe = only(await world.claimDue());
      await settle(world, probe, 'dead', { reach: 'failed', next: { state: 'held' } });
      expect((await allFacts(world, after)).some(({ isDead }) => isDead)).toBe(false);
      // The breaker closes, and the probed delivery dies of another attempt.
      world.now = (await world.store.queue.nextDueAt(world.now, new Set())) as number;
      await settle(world, only(await world.claimDue()), 'succeeded');
      let dead = false;
      while (!dead) {
        const claims = await world.claimDue();
        expect(claims).not.toEqual([]);
        for (const claim of claims) {
          dead ||= claim.id === probe.id;
          await settle(world, claim, claim.id === probe.id ? 'dead' : 'succeeded');
        }
      }
      const facts = await allFacts(world, after);
      expect(facts.map(({ opensBreaker, isDead }) => [opensBreaker, isDead])).toEqual([
        ...new Array<boolean[]>(9).fill([false, false]),
        [true, false],
        [false, false],
        [false, true],
      ]);
    });

    test('a success is left out at a destination without a streak', async () => {
      const world = await begin();
      const after = await lastAttempt(world);
      const { endpoint, destination } = await target(world);
      const second = await world.destination(endpoint);
      await world.event(endpoint);
      for (const claim of await world.claimDue()) await settle(world, claim, 'succeeded');
      expect(await allFacts(world, after)).toEqual([]);
      await saved(world, [
        newIssue(world, endpoint, destination, { state: 'forming' }),
        // Neither another kind nor a resolved issue without a streak needs successes.
        newIssue(world, endpoint, second, { kind: 'backlog' }),
        newIssue(world, endpoint, second, { state: 'resolved', streak: {} }),
      ]);
      const found = await allFacts(world, after);
      expect(found).toMatchObject([{ destinationKey: destination.key, code: null, isDead: false }]);
      await saved(world, [newIssue(world, endpoint, second, { state: 'resolved', subject: 'b' })]);
      expect(await allFacts(world, after)).toHaveLength(2);
    });

    test('they come in order and in slices, which leave out what isn’t asked for', async () => {
      const world = await begin();
      const after = await lastAttempt(world);
      const { endpoint } = await target(world);
      await world.events(
        endpoint,
        Array.from({ length: 12 }, () => ({})),
      );
      for (const [i, claim] of (await world.claimDue()).entries())
        await settle(world, claim, i % 3 === 0 ? 'dead' : 'succeeded');
      const whole = await allFacts(world, after);
      expect(whole).toHaveLength(4);
      expect(whole).toEqual(whole.toSorted((a, b) => a.seq - b.seq));
      for (const limit of [1, 2, 5]) expect(await allFacts(world, after, limit)).toEqual(whole);
      const { facts, scannedTo } = await world.store.issues.attemptFacts(after, 2);
      expect(facts).toEqual(whole.slice(0, 1));
      expect(scannedTo).toBeGreaterThan(facts[0]?.seq ?? 0);
      const last = await lastAttempt(world);
      expect(await world.store.issues.attemptFacts(last, 2)).toEqual({
        facts: [],
        scannedTo: last,
      });
    });

    test('a one-off URL, a removed destination, deleted events and endpoints have none', async () => {
      const world = await begin();
      const after = await lastAttempt(world);
      const { endpoint, destination } = await target(world);
      const kept = await world.destination(endpoint);
      const [event, deleted] = await world.events(endpoint, [{}, {}]);
      const other = await target(world);
      await world.event(other.endpoint);
      for (const claim of await world.claimDue()) await settle(world, claim, 'dead');
      const id = newId('dst', world.now);
      const url = 'https://elsewhere.example/hook';
      const terms = world.terms({ limit: 0 });
      await world.store.replays.replay(endpoint.key, event?.seq ?? 0, world.now, terms, {
        ...{ to: 'url', url, id, mostUrls: 10 },
      });
      for (const claim of await world.claimDue()) await settle(world, claim, 'dead');
      await world.store.destinations.remove(endpoint.key, destination.id, world.now, false);
      await world.store.events.remove(endpoint.key, deleted?.id ?? '');
      await world.store.endpoints.remove(other.endpoint.key, world.now);
      expect(await allFacts(world, after)).toMatchObject([
        { destinationKey: kept.key, eventId: event?.id },
      ]);
    });
  });

  test('conflicts: duplicates with another body, in order and in slices', async () => {
    const world = await begin();
    const { endpoint } = await target(world, { dedupe: BY_ID });
    const deleted = await target(world, { dedupe: BY_ID });
    const captured = async (of: Endpoint, bodies: readonly string[]) => {
      const verdict = await world.verdict(of);
      return world.events(
        of,
        bodies.map((body) => ({ body, verdict: { ...verdict, once: { key: 'k', body } } })),
      );
    };
    const [, , second, , fourth] = await captured(endpoint, ['a', 'a', 'b', 'a', 'c']);
    await captured(deleted.endpoint, ['a', 'b']);
    await world.store.endpoints.remove(deleted.endpoint.key, world.now);
    const { issues } = world.store;
    const fact = { endpointKey: endpoint.key, userId: endpoint.userId, at: world.now };
    const first = await issues.conflictFacts(0, 1);
    expect(first).toEqual({
      facts: [{ ...fact, seq: second?.seq, eventId: second?.id }],
      scannedTo: second?.seq,
    });
    const rest = await issues.conflictFacts(first.scannedTo, 10);
    expect(rest.facts).toEqual([{ ...fact, seq: fourth?.seq, eventId: fourth?.id }]);
    const end = await issues.conflictFacts(rest.scannedTo, 10);
    expect(end).toEqual({ facts: [], scannedTo: rest.scannedTo });
  });

  test('failed verifications: events that failed, and rejected requests, in order and in slices', async () => {
    const world = await begin();
    const { endpoint } = await target(world, { source: STRIPE });
    const enforced = await target(world, { source: ENFORCED });
    const deleted = await target(world, { source: STRIPE });
    const judged = async (of: Endpoint, states: readonly Verification['state'][]) => {
      const patches = states.map(async (state) => ({
        verdict: await world.verdict(of, { verification: proof(state) }),
      }));
      return world.events(of, await Promise.all(patches));
    };
    const [, second, , fourth] = await judged(endpoint, [
      ...(['verified', 'failed'] as const),
      ...(['verified', 'failed'] as const),
    ]);
    await judged(deleted.endpoint, ['failed']);
    const verdict = await world.verdict(enforced.endpoint, {
      ...{ verification: proof('failed'), refused: { keep: true } },
    });
    await world.capture(enforced.endpoint, [{ verdict }, { verdict }]);
    await world.store.endpoints.remove(deleted.endpoint.key, world.now);
    const { issues } = world.store;
    const fact = { endpointKey: endpoint.key, userId: endpoint.userId, at: world.now };
    const first = await issues.failureFacts('failures', 0, 1);
    expect(first).toEqual({
      facts: [{ ...fact, seq: second?.seq, eventId: second?.id }],
      scannedTo: second?.seq,
    });
    const rest = await issues.failureFacts('failures', first.scannedTo, 10);
    expect(rest.facts).toEqual([{ ...fact, seq: fourth?.seq, eventId: fourth?.id }]);
    const end = await issues.failureFacts('failures', rest.scannedTo, 10);
    expect(end).toEqual({ facts: [], scannedTo: rest.scannedTo });

    const { key: endpointKey, userId } = enforced.endpoint;
    const one = await issues.failureFacts('rejections', 0, 1);
    expect(one.facts).toMatchObject([{ endpointKey, userId, eventId: null, at: world.now }]);
    const other = await issues.failureFacts('rejections', one.scannedTo, 10);
    expect(other.facts).toHaveLength(1);
    expect((await issues.failureFacts('rejections', other.scannedTo, 10)).facts).toEqual([]);
  });

  describe('what waits', () => {
    test('a lane says since when, and what holds it', async () => {
      const world = await begin();
      const endpoint = await world.endpoint({ retention: 12_345 });
      const settings = { ...DEFAULT_DESTINATION_SETTINGS, state: 'paused' } as const;
      const paused = await world.destination(endpoint, { settings });
      const active = await world.destination(endpoint);
      const empty = await world.destination(endpoint);
      const start = world.now;
      const [first] = await world.events(endpoint, [{}]);
      world.now += 1000;
      const [second] = await world.events(endpoint, [{}]);
      for (const claim of await world.claimDue()) {
        if (claim.destination.key === empty.key) await settle(world, claim, 'succeeded');
        else if (claim.eventId === first?.id) await settle(world, claim, { retryInMs: 500 });
      }
      const lane = { endpointKey: endpoint.key, userId: endpoint.userId, retentionMs: 12_345 };
      const oldest = { eventId: first?.id, receivedAt: start };
      const lanes = [
        {
          ...{ ...lane, destinationKey: paused.key, state: 'paused', isBreakerOpen: false },
          ...{ oldestDueAt: start, oldest },
        },
        {
          ...{ ...lane, destinationKey: active.key, state: 'active', isBreakerOpen: false },
          ...{ oldestDueAt: second?.receivedAt, oldest },
        },
      ];
      const { issues } = world.store;
      expect(await issues.lanes(0, 1000)).toEqual(lanes);
      expect(await issues.lanes(0, 1)).toEqual(lanes.slice(0, 1));
      expect(await issues.lanes(paused.key, 1)).toEqual(lanes.slice(1));
      expect(await issues.lanes(active.key, 1)).toEqual([]);
      expect(
        (await issues.idle([paused.key, active.key, empty.key, 999_999])).destinations,
      ).toEqual(new Set([empty.key, 999_999]));
      await world.store.destinations.remove(endpoint.key, paused.id, world.now, false);
      expect(await issues.lanes(0, 1000)).toEqual(lanes.slice(1));
      expect((await issues.idle([paused.key, active.key])).destinations).toEqual(
        new Set([paused.key]),
      );
      await world.store.endpoints.remove(endpoint.key, world.now);
      expect(await issues.lanes(0, 1000)).toEqual([]);
      expect((await issues.idle([active.key])).destinations).toEqual(new Set([active.key]));
      expect((await issues.idle([])).destinations).toEqual(new Set());
    });

    test('an open breaker shows; what waits behind an earlier one of its order isn’t due', async () => {
      const world = await begin();
      const endpoint = await world.endpoint();
      const settings = { ...DEFAULT_DESTINATION_SETTINGS, order_by: '*' };
      const destination = await world.destination(endpoint, { settings });
      const orderKeys = [{ destinationKey: destination.key, key: '*' }];
      const verdict = await world.verdict(endpoint, { orderKeys } as never);
      await world.events(endpoint, [{ verdict }, { verdict }]);
      await settle(world, only(await world.claimDue()), { retryInMs: MINUTE_MS });
      const lane = only(await world.store.issues.lanes(0, 10));
      expect(lane).toMatchObject({ oldestDueAt: world.now + MINUTE_MS, isBreakerOpen: false });
      const other = await target(world);
      await world.events(
        other.endpoint,
        Array.from({ length: 10 }, () => ({})),
      );
      for (const claim of await world.claimDue()) {
        world.now += MINUTE_MS / 6;
        await settle(world, claim, { retryInMs: 1 }, { reach: 'failed' });
      }
      expect(await world.store.issues.lanes(destination.key, 10)).toMatchObject([
        { destinationKey: other.destination.key, isBreakerOpen: true },
      ]);
    });
  });

  describe('outcomes of verification', () => {
    test('the newest of each endpoint, rejected requests among them', async () => {
      const world = await begin();
      const plain = await world.endpoint();
      await world.event(plain);
      const endpoint = await world.endpoint({ source: STRIPE });
      const enforced = await world.endpoint({ source: ENFORCED });
      const seen = async (of: Endpoint, state: Verification['state'], refused = false) => {
        world.now += 1000;
        const verification = proof(state);
        const verdict = await world.verdict(of, {
          ...{ verification },
          ...(refused && { refused: { keep: true } }),
        });
        const { results } = await world.capture(of, [{ verdict }]);
        const [result] = results;
        return result?.stored ? result.event.id : null;
      };
      const ids = [
        await seen(endpoint, 'verified'),
        await seen(endpoint, 'authenticated'),
        await seen(endpoint, 'unverified'),
        await seen(endpoint, 'failed'),
      ];
      const passed = await seen(enforced, 'verified');
      expect(await seen(enforced, 'failed', true)).toBeNull();
      const { issues } = world.store;
      const now = world.now;
      const found = await issues.outcomes(0, 1000);
      expect(found).toEqual([
        {
          ...{ endpointKey: endpoint.key, userId: endpoint.userId, passedBefore: false },
          outcomes: [
            { at: now - 2000, passed: false, eventId: ids[3] },
            { at: now - 4000, passed: true, eventId: ids[1] },
            { at: now - 5000, passed: true, eventId: ids[0] },
          ],
        },
        {
          ...{ endpointKey: enforced.key, userId: enforced.userId, passedBefore: false },
          outcomes: [
            { at: now, passed: false, eventId: null },
            { at: now - 1000, passed: true, eventId: passed },
          ],
        },
      ]);
      expect(await issues.outcomes(0, 1)).toEqual(found.slice(0, 1));
      expect(await issues.outcomes(endpoint.key, 5)).toEqual(found.slice(1));
      await world.store.endpoints.remove(endpoint.key, world.now);
      expect(await issues.outcomes(0, 1000)).toEqual(found.slice(1));
    });

    test('of many, the newest alone, and whether an earlier one passed', async () => {
      const world = await begin();
      const endpoint = await world.endpoint({ source: STRIPE });
      const seen = async (state: Verification['state'], count: number) => {
        const verdict = await world.verdict(endpoint, { verification: proof(state) });
        for (let i = 0; i < count; i++) {
          world.now += 1000;
          await world.event(endpoint, { verdict });
        }
      };
      const outcomes = async () => only(await world.store.issues.outcomes(0, 10));
      await seen('failed', OUTCOMES + 3);
      expect(await outcomes()).toMatchObject({ passedBefore: false });
      expect((await outcomes()).outcomes).toHaveLength(OUTCOMES);
      await seen('verified', 1);
      await seen('failed', OUTCOMES - 1);
      expect((await outcomes()).outcomes.filter(({ passed }) => passed)).toHaveLength(1);
      expect(await outcomes()).toMatchObject({ passedBefore: false });
      await seen('failed', 1);
      expect((await outcomes()).outcomes.some(({ passed }) => passed)).toBe(false);
      expect(await outcomes()).toMatchObject({ passedBefore: true });
    });
  });

  test('secrets that handshakes brought are those of sources with the mark, also after a restart', async () => {
    const world = await begin();
    const brought = { at: world.now, eventId: 'evt_1' };
    const [one, two] = [
      await world.endpoint({ source: { ...STRIPE, brought } }),
      await world.endpoint({ source: { ...STRIPE, brought: { at: 2, eventId: 'evt_2' } } }),
    ];
    await world.endpoint({ source: STRIPE });
    await world.endpoint();
    await world.reopen();
    const { endpoints, issues } = world.store;
    const seen = ({ key, userId }: Endpoint, mark: object) => ({
      endpointKey: key,
      userId,
      ...mark,
    });
    const all = [seen(one, brought), seen(two, { at: 2, eventId: 'evt_2' })];
    expect(await issues.broughtSecrets(0, 10)).toEqual(all);
    expect(await issues.broughtSecrets(0, 1)).toEqual(all.slice(0, 1));
    expect(await issues.broughtSecrets(one.key, 10)).toEqual(all.slice(1));
    const found = await endpoints.findByPublicToken(one.publicToken);
    expect(found?.source?.brought).toEqual(brought);
    const { brought: _, ...confirmed } = found?.source ?? STRIPE;
    await endpoints.update(one.key, { source: confirmed }, found ?? one);
    await endpoints.remove(two.key, world.now);
    expect(await issues.broughtSecrets(0, 10)).toEqual([]);
  });
}
