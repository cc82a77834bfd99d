import { describe, expect, test } from 'vitest';
import { newId } from '../../../src/core/ids.ts';
import type { Endpoint, EventSummary } from '../../../src/core/model.ts';
import type { Dedupe } from '../../../src/core/proof/dedupe.ts';
import type { Source } from '../../../src/core/proof/source.ts';
import { NOT_CHECKED, type Verification } from '../../../src/core/proof/verification.ts';
import type { JudgingSettings } from '../../../src/core/rules/verdict.ts';
import { DEFAULT_DESTINATION_SETTINGS } from '../../../src/core/settings/destination-settings.ts';
import type { EventFilter } from '../../../src/store/contract/events.ts';
import { MANY } from '../../fixtures/many.ts';
import {
  clearedWorlds,
  type OpenStore,
  proofPatch,
  settingsPatch,
  sharedWorld,
  type World,
} from './world.ts';

const SEALED = Buffer.from([1, 0, 255, 7]);

export const STRIPE: Source = {
  provider: 'stripe',
  enforce: false,
  url: 'https://hooks.example.com/a?b=%20',
  in: null,
  scheme: null,
  sealedSecrets: SEALED,
};

const CUSTOM: Source = {
  ...STRIPE,
  provider: 'custom',
  enforce: true,
  url: null,
  scheme: {
    signature: 'header.x-signature',
    form: 'sha256={hex}',
    algorithm: 'hmac-sha256',
    signed: '{header.x-timestamp}.{body}',
    timestamp: 'header.x-timestamp',
    toleranceMs: 300_000,
  },
};

const BY_PROVIDER: Dedupe = { by: 'provider', since: 'x' };
export const BY_ID: Dedupe = { by: ['header.x-id', 'body."a.b"'], since: 'since-1' };

/** Every shape that a verification has. */
const VERIFICATIONS: readonly Verification[] = [
  { state: 'verified', provider: 'stripe', secret: 2, reason: null },
  { state: 'authenticated', provider: 'token', secret: 1, reason: null },
  { state: 'failed', provider: 'stripe', secret: null, reason: 'timestamp_too_old' },
  { state: 'unverified', provider: 'stripe', secret: null, reason: 'edited' },
  NOT_CHECKED,
];

const SIGNING = Object.assign({}, DEFAULT_DESTINATION_SETTINGS, { sign_as: 'provider' as const });

/** The same with sealed secrets that can be compared: some backends return other byte arrays. */
function comparable<T extends { source: Source | null }>(value: T): T {
  const { source } = value;
  if (source === null) return value;
  return { ...value, source: { ...source, sealedSecrets: Buffer.from(source.sealedSecrets) } };
}

/** Events of an endpoint with a source, one of each verification, oldest first. */
async function verifiedEvents(
  world: World,
  endpoint: Endpoint,
  body = '{"n":"needle"}',
): Promise<EventSummary[]> {
  const verdict = await world.verdict(endpoint);
  return world.events(
    endpoint,
    VERIFICATIONS.map((verification, i) => ({
      ...{ body, method: i % 2 ? 'PUT' : 'POST', receivedAt: world.now + i },
      verdict: { ...verdict, verification },
    })),
  );
}

const verificationsOf = (events: readonly EventSummary[]) =>
  events.map(({ verification }) => verification);

