import { expect, test } from 'vitest';
import type { EventSummary } from '../../../src/core/model.ts';
import { EVENT_STATUS } from '../../../src/core/model.ts';
import type { EventFilter } from '../../../src/store/contract/events.ts';
import { BREAKER } from '../../fixtures/breaker.ts';
import { Random } from './random.ts';
import { clearedWorlds, type OpenStore, sharedWorld, type World } from './world.ts';

const EVENTS = 80;
const METHODS = ['GET', 'POST', 'post', 'PURGE'];

/** An endpoint with events of every status, captured while the clock jumps. */
async function fill(world: World, seed: number) {
  const random = new Random(seed);
  const endpoint = await world.endpoint();
  const neighbour = await world.endpoint({ userId: endpoint.userId });
  await world.destination(endpoint);
  const at = world.now;
  for (let i = 0; i < EVENTS; i++) {
    await world.events(random.chance(0.7) ? endpoint : neighbour, [
      {
        ...{ method: random.pick(METHODS), body: `{"n":${i}}` },
        receivedAt: at + random.below(20) * 1000 - 10_000,
      },
    ]);
  }
  world.now = at + 60_000;
  for (const claim of await world.claimDue()) {
    const outcome = random.pick(['succeeded', 'dead', { retryInMs: 1 }, null] as const);
    if (outcome) await world.settle(claim, outcome);
  }
  return { endpoint, neighbour, at };
}

function matches(event: EventSummary, { status, method, from, to, after }: EventFilter): boolean {
  return (
    (status === undefined || event.status === status) &&
    (method === undefined || event.method === method) &&
    (from === undefined || event.receivedAt >= from) &&
    (to === undefined || event.receivedAt < to) &&
    (after === undefined || event.seq > after)
  );
}

