import { expect, test } from 'vitest';
import { type CaseStores, loadCase } from '../../../src/ai/diagnose/load-case.ts';
import { NO_FLOW } from '../../../src/core/flow/flow.ts';
import type { DeliveryError, Endpoint, EventSummary } from '../../../src/core/model.ts';
import { NOT_CHECKED } from '../../../src/core/proof/verification.ts';
import { newEndpoint } from '../../../src/core/settings/new-endpoint.ts';
import { answered, delivery, destination, START } from './cases.ts';

const EVENT = { seq: 7, id: 'evt_1', verification: NOT_CHECKED } as EventSummary;
const SIGNED = {
  query: '',
  rawHeaders: ['Stripe-Signature', `t=${START / 1000 - 3600},v1=00`],
  body: Buffer.from('{}'),
};
const ENDPOINT: Endpoint = { ...newEndpoint('usr_1', 'orders', START), key: 3 };
const TERMS = { now: START, limits: { attemptTimeoutMs: 10_000, attempts: 8 } };
const BREAKER = { since: START, nextProbeAt: START, failedProbes: 1 };

/** Stores that hold these deliveries and no more, and the lookups that were made. */
function storesOf(
  deliveries: ReturnType<typeof delivery>[],
  { breaker = null as (typeof NO_FLOW)['breaker'], error = null as DeliveryError | null } = {},
) {
  const asked: string[] = [];
  const waiting = { count: 1, atLeast: false, oldestAt: START };
  const failing = { since: START, count: 10, events: [4, 5, 6] };
  const stores: CaseStores = {
    events: {
      find: async () => null,
      content: async (seq) => {
        asked.push(`content ${seq}`);
        return SIGNED;
      },
      deliveries: async () => deliveries,
      attempts: async (seq) => {
        asked.push(`attempts ${seq}`);
        return seq === EVENT.seq ? [] : [answered(502), answered(200, { destinationId: 'dst_2' })];
      },
    },
    destinations: {
      list: async () =>
        [destination(), destination({ id: 'dst_2' })].map((one) => ({
          ...one,
          sealedSecret: null,
        })) as never,
      conditions: async (_, id) => {
        asked.push(`conditions ${id}`);
        return ['dst_1', 'dst_2']
          .filter((one) => id === null || one === id)
          .map((destinationId) => ({
            destinationId,
            flow: { ...NO_FLOW, failing, breaker },
            waiting,
          }));
      },
    },
    deliveries: {
      holder: async () => null,
      find: async (_, id) => {
        asked.push(`delivery ${id}`);
        return {
          endpoint: ENDPOINT,
          delivery: { ...delivery(), eventId: 'x', createdAt: 0, error },
        };
      },
    },
    live: { attemptsAfter: async () => ({ attempts: [], scannedTo: 0 }) },
  };
  return { stores, asked };
}

test('an event whose deliveries are done costs no look at conditions', async () => {
  const { stores, asked } = storesOf([delivery({ state: 'succeeded' })]);
  const { destinations } = await loadCase(EVENT, ENDPOINT, stores, TERMS);
  expect(asked).toEqual(['attempts 7']);
  expect(destinations.map(({ condition }) => condition)).toEqual([null, null]);
});

test('what went to a one-off URL is left out', async () => {
  const one = { ...delivery({ id: 'dlv_2' }), destinationId: null } as never;
  const { stores, asked } = storesOf([delivery({ state: 'succeeded' }), one]);
  stores.events.attempts = async () => [answered(200), { ...answered(500), destinationId: null }];
  const { deliveries, attempts } = await loadCase(EVENT, ENDPOINT, stores, TERMS);
  expect(deliveries.map(({ id }) => id)).toEqual(['dlv_1']);
  expect(attempts).toHaveLength(1);
  expect(asked).toEqual([]);
});

test('an open delivery reads the condition of its destination alone', async () => {
  const { stores, asked } = storesOf([delivery()]);
  const { destinations } = await loadCase(EVENT, ENDPOINT, stores, TERMS);
  expect(asked).toEqual(['attempts 7', 'conditions dst_1']);
  expect(destinations[0]?.condition?.waiting.count).toBe(1);
  expect(destinations[1]?.condition).toBeNull();
});

