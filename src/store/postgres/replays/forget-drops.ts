import type { ClaimedDestination } from '../../contract/claims.ts';
import { Columns } from '../../shared/columns.ts';
import { dropsOf, NO_DROPS, storedDropsOf } from '../../shared/events/filtered-events.ts';
import { dropsLeft } from '../../shared/replays/replayed-event.ts';
import type { Sql } from '../connection/database.ts';

const LEFT_DROPS = new Columns({ seq: 'bigint', dropped: 'text' });

interface Replayed {
  event: { seq: number; dropped: string };
  destinations: readonly ClaimedDestination[];
}

/**
 * Removes drops of events that the replay delivers, because such events don't count as filtered.
 */
export async function forgetDrops(
  sql: Sql,
  endpointKey: number,
  replayed: readonly Replayed[],
): Promise<void> {
  const left = replayed.flatMap(({ event, destinations }) => {
    const kept = dropsLeft(dropsOf(event.dropped), destinations);
    return kept === null ? [] : [{ seq: event.seq, dropped: storedDropsOf(kept) }];
  });
  if (left.length === 0) return;
  await sql.run(
    `UPDATE filtered_events f SET dropped = q.dropped
     FROM ${LEFT_DROPS.unnest('q', 2)}
     WHERE f.endpoint_key = $1 AND f.event_seq = q.seq`,
    [endpointKey, ...LEFT_DROPS.arrays(left)],
  );
  const gone = left.filter(({ dropped }) => dropped === NO_DROPS);
  await sql.run('DELETE FROM filtered_events WHERE endpoint_key = $1 AND event_seq = ANY($2)', [
    endpointKey,
    gone.map(({ seq }) => seq),
  ]);
}
