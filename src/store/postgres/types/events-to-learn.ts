import type { EventsToLearn, EventToLearn, LearningLimits } from '../../contract/types.ts';
import { IS_LEARNED } from '../../shared/types/is-learned.ts';
import type { Sql } from '../connection/database.ts';

interface Head extends Omit<EventToLearn, 'body'> {
  /** The body size, bytes. */
  size: number;
  isLearned: boolean | null;
}

/** Selects the next $3 events after $1, up to $2, without their bodies. */
const HEADS_TO_LEARN = `
  SELECT c.seq, e.id, c.endpoint_key AS "endpointKey", p.user_id AS "userId",
    e.received_at AS "receivedAt", e.provider, e.event_type AS "eventType",
    e.content_type AS "contentType", e.size, (${IS_LEARNED}) AS "isLearned"
  FROM (
    SELECT seq, endpoint_key FROM event_contents WHERE seq > $1 AND seq <= $2
    ORDER BY seq LIMIT $3) c
  LEFT JOIN events e ON e.endpoint_key = c.endpoint_key AND e.seq = c.seq
  LEFT JOIN endpoints p ON p.key = c.endpoint_key
  ORDER BY c.seq`;

/**
 * See `TypeStore.toLearn`. `sql` must read one snapshot.
 *
 * @param range `upTo` is the horizon
 */
export async function readEventsToLearn(
  sql: Sql,
  { after, upTo }: { after: number; upTo: number },
  limits: LearningLimits,
): Promise<EventsToLearn> {
  if (upTo <= after) return { events: [], scannedTo: after };
  const rows = await sql.rows<Head>(HEADS_TO_LEARN, [after, upTo, limits.most], 'heads to learn');
  const { heads, scannedTo } = withinBytes(rows, limits);
  const seqs = heads.filter(({ size }) => size <= limits.largest).map(({ seq }) => seq);
  const bodies = await bodiesOf(sql, seqs);
  const events = heads.map(({ size: _, isLearned: _isLearned, ...head }) => ({
    ...head,
    body: bodies.get(head.seq) ?? new Uint8Array(0),
  }));
  return { events: joined(events), scannedTo: scannedTo ?? after };
}

/** Returns the first events whose bodies fit the limit of bytes. */
function withinBytes(
  rows: readonly Head[],
  { bytes, largest }: LearningLimits,
): { heads: Head[]; scannedTo: number | undefined } {
  let left = bytes;
  const end = rows.findIndex(({ size, isLearned }) => {
    if (left <= 0) return true;
    if (isLearned && size <= largest) left -= size;
    return false;
  });
  const scanned = end === -1 ? rows : rows.slice(0, end);
  return { heads: scanned.filter(({ isLearned }) => isLearned), scannedTo: scanned.at(-1)?.seq };
}

async function bodiesOf(sql: Sql, seqs: readonly number[]): Promise<Map<number, Uint8Array>> {
  if (seqs.length === 0) return new Map();
  const rows = await sql.rows<{ seq: number; body: Buffer }>(
    'SELECT seq, body FROM event_contents WHERE seq = ANY($1)',
    [seqs],
    'bodies to learn',
  );
  return new Map(rows.map(({ seq, body }) => [seq, body]));
}

/** Copies all bodies into one buffer, which can be transferred to another thread. */
function joined(events: readonly EventToLearn[]): EventToLearn[] {
  const memory = new Uint8Array(events.reduce((sum, { body }) => sum + body.length, 0));
  let at = 0;
  return events.map((event) => {
    const body = memory.subarray(at, at + event.body.length);
    body.set(event.body);
    at += body.length;
    return { ...event, body };
  });
}
