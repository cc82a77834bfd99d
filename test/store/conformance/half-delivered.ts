import type { EventSummary } from '../../../src/core/model.ts';
import type { World } from './world.ts';

/**
 * Events with open deliveries in every mixture that their status can depend on. `finish`
 * makes all open deliveries succeed and returns the statuses.
 */
export async function halfDelivered(world: World): Promise<{
  events: EventSummary[];
  finish(): Promise<(string | undefined)[]>;
}> {
  const endpoint = await world.endpoint();
  const removed = await world.destination(endpoint);
  for (let i = 0; i < 3; i++) await world.destination(endpoint);
  const events = await world.events(endpoint, [{}, {}, {}, {}, {}]);
  const [untouched, oneDelivered, oneDead, oneRetried, replayed] = events;
  if (!untouched || !oneDelivered || !oneDead || !oneRetried || !replayed) throw new Error('five');
  const claims = await world.claimDue();
  const claimOf = (event: EventSummary) => {
    const found = claims.find(
      ({ eventSeq, destination }) => eventSeq === event.seq && destination.id !== removed.id,
    );
    if (!found) throw new Error('not claimed');
    return found;
  };
  await world.settle(claimOf(oneDelivered), 'succeeded');
  await world.settle(claimOf(oneDead), 'dead');
  await world.settle(claimOf(oneRetried), { retryInMs: 1000 });
  await world.settle(claimOf(replayed), 'dead');
  await world.store.replays.replay(endpoint.key, replayed.seq, world.now, {
    leaseUntil: 0,
    limit: 0,
    skip: new Set(),
  });
  // One delivery of each event is cancelled and no longer counts.
  await world.store.destinations.remove(endpoint.key, removed.id, world.now, true);
  return {
    events,
    async finish() {
      world.now += 3_600_000;
      for (const claim of await world.claimDue()) await world.settle(claim, 'succeeded');
      return Promise.all(events.map((event) => world.status(endpoint, event)));
    },
  };
}

/** The statuses that `finish` returns. */
export const FINISHED = ['delivered', 'delivered', 'dead_letter', 'delivered', 'delivered'];