export function listConformance(open: OpenStore): void {
  const begin = clearedWorlds(open);
  const shared = sharedWorld(open);

  test('an endpoint without events lists none', async () => {
    const endpoint = await shared().endpoint();
    const list = (filter: EventFilter) =>
      shared().store.events.list({ endpointKeys: [endpoint.key] }, filter, {
        offset: 0,
        limit: 50,
      });
    for (const filter of [{}, { status: 'failed' }, { q: 'x' }, { from: 1, to: 2 }] as const) {
      expect(await list(filter)).toEqual({ events: [], total: 0 });
    }
  });

  test('events are listed newest first by sequence, even when the clock runs backwards', async () => {
    const endpoint = await shared().endpoint();
    const at = shared().now;
    const events: EventSummary[] = [];
    for (const step of [0, -5000, 3000, -9000, -9000]) {
      events.push(await shared().event(endpoint, { receivedAt: at + step }));
    }
    expect(await shared().listed(endpoint)).toEqual(events.toReversed());
    const from = { from: at - 9000 };
    expect(await shared().listed(endpoint, from)).toEqual(events.toReversed());
    expect(await shared().listed(endpoint, { from: at - 5000 })).toEqual(
      events.slice(0, 3).toReversed(),
    );
  });

  test('`from` is inclusive, `to` exclusive, to the millisecond', async () => {
    const endpoint = await shared().endpoint();
    const at = shared().now;
    const [before, on, after] = await shared().events(endpoint, [
      { receivedAt: at - 1 },
      { receivedAt: at },
      { receivedAt: at + 1 },
    ]);
    const listed = (filter: EventFilter) => shared().listed(endpoint, filter);
    expect(await listed({ from: at })).toEqual([after, on]);
    expect(await listed({ to: at })).toEqual([before]);
    expect(await listed({ from: at, to: at + 1 })).toEqual([on]);
    expect(await listed({ from: at, to: at })).toEqual([]);
    expect(await listed({ from: at + 1, to: at })).toEqual([]);
  });

  test('every combination of filters lists the events that match one by one', async () => {
    const world = await begin();
    const { endpoint, at } = await fill(world, 7);
    const all = await world.listed(endpoint);
    expect(all.every(({ endpointId }) => endpointId === endpoint.id)).toBe(true);
    // The comparison covers every status.
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set(EVENT_STATUS.names));
    for (const status of [undefined, ...EVENT_STATUS.names]) {
      for (const method of [undefined, 'POST', 'PURGE']) {
        for (const from of [undefined, at - 3000, at]) {
          for (const to of [undefined, at, at + 4000]) {
            const filter: EventFilter = {
              ...(status && { status }),
              ...(method && { method }),
              ...(from && { from }),
              ...(to && { to }),
            };
            const events = all.filter((event) => matches(event, filter));
            expect(await world.listed(endpoint, filter), JSON.stringify(filter)).toEqual(events);
          }
        }
      }
    }
  });

  test.each([{}, { q: '{"n":1' }])(
    'what is newer than an event is counted within %j',
    async (filter) => {
      const { endpoint } = await fill(shared(), 5);
      const all = await shared().listed(endpoint, filter);
      expect(all.length).toBeGreaterThan(5);
      const some = [...all.keys()].filter((i) => i % 5 === 0 || i === all.length - 1);
      for (const status of [undefined, ...EVENT_STATUS.names]) {
        const within = status === undefined ? filter : { ...filter, status };
        for (const i of some) {
          const after = all[i]?.seq as number;
          const newer = all.slice(0, i).filter((event) => matches(event, within));
          const listed = await shared().listed(endpoint, { ...within, after });
          expect(listed.map(({ seq }) => seq)).toEqual(newer.map(({ seq }) => seq));
        }
      }
    },
  );

  test('a list shows what came of each event', async () => {
    const endpoint = await shared().endpoint();
    await shared().destination(endpoint);
    const [event, other] = await shared().events(endpoint, [{}, {}]);
    const outcomes = async () => {
      const found = await shared().listed(endpoint);
      expect(await shared().store.events.find(endpoint.key, event?.id ?? '')).toEqual(found[1]);
      expect(found[0]?.id).toBe(other?.id);
      return found.map(({ outcome }) => outcome);
    };
    const settle = async (responseCode: number | null, isGood: boolean) => {
      const claims = (await shared().claimDue()).filter(({ eventId }) => eventId === event?.id);
      expect(claims).toHaveLength(1);
      for (const claim of claims) {
        const settlement = shared().settlement(claim, isGood ? 'succeeded' : { retryInMs: 1000 });
        Object.assign(settlement.attempt, { responseCode });
        await shared().store.queue.settle([settlement], BREAKER);
      }
      shared().now += 60_000;
    };
    expect(await outcomes()).toEqual([null, null]);
    await settle(null, false);
    expect(await outcomes()).toEqual([null, { responseCode: null, succeededAt: null, retries: 0 }]);
    await settle(503, false);
    expect(await outcomes()).toEqual([null, { responseCode: 503, succeededAt: null, retries: 1 }]);
    const succeededAt = shared().now + 12;
    await settle(204, true);
    expect(await outcomes()).toEqual([null, { responseCode: 503, succeededAt, retries: 2 }]);
  });

  test('pages split the list, each with the total of all', async () => {
    const world = await begin();
    const { endpoint, at } = await fill(world, 8);
    const filters: EventFilter[] = [
      {},
      { status: 'delivered' },
      { method: 'POST' },
      { from: at - 2000, to: at + 6000 },
      { status: 'received', from: at - 5000 },
    ];
    for (const filter of filters) {
      const all = await world.listed(endpoint, filter);
      expect(all.length, JSON.stringify(filter)).toBeGreaterThan(2);
      for (const limit of [1, 7, all.length - 1, all.length, 1000]) {
        for (let offset = 0; offset <= all.length + limit; offset += limit) {
          const page = await world.store.events.list({ endpointKeys: [endpoint.key] }, filter, {
            offset,
            limit,
          });
          expect(page, JSON.stringify({ filter, offset, limit })).toEqual({
            events: all.slice(offset, offset + limit),
            total: all.length,
          });
        }
      }
    }
  });

  test('an aborted read rejects with the signal’s reason', async () => {
    const endpoint = await shared().endpoint();
    const list = (signal: AbortSignal) =>
      shared().store.events.list(
        { endpointKeys: [endpoint.key] },
        { q: 'x' },
        { offset: 0, limit: 1 },
        signal,
      );
    const reason = new Error('the caller left');
    await expect(list(AbortSignal.abort(reason))).rejects.toBe(reason);
    const controller = new AbortController();
    const listing = list(controller.signal);
    controller.abort(reason);
    await expect(listing).rejects.toBe(reason);
    await expect(list(new AbortController().signal)).resolves.toEqual({ events: [], total: 0 });
  });

  test('page and total are of one moment', async () => {
    const world = await begin();
    const endpoint = await world.endpoint();
    let done = false;
    const writing = (async () => {
      for (let i = 0; i < 60; i++) await world.events(endpoint, [{ body: 'x' }, { body: 'x' }]);
      done = true;
    })();
    while (!done) {
      for (const filter of [{}, { status: 'received' }, { q: 'x' }, { from: 0 }] as const) {
        const window = { offset: 0, limit: 1000 };
        const { events, total } = await world.store.events.list(
          { endpointKeys: [endpoint.key] },
          filter,
          window,
        );
        expect(events).toHaveLength(total);
        expect(total % 2).toBe(0);
      }
    }
    await writing;
    expect(await world.listed(endpoint)).toHaveLength(120);
  });
}