test('open deliveries to several destinations read all conditions at once', async () => {
  const { stores, asked } = storesOf([delivery(), delivery({ id: 'd', destinationId: 'dst_2' })]);
  await loadCase(EVENT, ENDPOINT, stores, TERMS);
  expect(asked).toEqual(['attempts 7', 'conditions null']);
});

test('a dead delivery that was held too long is told from one that was attempted', async () => {
  const dead = [delivery({ state: 'dead' })];
  const held = storesOf(dead, { error: { code: 'held_too_long', message: 'x' } });
  const { deliveries, destinations } = await loadCase(EVENT, ENDPOINT, held.stores, TERMS);
  expect(deliveries[0]?.endedBy).toBe('held_too_long');
  expect(destinations[0]?.condition).not.toBeNull();
  const tried = storesOf(dead, { error: { code: 'timeout', message: 'x' } });
  const other = await loadCase(EVENT, ENDPOINT, tried.stores, TERMS);
  expect(other.deliveries[0]?.endedBy).toBeNull();
  expect(other.destinations[0]?.condition).toBeNull();
});

test('the last error behind an open breaker is the last probe’s', async () => {
  const error = { code: 'timeout', message: 'No response.' } as const;
  const last = { end: 'oldest', deliveryId: 'dlv_9' } as const;
  const { stores, asked } = storesOf([delivery()], { breaker: { ...BREAKER, last }, error });
  const { destinations } = await loadCase(EVENT, ENDPOINT, stores, TERMS);
  expect(asked).toContain('delivery dlv_9');
  expect(destinations[0]?.condition?.lastError).toEqual(error);
});

test('a probed delivery that was held too long says nothing of the destination', async () => {
  const error = { code: 'held_too_long', message: 'x' } as const;
  const last = { end: 'oldest', deliveryId: 'dlv_9' } as const;
  const { stores } = storesOf([delivery()], { breaker: { ...BREAKER, last }, error });
  const { destinations } = await loadCase(EVENT, ENDPOINT, stores, TERMS);
  expect(destinations[0]?.condition?.lastError?.code).toBe('http_status');
});

test('before the first probe, it is that of a failure that opened the breaker', async () => {
  const { stores, asked } = storesOf([delivery()], { breaker: { ...BREAKER, last: null } });
  const { destinations } = await loadCase(EVENT, ENDPOINT, stores, TERMS);
  expect(asked).toContain('attempts 6');
  expect(destinations[0]?.condition?.lastError).toEqual({
    code: 'http_status',
    message: 'The receiver answered 502.',
  });
});

test('only the request of an event that failed is read, for its signed time', async () => {
  const { stores, asked } = storesOf([]);
  const found = await loadCase(EVENT, ENDPOINT, stores, TERMS);
  expect(found.event.failure).toBeNull();
  expect(asked).not.toContain('content 7');

  const reason = 'timestamp_too_old' as const;
  const verification = { state: 'failed' as const, provider: 'stripe', secret: null, reason };
  const failed = { ...EVENT, verification, receivedAt: START };
  const { event } = await loadCase(failed, { ...ENDPOINT, source: null }, stores, TERMS);
  expect(event.failure).toMatchObject({
    reason,
    says: 'it was signed 1 h before it came; at most 5 min are allowed',
  });
});

test.each<[what: string, state: 'verified' | 'unverified', provider: string, canResign: boolean]>([
  ['verified by the present source', 'verified', 'stripe', true],
  ['verified by an earlier source', 'verified', 'github', false],
  ['not verified', 'unverified', 'stripe', false],
])('the signature of an event %s', async (_, state, source, canResign) => {
  const { stores } = storesOf([]);
  const verification = {
    ...NOT_CHECKED,
    state,
    provider: state === 'verified' ? 'stripe' : null,
  } as EventSummary['verification'];
  const endpoint = { ...ENDPOINT, source: { provider: source } as Endpoint['source'] };
  const event = { ...EVENT, provider: 'stripe', verification };
  const { event: read } = await loadCase(event, endpoint, stores, TERMS);
  expect(read.signature).toEqual({
    ...{ provider: 'stripe', header: 'Stripe-Signature', isVerified: state === 'verified' },
    canResign,
  });
});

test('an event without its provider’s header has no signature', async () => {
  const { stores } = storesOf([]);
  const event = { ...EVENT, provider: 'github' };
  expect((await loadCase(event, ENDPOINT, stores, TERMS)).event.signature).toBeNull();
});