export function proofConformance(open: OpenStore): void {
  const shared = sharedWorld(open);
  const begin = clearedWorlds(open);

  describe('an endpoint', () => {
    test('keeps its source and what tells repeated requests', async () => {
      const world = await begin();
      const made = await world.endpoint({ source: CUSTOM, dedupe: BY_ID });
      const plain = await world.endpoint({ userId: made.userId });
      const read = async () => {
        const { endpoints } = world.store;
        const found = await endpoints.find(made.userId, made.id);
        const byToken = await endpoints.findByPublicToken(made.publicToken);
        const listed = await endpoints.list(made.userId);
        return [found, byToken, ...listed].map((one) => one && comparable(one));
      };
      const whole = comparable(made);
      expect(whole).toMatchObject({ source: CUSTOM, settings: { dedupe: BY_ID } });
      expect(plain).toMatchObject({ source: null, settings: { dedupe: null } });
      expect(await read()).toEqual([whole, whole, plain, whole]);
      await world.reopen();
      expect(await read()).toEqual([whole, whole, plain, whole]);
    });

    test('changes each of them alone', async () => {
      const { endpoints } = shared().store;
      const { key } = await shared().endpoint();
      const steps = [
        [{ source: STRIPE }, STRIPE, null],
        [settingsPatch({ dedupe: BY_ID }), STRIPE, BY_ID],
        [settingsPatch({ name: 'renamed', is_active: true }), STRIPE, BY_ID],
        [{ source: CUSTOM }, CUSTOM, BY_ID],
        [settingsPatch({ dedupe: BY_PROVIDER }), CUSTOM, BY_PROVIDER],
        [{ source: null }, null, BY_PROVIDER],
        [settingsPatch({ dedupe: null }), null, null],
      ] as const;
      for (const [patch, source, dedupe] of steps) {
        const updated = (await endpoints.update(key, patch)) as Endpoint;
        expect(comparable(updated)).toMatchObject({ source, settings: { dedupe } });
      }
    });

    test('isn’t changed by a patch that was made from older ones', async () => {
      const { endpoints } = shared().store;
      const before = await shared().endpoint({ source: STRIPE });
      const { key, userId, id } = before;
      const enforced = { ...STRIPE, enforce: true };
      expect(await endpoints.update(key, { source: enforced }, before)).toMatchObject({ key });
      const secrets = { ...STRIPE, sealedSecrets: Buffer.from('other') };
      expect(await endpoints.update(key, { source: secrets }, before)).toBe('changed');
      expect(await endpoints.update(key, settingsPatch({ dedupe: BY_ID }), before)).toBe('changed');
      const found = (await endpoints.find(userId, id)) as Endpoint;
      expect(comparable(found)).toMatchObject({ source: enforced, settings: { dedupe: null } });
      expect(await endpoints.update(key, settingsPatch({ dedupe: BY_ID }), found)).toMatchObject({
        key,
      });
      expect(
        await endpoints.update(key, settingsPatch({ name: 'renamed' }), before),
      ).not.toBeNull();
    });
  });

  describe('a capture', () => {
    test('is judged by the source and by what tells repeated requests', async () => {
      const world = shared();
      const endpoint = await world.endpoint({ source: STRIPE, dedupe: BY_ID });
      const settings = (await world.judgeBy(endpoint)) as JudgingSettings;
      expect(comparable(settings)).toEqual({
        userId: endpoint.userId,
        version: expect.any(Number),
        endpointId: endpoint.id,
        source: STRIPE,
        dedupe: BY_ID,
        filters: [],
      });
      expect(await world.listed(endpoint)).toEqual([]);
    });

    test('needs no verdict without them, also when they are gone', async () => {
      const world = shared();
      const endpoint = await world.endpoint({ source: STRIPE, dedupe: BY_ID });
      await world.store.endpoints.update(endpoint.key, {
        source: null,
        ...settingsPatch({ dedupe: null }),
      });
      expect(await world.event(endpoint)).toMatchObject({ verification: NOT_CHECKED });
    });

    test('by an older version is judged again after every change of them', async () => {
      const world = shared();
      const endpoint = await world.endpoint({ source: STRIPE });
      let verdict = await world.verdict(endpoint);
      const changes = [
        { source: { ...STRIPE, sealedSecrets: Buffer.from([2]) } },
        { source: { ...STRIPE, enforce: true } },
        { dedupe: BY_ID },
        { dedupe: { ...BY_ID, since: 'since-2' } },
        { source: null },
      ];
      for (const change of changes) {
        await world.store.endpoints.update(endpoint.key, proofPatch(change));
        const refused = { keep: true };
        const stale = await world.capture(endpoint, [
          { verdict },
          { verdict: { ...verdict, refused } },
        ]);
        const judgeBy = { version: expect.any(Number), ...change };
        const [first, second] = stale.results;
        for (const result of [first, second]) {
          if (!result || result.stored || result.reason !== 'stale') throw new Error('not stale');
          expect(comparable(result.judgeBy)).toMatchObject(judgeBy);
        }
        verdict = await world.verdict(endpoint);
        expect(verdict.version).toBeGreaterThan(0);
        expect(await world.event(endpoint, { verdict })).toBeTruthy();
      }
      expect(await world.listed(endpoint)).toHaveLength(changes.length);
      expect((await world.store.rejected.list(endpoint.key, { offset: 0, limit: 9 })).total).toBe(
        0,
      );
    });

    test('keeps its verification in every read', async () => {
      const world = await begin();
      const endpoint = await world.endpoint({ source: STRIPE });
      const captured = await verifiedEvents(world, endpoint);
      expect(verificationsOf(captured)).toEqual(VERIFICATIONS);
      const reads = async () => {
        const { events, live } = world.store;
        const found = await Promise.all(captured.map(({ id }) => events.find(endpoint.key, id)));
        const owned = await Promise.all(
          captured.map(async ({ id }) => (await events.findOwned(endpoint.userId, id))?.event),
        );
        const caughtUp = await live.eventsAfter({ endpointKeys: [endpoint.key] }, 0, 100);
        return [found, owned, caughtUp, (await world.listed(endpoint)).toReversed()];
      };
      for (const read of await reads()) expect(read).toEqual(captured);
      await world.reopen();
      for (const read of await reads()) expect(read).toEqual(captured);
    });
  });

  describe('a check of the URL', () => {
    const answer = { status: 200, content_type: 'text/plain', body: 'c' };
    const handshake = { answer, effect: null, isVerified: false };
    const verification: Verification = { ...NOT_CHECKED, provider: 'slack' };

    test('is stored, delivered nowhere and filtered by nobody', async () => {
      const world = await begin();
      const endpoint = await world.endpoint({ source: STRIPE });
      await world.destination(endpoint);
      const closed = Object.assign({}, DEFAULT_DESTINATION_SETTINGS, { filter: 'method=PUT' });
      const { key } = await world.destination(endpoint, { settings: closed });
      const verdict = await world.verdict(endpoint);
      const check = { verdict: { ...verdict, verification, handshake } };
      const dropped = [{ destinationKey: key, ruleVersion: 1 }];
      const [before, checked, after] = await world.events(endpoint, [
        { verdict: { ...verdict, dropped } },
        check,
        { verdict: { ...verdict, dropped } },
      ]);
      if (!before || !checked || !after) throw new Error('three');
      expect(checked).toMatchObject({ verification, duplicateOf: null });
      const claims = await world.claimDue();
      expect(claims.map(({ eventId }) => eventId)).toEqual([before.id, after.id]);
      for (const claim of claims) await world.settle(claim, 'succeeded');
      const statuses = [before, checked, after].map((event) => world.status(endpoint, event));
      expect(await Promise.all(statuses)).toEqual(['delivered', 'received', 'delivered']);
      expect(await world.store.events.deliveries(checked.seq, world.now)).toEqual([]);
      const window = { offset: 0, limit: 100, now: world.now };
      const { deliveries } = await world.store.deliveries.list(endpoint.key, {}, window);
      const of = new Set(deliveries.map(({ eventId }) => eventId));
      expect(of).toEqual(new Set([before.id, after.id]));
    });

    test('claims no key: the next request with its values is a first one', async () => {
      const world = await begin();
      const endpoint = await world.endpoint({ source: STRIPE, dedupe: BY_ID });
      await world.destination(endpoint);
      const verdict = await world.verdict(endpoint);
      const once = { key: 'k', body: 'b' };
      const events = await world.events(endpoint, [
        { verdict: { ...verdict, verification, handshake } },
        { verdict: { ...verdict, once } },
        { verdict: { ...verdict, verification, handshake } },
        { verdict: { ...verdict, once } },
      ]);
      const first = events[1]?.id;
      expect(events.map(({ duplicateOf }) => duplicateOf)).toEqual([null, null, null, first]);
      expect((await world.claimDue()).map(({ eventId }) => eventId)).toEqual([first]);
    });
  });

  describe('an attempt', () => {
    const sizes: [string, number][] = [
      ['small', 10],
      ['large', 200_000],
    ];
    test.each(sizes)('begins with the verification of its request: %s', async (_, size) => {
      const world = await begin();
      const endpoint = await world.endpoint({ source: STRIPE });
      await world.destination(endpoint);
      const verdict = await world.verdict(endpoint);
      const patches = VERIFICATIONS.map((verification) => ({
        ...{ body: 'x'.repeat(size), verdict: { ...verdict, verification } },
      }));
      const { claimed } = await world.capture(endpoint, patches, world.terms());
      const begun = async (claims: typeof claimed) =>
        (await world.store.queue.begin(claims, world.now + 1000, world.now)).map((outgoing) => [
          outgoing?.request === 'damaged' ? null : outgoing?.request.verification,
          outgoing?.signer,
        ]);
      const expected = VERIFICATIONS.map((verification) => [verification, null]);
      expect(await begun(claimed)).toEqual(expected);
      await world.store.queue.release(claimed);
      const again = (await world.claimDue()).toSorted((a, b) => a.eventSeq - b.eventSeq);
      expect(await begun(again)).toEqual(expected);
    });

    test('is signed as its endpoint’s source of now where the destination asks for it', async () => {
      const world = await begin();
      const endpoint = await world.endpoint({ source: STRIPE });
      const destination = await world.destination(endpoint, { settings: SIGNING });
      await world.destination(endpoint);
      await world.event(endpoint, { verdict: await world.verdict(endpoint) });
      const claims = await world.claimDue();
      const signers = async () => {
        const begun = await world.store.queue.begin(claims, world.now + 1000, world.now);
        return begun.map((outgoing) => outgoing?.signer && comparable(outgoing.signer));
      };
      const signer = { endpointId: endpoint.id, publicToken: endpoint.publicToken };
      const expected = (source: Source | null) =>
        claims.map((claim) =>
          claim.destination.id === destination.id ? { ...signer, source } : null,
        );
      expect(claims).toHaveLength(2);
      expect(await signers()).toEqual(expected(STRIPE));
      for (const source of [CUSTOM, null]) {
        await world.store.endpoints.update(endpoint.key, { source });
        expect(await signers()).toEqual(expected(source));
      }
      await world.store.endpoints.remove(endpoint.key, world.now);
      expect(await signers()).toEqual([undefined, undefined]);
    });
  });

  describe('a list by verification', () => {
    const states = ['unverified', 'verified', 'authenticated', 'failed'] as const;
    const others: EventFilter[] = [
      {},
      { status: 'received' },
      { status: 'failed' },
      { method: 'PUT' },
      { q: 'needle' },
      { where: 'body.n=needle' },
      { where: 'method=PUT' },
      { type: 'no.such' },
    ];

    test('has the events of that state, with any other filter', async () => {
      const world = shared();
      const endpoint = await world.endpoint({ source: STRIPE });
      await verifiedEvents(world, endpoint);
      await verifiedEvents(world, endpoint);
      await world.store.endpoints.update(endpoint.key, { source: null });
      await world.event(endpoint, { body: '{"n":"needle"}', receivedAt: world.now + 2 });
      const times = [{}, { from: world.now + 1, to: world.now + 4 }, { from: world.now + 4 }];
      const sizes = new Set<number>();
      for (const other of others.flatMap((one) => times.map((time) => ({ ...one, ...time })))) {
        const all = await world.listed(endpoint, other);
        for (const verification of states) {
          const matching = all.filter((event) => event.verification.state === verification);
          const filter = { ...other, verification };
          expect(await world.listed(endpoint, filter), JSON.stringify(filter)).toEqual(matching);
          sizes.add(matching.length);
        }
      }
      // Each state has two events, those that were not checked five.
      expect([...sizes].toSorted()).toEqual([0, 2, 3, 5]);
    });

    test('merges endpoints and splits into pages', async () => {
      const world = shared();
      const one = await world.endpoint({ source: STRIPE });
      const two = await world.endpoint({ source: STRIPE, userId: one.userId });
      await verifiedEvents(world, one);
      await verifiedEvents(world, two);
      await verifiedEvents(world, one);
      const scope = { userId: one.userId };
      const list = (filter: EventFilter, offset: number, limit: number) =>
        world.store.events.list(scope, filter, { offset, limit });
      for (const verification of states) {
        const { events } = await list({}, 0, 100);
        const matching = events.filter((event) => event.verification.state === verification);
        expect(matching.length).toBeGreaterThan(2);
        for (let offset = 0; offset <= matching.length; offset += 2) {
          expect(await list({ verification }, offset, 2)).toEqual({
            events: matching.slice(offset, offset + 2),
            total: matching.length,
          });
        }
      }
    });

    test('chooses the events of a bulk replay', async () => {
      const world = await begin();
      const endpoint = await world.endpoint({ source: STRIPE });
      await world.destination(endpoint);
      const captured = await verifiedEvents(world, endpoint);
      for (const claim of await world.claimDue()) await world.settle(claim, 'succeeded');
      const filter: EventFilter = { verification: 'unverified', duplicates: 'hide' };
      const job = { id: newId('job', 1), endpointKey: endpoint.key, filter, now: world.now };
      expect((await world.store.replays.startJob(job, MANY)).matching).toBe(2);
      while (await world.store.replays.workOff(world.now, { events: 1, deliveries: MANY }));
      const replayed = (await world.claimDue()).map(({ eventId }) => eventId);
      const wanted = captured.filter(({ verification }) => verification.state === 'unverified');
      expect(replayed.toSorted()).toEqual(wanted.map(({ id }) => id).toSorted());
    });
  });

  describe('the newest events', () => {
    const ALL = { most: 100, bytes: 1_000_000 };

    test('come with their contents, newest first, from any place on', async () => {
      const world = shared();
      const endpoint = await world.endpoint();
      const body = Buffer.from([0, 255, 128]);
      const rawHeaders = ['X-A', '1', 'x-a', 'é'];
      const captured = await world.events(
        endpoint,
        Array.from({ length: 5 }, (_, i) => ({ body, rawHeaders, query: `n=${i}` })),
      );
      await world.event(await world.endpoint({ userId: endpoint.userId }));
      const newest = captured.toReversed();
      const { events } = world.store;
      const found = await events.newest(endpoint.key, null, ALL);
      expect(found.map(({ event }) => event)).toEqual(newest);
      expect(found.map(({ content }) => content)).toEqual(
        newest.map((_, i) => ({ query: `n=${4 - i}`, rawHeaders, body })),
      );
      const first = await events.newest(endpoint.key, null, { ...ALL, most: 2 });
      expect(first).toEqual(found.slice(0, 2));
      const before = first.at(-1)?.event.seq as number;
      expect(await events.newest(endpoint.key, before, ALL)).toEqual(found.slice(2));
      expect(await events.newest(endpoint.key, captured[0]?.seq as number, ALL)).toEqual([]);
    });

    test('end with the one whose body reaches the limit', async () => {
      const world = shared();
      const endpoint = await world.endpoint();
      await world.events(
        endpoint,
        [10, 30_000, 5, 10].map((size) => ({ body: 'x'.repeat(size) })),
      );
      const sizes = async (bytes: number) =>
        (await world.store.events.newest(endpoint.key, null, { most: 100, bytes })).map(
          ({ content }) => content.body.length,
        );
      expect(await sizes(1)).toEqual([10]);
      expect(await sizes(10)).toEqual([10]);
      expect(await sizes(11)).toEqual([10, 5]);
      expect(await sizes(16)).toEqual([10, 5, 30_000]);
      expect(await sizes(30_016)).toEqual([10, 5, 30_000, 10]);
    });

    test('of a removed endpoint are none', async () => {
      const world = shared();
      const endpoint = await world.endpoint();
      await world.event(endpoint);
      await world.store.endpoints.remove(endpoint.key, world.now);
      expect(await world.store.events.newest(endpoint.key, null, ALL)).toEqual([]);
    });
  });

  test('an endpoint’s provider is guessed from its newest 20 events', async () => {
    const world = shared();
    const of = async (...providers: (string | null)[]) => {
      const endpoint = await world.endpoint();
      await world.events(
        endpoint,
        providers.map((provider) => ({ provider })),
      );
      return endpoint.key;
    };
    const mixed = await of('stripe', 'github', null, null, null, 'github');
    const untold = await of(null, null);
    const empty = await of();
    const changed = await of(
      ...Array.from({ length: 30 }, () => 'slack'),
      ...Array.from({ length: 20 }, (_, i) => (i === 4 ? 'shopify' : null)),
    );
    const gone = await world.endpoint();
    await world.event(gone, { provider: 'stripe' });
    await world.store.endpoints.remove(gone.key, world.now);
    const keys = [mixed, untold, empty, changed, gone.key];
    expect(await world.store.endpoints.guesses(keys)).toEqual(
      new Map([
        [mixed, 'github'],
        [changed, 'shopify'],
      ]),
    );
    expect(await world.store.endpoints.guesses([])).toEqual(new Map());
  });
}
