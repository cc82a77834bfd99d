import { describe, expect, test } from 'vitest';
import type { Endpoint, EventSummary } from '../../../src/core/model.ts';
import { VERIFICATION_STATE } from '../../../src/core/proof/verification.ts';
import { fitsRule } from '../../../src/core/rules/evaluate.ts';
import { RequestParts } from '../../../src/core/rules/request-parts.ts';
import { type RuleSource, readRule } from '../../../src/core/rules/rule.ts';
import { bodyType } from '../../../src/providers/body-type.ts';
import type { EventFilter } from '../../../src/store/contract/events.ts';
import type { Scope } from '../../../src/store/contract/scope.ts';
import { STRIPE } from './proof.ts';
import { Random } from './random.ts';
import { randomRequest, randomRule } from './rule-corpus.ts';
import {
  clearedWorlds,
  type OpenStore,
  type RequestPatch,
  sharedWorld,
  type World,
} from './world.ts';

/** Enough events for a backend to use its index. */
const CORPUS = 400;
const RULES = 12;

/** Events with the requests that they captured, oldest first. */
interface Captured {
  event: EventSummary;
  patch: RequestPatch;
}

function partsOf({ patch }: Captured): RequestParts {
  const body = Buffer.from((patch.body as string | Buffer | undefined) ?? '');
  const request = {
    ...{ method: 'POST', path: '', query: '', rawHeaders: [], contentType: null },
    ...{
      provider: null,
      eventType: null,
      sourceIp: '192.0.2.1',
      verification: null,
      ...patch,
      body,
    },
  };
  return new RequestParts(request, bodyType);
}

function fitting(
  all: readonly Captured[],
  { where, type, method }: EventFilter,
): readonly Captured[] {
  const rule = where === undefined ? null : readRule(where);
  return all.filter((one) => {
    const parts = partsOf(one);
    return (
      (rule === null || fitsRule(rule, parts)) &&
      (type === undefined || parts.get('type') === type) &&
      (method === undefined || one.patch.method === method)
    );
  });
}

async function capture(
  world: World,
  endpoint: Endpoint,
  patches: RequestPatch[],
): Promise<Captured[]> {
  const events = await world.events(endpoint, patches);
  return events.map((event, i) => ({ event, patch: patches[i] as RequestPatch }));
}

/** Compares lists by random rules with a look at every request. */
async function check(
  world: World,
  random: Random,
  all: readonly Captured[],
  scope: Scope,
): Promise<void> {
  for (let i = 0; i < RULES; i++) {
    const filter: EventFilter = {
      ...(random.chance(0.9) && { where: randomRule(random) }),
      ...(random.chance(0.2) && { type: random.pick(['push', 'invoice.paid', 'message', 'none']) }),
      ...(random.chance(0.2) && { method: 'PUT' }),
    };
    const ids = fitting(all, filter)
      .map(({ event }) => event.id)
      .reverse();
    const offset = random.chance(0.3) ? random.below(ids.length + 2) : 0;
    const limit = random.pick([1, 10, 1000]);
    const page = await world.store.events.list(scope, filter, { offset, limit });
    const what = JSON.stringify({ ...filter, offset, limit });
    expect(page.total, what).toBe(ids.length);
    expect(
      page.events.map(({ id }) => id),
      what,
    ).toEqual(ids.slice(offset, offset + limit));
  }
}

