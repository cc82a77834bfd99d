import type { Database, Statement } from 'better-sqlite3';
import type { EventsToLearn, EventToLearn, LearningLimits } from '../../contract/types.ts';
import { IS_LEARNED } from '../../shared/types/is-learned.ts';
import { readableBody, type StoredBody } from '../events/stored-body.ts';
import { isBroken } from '../files/database.ts';
import { joinBodies, splitBodies } from '../threads/joined-bodies.ts';

/** The time between two yields, ms. */
const SLICE_MS = 8;
/** The number of rows that one statement reads, without their bodies. */
const PAGE_ROWS = 200;
const EMPTY = Buffer.alloc(0);

interface Head extends Omit<EventToLearn, 'body'> {
  size: number;
  /** Null if the row of the event is gone. */
  isLearned: number | null;
}

/** See `TypeStore.toLearn`. */
export function* readEventsToLearn(
  db: Database,
  after: number,
  { most, bytes, largest }: LearningLimits,
): Generator<void, EventsToLearn> {
  const heads = db.prepare<[number, number], Head>(`
    SELECT c.seq, e.id, c.endpoint_key AS endpointKey, p.user_id AS userId,
      e.received_at AS receivedAt, e.provider, e.event_type AS eventType,
      e.content_type AS contentType, e.size, (${IS_LEARNED}) AS isLearned
    FROM event_contents c
    LEFT JOIN events e ON e.endpoint_key = c.endpoint_key AND e.seq = c.seq
    LEFT JOIN endpoints p ON p.key = c.endpoint_key
    WHERE c.seq > ? ORDER BY c.seq LIMIT ?`);
  const stored = db.prepare<[number], StoredBody>(
    'SELECT body, uncompressed_size FROM event_contents WHERE seq = ?',
  );
  const found: (Omit<EventToLearn, 'body'> & { body: Buffer })[] = [];
  let scannedTo = after;
  let rowsLeft = most;
  let bytesLeft = bytes;
  let yieldAt = performance.now() + SLICE_MS;
  while (rowsLeft > 0 && bytesLeft > 0) {
    const page = heads.all(scannedTo, Math.min(PAGE_ROWS, rowsLeft));
    rowsLeft -= page.length;
    if (page.length < PAGE_ROWS) rowsLeft = 0;
    for (const { size, isLearned, ...head } of page) {
      if (bytesLeft <= 0) break;
      scannedTo = head.seq;
      if (isLearned !== 1) continue;
      const body = size > largest ? EMPTY : bodyOf(stored, head.seq);
      if (!body) continue;
      found.push({ ...head, body });
      bytesLeft -= body.length;
      if (performance.now() < yieldAt) continue;
      yield;
      yieldAt = performance.now() + SLICE_MS;
    }
  }
  const bodies = splitBodies(joinBodies(found));
  return { events: found.map((event, i) => ({ ...event, body: bodies[i] ?? EMPTY })), scannedTo };
}

/** Returns the body; empty if it is damaged, null if the event has been deleted. */
function bodyOf(stored: Statement<[number], StoredBody>, seq: number): Buffer | null {
  try {
    const row = stored.get(seq);
    return row ? (readableBody(row) ?? EMPTY) : null;
  } catch (error) {
    if (!isBroken(error)) throw error;
    return EMPTY;
  }
}
