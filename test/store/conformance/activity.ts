import { expect, test } from 'vitest';
import { newId } from '../../../src/core/ids.ts';
import { BREAKER } from '../../fixtures/breaker.ts';
import { type OpenStore, sharedWorld } from './world.ts';

const HOUR_MS = 3_600_000;

export function activityConformance(open: OpenStore): void {
  const world = sharedWorld(open);
  /** Three hours; now is in the last one. */
  const window = () => ({
    from: Math.floor(world().now / HOUR_MS) * HOUR_MS - 2 * HOUR_MS,
    hours: 3,
  });

  test('an endpoint without events has no activity in any hour', async () => {
    const endpoint = await world().endpoint();
    expect(await world().store.events.eventActivity(endpoint.key, window())).toEqual({
      totals: { received: 0, delivered: 0, failed: 0, dead_letter: 0 },
      received: [0, 0, 0],
    });
    expect(await world().store.events.attemptActivity(endpoint.key, window())).toEqual([]);
  });

  test('each event is counted once, by its hour of receipt and by status', async () => {
    const endpoint = await world().endpoint();
    const neighbour = await world().endpoint({ userId: endpoint.userId });
    const { from } = window();
    for (const receivedAt of [
      from - 1,
      from,
      from + HOUR_MS - 1,
      from + HOUR_MS,
      from + 2 * HOUR_MS,
      from + 3 * HOUR_MS - 1,
      from + 3 * HOUR_MS,
    ]) {
      await world().event(endpoint, { receivedAt });
      await world().event(neighbour, { receivedAt });
    }
    expect(await world().store.events.eventActivity(endpoint.key, window())).toEqual({
      totals: { received: 7, delivered: 0, failed: 0, dead_letter: 0 },
      received: [2, 1, 2],
    });
  });

  test('attempts are counted by the hour of their start, by destination and outcome', async () => {
    const endpoint = await world().endpoint();
    const good = await world().destination(endpoint);
    const bad = await world().destination(endpoint);
    const { from } = window();
    await world().events(endpoint, [{}, {}]);
    const claims = (await world().claimDue()).filter(
      ({ endpointKey }) => endpointKey === endpoint.key,
    );
    expect(claims).toHaveLength(4);
    let turn = 0;
    for (const claim of claims) {
      const isGood = claim.destination.id === good.id;
      const settlement = world().settlement(claim, isGood ? 'succeeded' : 'dead');
      const attemptedAt = from + turn * HOUR_MS - (turn === 3 ? 3 * HOUR_MS + 1 : 0);
      Object.assign(settlement.attempt, {
        id: newId('att', world().now),
        attemptedAt,
        durationMs: 10 * (turn + 1),
        ...(!isGood && { responseCode: turn % 2 === 0 ? null : 503 }),
      });
      await world().store.queue.settle([settlement], BREAKER);
      turn++;
    }
    const expected = claims.slice(0, 3).map(({ destination }, i) => ({
      destinationId: destination.id,
      hour: i,
      succeeded: destination.id === good.id ? 1 : 0,
      failed: destination.id === bad.id ? 1 : 0,
      totalMs: 10 * (i + 1),
      maxMs: 10 * (i + 1),
    }));
    expect(await world().store.events.attemptActivity(endpoint.key, window())).toEqual(expected);
    const { totals } = await world().store.events.eventActivity(endpoint.key, window());
    expect(totals).toEqual({ received: 0, delivered: 0, failed: 0, dead_letter: 2 });

    await world().store.destinations.remove(endpoint.key, bad.id, world().now, false);
    const left = await world().store.events.attemptActivity(endpoint.key, window());
    expect(left).toEqual(expected.filter(({ destinationId }) => destinationId === good.id));
  });

  test('durations are summed by hour, with the slowest attempt', async () => {
    const endpoint = await world().endpoint();
    const destination = await world().destination(endpoint);
    const { from } = window();
    await world().events(endpoint, [{}, {}, {}]);
    const claims = (await world().claimDue()).filter(
      ({ endpointKey }) => endpointKey === endpoint.key,
    );
    await world().store.queue.settle(
      claims.map((claim, i) => {
        const settlement = world().settlement(claim, i === 0 ? 'dead' : 'succeeded');
        Object.assign(settlement.attempt, { attemptedAt: from + i, durationMs: 100 - i });
        return settlement;
      }),
      BREAKER,
    );
    expect(await world().store.events.attemptActivity(endpoint.key, window())).toEqual([
      { destinationId: destination.id, hour: 0, succeeded: 2, failed: 1, totalMs: 297, maxMs: 100 },
    ]);
  });

  test('a deleted endpoint has no activity', async () => {
    const endpoint = await world().endpoint();
    await world().event(endpoint);
    await world().store.endpoints.remove(endpoint.key, world().now);
    expect(await world().store.events.eventActivity(endpoint.key, window())).toEqual({
      totals: { received: 0, delivered: 0, failed: 0, dead_letter: 0 },
      received: [0, 0, 0],
    });
    expect(await world().store.events.attemptActivity(endpoint.key, window())).toEqual([]);
  });

  test('an aborted read rejects', async () => {
    const endpoint = await world().endpoint();
    const left = new AbortController();
    left.abort(new Error('left'));
    const { events } = world().store;
    await expect(events.eventActivity(endpoint.key, window(), left.signal)).rejects.toThrow('left');
    await expect(events.attemptActivity(endpoint.key, window(), left.signal)).rejects.toThrow(
      'left',
    );
  });
}