export function ruleConformance(open: OpenStore): void {
  const shared = sharedWorld(open);

  test('lists by rules agree with a look at every request (seed 1)', () =>
    tryRules(open, 1, CORPUS / 4));

  describe('types', () => {
    const stripe = (type: string) => ({
      provider: 'stripe',
      contentType: 'application/json',
      body: `{"object":"event","type":"${type}"}`,
    });
    const github = (type: string) => ({ provider: 'github', eventType: type, body: '{}' });

    test('of bodies and headers are listed and found', async () => {
      const endpoint = await shared().endpoint();
      await shared().events(endpoint, [
        stripe('invoice.paid'),
        github('push'),
        stripe('push'),
        {
          provider: 'twilio',
          contentType: 'application/x-www-form-urlencoded',
          body: 'AccountSid=1&CallSid=2',
        },
        { body: '{"type":"push"}' },
        { body: '{"type":{"of":"push"},"event_name":"order.paid"}' },
        { provider: 'stripe', body: 'no JSON' },
      ]);
      const typesOf = async (filter: EventFilter) =>
        (await shared().listed(endpoint, filter)).map(({ eventType }) => eventType);
      const all = [null, 'order.paid', 'push', 'call', 'push', 'push', 'invoice.paid'];
      expect(await typesOf({})).toEqual(all);
      expect(await typesOf({ type: 'push' })).toEqual(['push', 'push', 'push']);
      expect(await typesOf({ type: 'order.paid' })).toEqual(['order.paid']);
      expect(await typesOf({ where: 'type=order.paid' })).toEqual(['order.paid']);
      expect(await typesOf({ type: 'call' })).toEqual(['call']);
      expect(await typesOf({ type: 'invoice.paid', where: 'body.object=event' })).toHaveLength(1);
      expect(await typesOf({ where: 'type=push and provider=github' })).toEqual(['push']);
      expect(await typesOf({ where: 'not type?' })).toEqual([null]);
      expect(await typesOf({ type: 'push', q: 'event' })).toEqual(['push']);
    });

    test('stream readers get them too', async () => {
      const endpoint = await shared().endpoint();
      const [first, , last] = await shared().events(endpoint, [
        stripe('invoice.paid'),
        github('push'),
        { provider: 'stripe', body: `{"type":"huge","x":"${'x'.repeat(300_000)}"}` },
      ]);
      const scope = { endpointKeys: [endpoint.key] };
      const events = await shared().store.live.eventsAfter(scope, (first?.seq ?? 0) - 1, 10);
      expect(events.map(({ eventType }) => eventType)).toEqual(['invoice.paid', 'push', null]);
      const looks = await shared().store.live.classify(
        [first?.seq ?? 0, last?.seq ?? 0, 1_000_000_000],
        'body.type=invoice.paid',
      );
      expect(looks).toEqual([
        { seq: first?.seq, eventType: 'invoice.paid', fits: true },
        { seq: last?.seq, eventType: null, fits: false },
      ]);
    });
  });

  describe('an account’s events', () => {
    test('are merged by sequence, page by page', async () => {
      const { userId, ...first } = await shared().endpoint();
      const endpoints = [
        { userId, ...first },
        ...(await Promise.all([0, 1].map(() => shared().endpoint({ userId })))),
      ];
      const stranger = await shared().endpoint();
      const random = new Random(7);
      const events: EventSummary[] = [];
      for (let i = 0; i < 30; i++) {
        const endpoint = random.pick(endpoints) as Endpoint;
        const patch = { method: random.pick(['POST', 'PUT']) };
        events.unshift(...(await shared().events(endpoint, [patch, patch])).reverse());
      }
      await shared().event(stranger);
      for (const method of [undefined, 'PUT']) {
        const wanted = events.filter((event) => method === undefined || event.method === method);
        for (let offset = 0; offset <= wanted.length; offset += 7) {
          const filter = method === undefined ? {} : { method };
          const page = await shared().store.events.list({ userId }, filter, { offset, limit: 7 });
          expect(page).toEqual({ events: wanted.slice(offset, offset + 7), total: wanted.length });
        }
      }
      await shared().store.endpoints.remove(endpoints[1]?.key ?? 0, shared().now);
      const left = events.filter(({ endpointId }) => endpointId !== endpoints[1]?.id);
      const window = { offset: 0, limit: 1000 };
      expect(await shared().store.events.list({ userId }, {}, window)).toEqual({
        events: left,
        total: left.length,
      });
      expect((await shared().store.events.list({ endpointKeys: [] }, {}, window)).total).toBe(0);
    });
  });

  describe('rules tried on history', () => {
    test('judge the newest events, or chosen ones', async () => {
      const endpoint = await shared().endpoint();
      const other = await shared().endpoint();
      const events = await shared().events(
        endpoint,
        [1, 2, 3, 'four'].map((n) => ({ body: JSON.stringify({ n }) })),
      );
      const [stranger] = await shared().events(other, [{ body: '{"n":3}' }]);
      const attempt = (trial: { last: number } | { ids: string[] }) =>
        shared().store.events.tryRules(endpoint.key, {
          rules: ['body.n>=2', null, 'body.n=3'],
          events: trial,
          deadlineMs: 60_000,
        });
      const [one, two, three, four] = events.map(({ id }) => id);
      const mismatch = { path: 'body.n', operator: '$gte', type: 'text' };
      expect(await attempt({ last: 3 })).toEqual([
        { id: four, fits: [false, true, false], mismatches: [mismatch], isTooCostly: false },
        { id: three, fits: [true, true, true], mismatches: [], isTooCostly: false },
        { id: two, fits: [true, true, false], mismatches: [], isTooCostly: false },
      ]);
      const ids = [one, stranger?.id, 'evt_unknown', four, one] as string[];
      expect((await attempt({ ids })).map(({ id }) => id)).toEqual([four, one]);
    });

    test('an event that takes too many steps passes', async () => {
      const endpoint = await shared().endpoint();
      const [event] = await shared().events(endpoint, [
        { body: JSON.stringify({ list: [...Array(20_000).fill(1), 2] }) },
      ]);
      const seq = event?.seq ?? 0;
      const where = JSON.stringify({ body: { list: Array(450).fill({ $gt: 1 }) } });
      const { events, live } = shared().store;
      const trial = { rules: [where], events: { last: 1 }, deadlineMs: 60_000 };
      expect(await events.tryRules(endpoint.key, trial)).toEqual([
        { id: event?.id, fits: [true], mismatches: [], isTooCostly: true },
      ]);
      expect(await live.classify([seq], where)).toEqual([{ seq, eventType: null, fits: true }]);
    });

    test('are none for a deleted endpoint', async () => {
      const endpoint = await shared().endpoint();
      await shared().events(endpoint, [{ body: '{"n":1}' }]);
      await shared().store.endpoints.remove(endpoint.key, shared().now);
      const trial = { rules: [null], events: { last: 1 }, deadlineMs: 60_000 };
      expect(await shared().store.events.tryRules(endpoint.key, trial)).toEqual([]);
    });

    test('end at the deadline', async () => {
      const endpoint = await shared().endpoint();
      await shared().events(endpoint, Array(200).fill({ body: '{"n":1}' }));
      const trial = { rules: ['body.n=1'], events: { last: 200 } };
      const tried = await shared().store.events.tryRules(endpoint.key, { ...trial, deadlineMs: 0 });
      expect(tried.length).toBeLessThan(200);
    });
  });

  test('judge by what the source says of an event', async () => {
    const endpoint = await shared().endpoint({ source: STRIPE });
    await shared().destination(endpoint);
    const verdict = await shared().verdict(endpoint);
    const others = { provider: 'stripe', secret: null, reason: null };
    const verifications = [
      ...VERIFICATION_STATE.names.map((state) => ({ state, ...others })),
      null,
    ];
    const all = await shared().events(
      endpoint,
      verifications.map((verification) => ({
        body: '{"n":"needle"}',
        verdict: { ...verdict, verification },
      })),
    );
    const last = all.at(-1) as EventSummary;
    const states = [...VERIFICATION_STATE.names, 'unverified'];
    const { store, now } = shared();
    const rule = 'verification=unverified and body.n=needle';
    const rules: [where: RuleSource, fits: (state: string) => boolean][] = [
      ['verification=failed', (state) => state === 'failed'],
      ['verification=unverified', (state) => state === 'unverified'],
      [rule, (state) => state === 'unverified'],
      ['{"verification":{"$neq":"verified"}}', (state) => state !== 'verified'],
    ];
    for (const [where, fits] of rules) {
      const fitting = all.filter((_, i) => fits(states[i] as string)).map(({ id }) => id);
      const listed = await shared().listed(endpoint, { where });
      expect(listed.map(({ id }) => id)).toEqual(fitting.toReversed());
      const looks = await store.live.classify(
        all.map(({ seq }) => seq),
        where,
      );
      expect(looks.map((look) => look.fits)).toEqual(states.map(fits));
      const trial = { rules: [where], events: { last: 10 }, deadlineMs: 60_000 };
      const tried = await store.events.tryRules(endpoint.key, trial);
      expect(tried.map((one) => one.fits[0])).toEqual(states.map(fits).toReversed());
    }
    const job = {
      id: `job_${endpoint.id}`,
      endpointKey: endpoint.key,
      filter: { where: rule },
      now,
    };
    expect(await store.replays.startJob(job, 10)).toEqual({ id: job.id, matching: 2 });
    while (await store.replays.workOff(now, { events: 1, deliveries: 1 }));
    const deliveries = await store.events.deliveries(last.seq, now);
    expect(deliveries.map(({ trigger }) => trigger)).toContain('replay');
  });

  test('a bulk replay takes the events that fit', async () => {
    const endpoint = await shared().endpoint();
    await shared().destination(endpoint);
    const bodies = ['{"a":"ännlich"}', '{"a":"other"}', '{"a":"\\u00e4nnlich"}'];
    const events = await shared().events(
      endpoint,
      bodies.map((body) => ({ body })),
    );
    const filter = { where: 'body.a="ännlich"' };
    const job = {
      ...{ id: `job_${endpoint.id}`, endpointKey: endpoint.key, filter },
      now: shared().now,
    };
    expect(await shared().store.replays.startJob(job, 10)).toEqual({ id: job.id, matching: 2 });
    while (await shared().store.replays.workOff(shared().now, { events: 1, deliveries: 1 }));
    const rounds = await Promise.all(
      events.map(async ({ seq }) =>
        (await shared().store.events.deliveries(seq, shared().now)).map(({ trigger }) => trigger),
      ),
    );
    expect(rounds.map((triggers) => triggers.includes('replay'))).toEqual([true, false, true]);
  });
}

/** The same with more events and seeds: each takes seconds. */
export function ruleTries(open: OpenStore): void {
  test.each([2, 3])('lists by rules agree with a look at every request (seed %i)', (seed) =>
    tryRules(open, seed, CORPUS),
  );
}

async function tryRules(open: OpenStore, seed: number, corpus: number): Promise<void> {
  const world = await clearedWorlds(open)();
  const random = new Random(seed);
  const endpoint = await world.endpoint();
  const neighbour = await world.endpoint({ userId: endpoint.userId });
  await world.endpoint();
  const requests = (count: number) => Array.from({ length: count }, () => randomRequest(random));
  const own = await capture(world, endpoint, requests(corpus));
  const others = await capture(world, neighbour, requests(corpus / 5));
  const scope = { endpointKeys: [endpoint.key] };
  await check(world, random, own, scope);
  await world.indexed();
  await check(world, random, own, scope);
  own.push(...(await capture(world, endpoint, requests(corpus / 5))));
  await check(world, random, own, scope);
  const all = [...own, ...others].sort((a, b) => a.event.seq - b.event.seq);
  await check(world, random, all, { userId: endpoint.userId });
  await check(world, random, all, { endpointKeys: [endpoint.key, neighbour.key] });
}
