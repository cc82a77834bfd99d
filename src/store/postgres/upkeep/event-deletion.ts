import { statusOf } from '../../shared/codes.ts';
import { CountChanges } from '../../shared/events/count-changes.ts';
import { EVENT_KEY } from '../../shared/events/event-columns.ts';
import { DOOMED_COLUMNS, type DoomedEvent } from '../../shared/upkeep/doomed-events.ts';
import type { Sql } from '../connection/database.ts';
import { storable } from '../connection/storable.ts';
import { applyCounts } from '../events/event-counts.ts';
import { noteStatuses } from '../events/failed-events.ts';
import type { Freed } from '../queue/order-turns.ts';
import { OPEN_REF_COLUMNS, type OpenRef, type Rounds } from '../queue/rounds.ts';

const FIND = `
  SELECT ${DOOMED_COLUMNS} FROM events e JOIN endpoints p ON p.key = e.endpoint_key
  WHERE e.endpoint_key = $1 AND e.id = $2 AND p.deleted_at IS NULL`;

/**
 * Ends the open deliveries of one event, then deletes the event, in the caller's transaction.
 * Returns the freed deliveries for `noteFreed`. Returns null if the endpoint has no such event.
 */
export async function removeEvent(
  sql: Sql,
  rounds: Rounds,
  endpointKey: number,
  eventId: string,
): Promise<Freed[] | null> {
  const values = [endpointKey, storable(eventId)];
  const [found] = await sql.rows<DoomedEvent>(FIND, values);
  if (!found) return null;
  const freed: Freed[] = [];
  for (;;) {
    const ended = await rounds.end(sql, await openOf(sql, found), 'cancelled');
    freed.push(...ended.freed);
    const [event] = await sql.rows<DoomedEvent>(`${FIND} FOR UPDATE OF e`, values);
    if (!event) return null;
    // A replay may have opened deliveries before the event was locked. End those too.
    if ((await openOf(sql, event)).length > 0) continue;
    await deleteEvents(sql, [event]);
    return freed;
  }
}

function openOf(sql: Sql, { endpointKey, seq }: DoomedEvent): Promise<OpenRef[]> {
  return sql.rows(
    `SELECT ${OPEN_REF_COLUMNS} FROM open_deliveries WHERE event_seq = $2 AND destination_key IN
       (SELECT key FROM destinations WHERE endpoint_key = $1)`,
    [endpointKey, seq],
  );
}

/** Deletes events with all their rows. The caller has locked the events. */
export async function deleteEvents(sql: Sql, events: readonly DoomedEvent[]): Promise<void> {
  if (events.length === 0) return;
  const keys = [...new Set(events.map(({ endpointKey }) => endpointKey))];
  const seqs = events.map(({ seq }) => seq);
  // Silence counts from the last event even after its deletion, so keep that event's time.
  await sql.run(
    `UPDATE endpoints p SET expected_since = n.at
     FROM (
       SELECT key, (SELECT max(received_at) FROM events WHERE endpoint_key = key) AS at
       FROM unnest($1::bigint[]) AS k(key)) n
     WHERE p.key = n.key AND p.expect_every_ms IS NOT NULL AND p.deleted_at IS NULL
       AND p.expected_since < n.at`,
    [keys],
    'keep silence',
  );
  const both = `(SELECT * FROM ${EVENT_KEY.unnest('k')})`;
  const pairs = EVENT_KEY.arrays(events);
  await sql.run('DELETE FROM event_contents WHERE seq = ANY($1)', [seqs]);
  await sql.run(
    `DELETE FROM open_deliveries WHERE event_seq = ANY($1) AND destination_key IN
       (SELECT key FROM destinations WHERE endpoint_key = ANY($2))`,
    [seqs, keys],
  );
  await sql.run('DELETE FROM deliveries WHERE endpoint_key = ANY($1) AND event_seq = ANY($2)', [
    keys,
    seqs,
  ]);
  await sql.run('DELETE FROM attempts WHERE event_seq = ANY($1)', [seqs]);
  await sql.run(`DELETE FROM filtered_events WHERE (endpoint_key, event_seq) IN ${both}`, pairs);
  await sql.run(`DELETE FROM first_events WHERE (endpoint_key, event_seq) IN ${both}`, pairs);
  await sql.run(`DELETE FROM event_texts WHERE (endpoint_key, seq) IN ${both}`, pairs);
  await sql.run(`DELETE FROM events WHERE (endpoint_key, seq) IN ${both}`, pairs);
  await noteStatuses(
    sql,
    events.map(({ endpointKey, seq, status }) => ({ endpointKey, seq, before: status, now: null })),
  );
  const changes = new CountChanges();
  for (const { endpointKey, status } of events) changes.add(endpointKey, statusOf(status), -1);
  await applyCounts(sql, changes);
}
