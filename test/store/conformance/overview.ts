import { expect, test } from 'vitest';
import { newId } from '../../../src/core/ids.ts';
import type { Endpoint, EventStatus } from '../../../src/core/model.ts';
import { DEFAULT_DESTINATION_SETTINGS } from '../../../src/core/settings/destination-settings.ts';
import type { ClaimedDelivery } from '../../../src/store/contract/claims.ts';
import { BREAKER } from '../../fixtures/breaker.ts';
import { Random } from './random.ts';
import { type OpenStore, sharedWorld } from './world.ts';

const MINUTE_MS = 60_000;
const inState = (state: 'paused' | 'disabled') => ({ ...DEFAULT_DESTINATION_SETTINGS, state });

export function overviewConformance(open: OpenStore): void {
  const world = sharedWorld(open);
  const window = () => ({
    bucketMs: MINUTE_MS,
    buckets: 4,
    from: Math.floor(world().now / MINUTE_MS) * MINUTE_MS - 3 * MINUTE_MS,
  });
  const read = (...endpoints: Endpoint[]) =>
    world().store.events.overview({ endpointKeys: endpoints.map(({ key }) => key) }, window());

  test('without events there is nothing', async () => {
    const endpoint = await world().endpoint();
    expect(await read(endpoint)).toEqual({
      ...{ events: [], lastAt: [], attempts: [], sampled: false, held: [] },
      allAttempts: { succeeded: 0, failed: 0, latency: null },
      waiting: { count: 0, atLeast: false, oldestAt: null },
    });
  });

  test('events are counted by bucket and status, as a look at each of them counts', async () => {
    const random = new Random(7);
    const one = await world().endpoint();
    const two = await world().endpoint({ userId: one.userId });
    const other = await world().endpoint();
    const { from } = window();
    for (const endpoint of [one, two, other]) await world().destination(endpoint);
    for (let i = 0; i < 120; i++) {
      const receivedAt = from + random.below(6 * MINUTE_MS) - MINUTE_MS;
      await world().event(random.pick([one, one, two, other]), { receivedAt });
    }
    for (const claim of await world().claimDue()) {
      const outcome = random.pick(['succeeded', 'succeeded', 'dead', { retryInMs: 1 }] as const);
      await world().settle(claim, outcome);
    }
    const counts = new Map<string, number>();
    const lastAt = new Map<string, number>();
    for (const endpoint of [one, two]) {
      for (const { status, receivedAt } of await world().listed(endpoint)) {
        lastAt.set(endpoint.id, Math.max(lastAt.get(endpoint.id) ?? 0, receivedAt));
        const bucket = Math.floor((receivedAt - from) / MINUTE_MS);
        if (bucket < 0 || bucket > 3) continue;
        const key = `${endpoint.id} ${bucket} ${status}`;
        counts.set(key, (counts.get(key) ?? 0) + 1);
      }
    }
    const expected = [...counts].map(([key, count]) => {
      const [endpointId, bucket, status] = key.split(' ') as [string, string, EventStatus];
      return { endpointId, bucket: Number(bucket), status, count };
    });
    const found = await read(one, two);
    const sorted = (events: typeof found.events) =>
      events
        .map((part) => JSON.stringify(part, ['endpointId', 'bucket', 'status', 'count']))
        .sort();
    expect(sorted(found.events)).toEqual(sorted(expected));
    expect(new Map(found.lastAt.map(({ endpointId, at }) => [endpointId, at]))).toEqual(lastAt);

    const ofAccount = await world().store.events.overview({ userId: one.userId }, window());
    expect(sorted(ofAccount.events)).toEqual(sorted(expected));
  });

  test('attempts have their number and percentiles, by bucket and in all', async () => {
    const endpoint = await world().endpoint();
    const { from } = window();
    await world().destination(endpoint);
    await world().events(
      endpoint,
      Array.from({ length: 100 }, () => ({})),
    );
    const claims = (await world().claimDue()).filter(
      ({ endpointKey }) => endpointKey === endpoint.key,
    );
    expect(claims).toHaveLength(100);
    // 1 to 90 ms in one bucket, 91 to 100 ms in the next, which fail.
    await world().store.queue.settle(
      claims.map((claim, i) => {
        const settlement = world().settlement(claim, i < 90 ? 'succeeded' : 'dead');
        const attemptedAt = from + (i < 90 ? 0 : MINUTE_MS);
        Object.assign(settlement.attempt, {
          ...{ id: newId('att', world().now), attemptedAt, durationMs: i + 1 },
        });
        return settlement;
      }),
      BREAKER,
    );
    const found = await read(endpoint);
    expect(found.attempts).toEqual([
      { bucket: 0, succeeded: 90, failed: 0, latency: { p50: 45, p95: 86, p99: 90 } },
      { bucket: 1, succeeded: 0, failed: 10, latency: { p50: 95, p95: 100, p99: 100 } },
    ]);
    expect(found.allAttempts).toEqual({
      ...{ succeeded: 90, failed: 10, latency: { p50: 50, p95: 95, p99: 99 } },
    });
    expect(found.sampled).toBe(false);
  });

  test('destinations that don’t deliver are listed, and what waits', async () => {
    const endpoint = await world().endpoint();
    const [, paused, disabled] = [
      await world().destination(endpoint),
      await world().destination(endpoint, { settings: inState('paused') }),
      await world().destination(endpoint, { settings: inState('disabled') }),
    ];
    const receivedAt = world().now;
    await world().events(endpoint, [{ receivedAt }, { receivedAt: receivedAt + 1 }]);
    const { held, waiting } = await read(endpoint);
    expect(waiting).toEqual({ count: 4, atLeast: false, oldestAt: receivedAt });
    expect(
      held.map(({ endpointId, destination, waiting: { count } }) => [
        ...[endpointId, destination.id, count],
      ]),
    ).toEqual([
      [endpoint.id, paused.id, 2],
      [endpoint.id, disabled.id, 0],
    ]);
  });

  test('a destination that refuses every event is listed', async () => {
    const endpoint = await world().endpoint();
    const destination = await world().destination(endpoint);
    for (let i = 0; i < 3; i++) {
      await world().event(endpoint);
      const claims = await world().claimDue();
      await world().settle(
        claims.find((one) => one.endpointKey === endpoint.key) as ClaimedDelivery,
        'dead',
      );
      expect((await read(endpoint)).held.map((held) => held.destination.id)).toEqual(
        i === 2 ? [destination.id] : [],
      );
    }
  });

  test('a deleted endpoint, and an aborted read', async () => {
    const endpoint = await world().endpoint();
    await world().event(endpoint);
    await world().store.endpoints.remove(endpoint.key, world().now);
    expect((await read(endpoint)).lastAt).toEqual([]);
    const left = new AbortController();
    left.abort(new Error('left'));
    const scope = { endpointKeys: [endpoint.key] };
    await expect(world().store.events.overview(scope, window(), left.signal)).rejects.toThrow(
      'left',
    );
  });
}
