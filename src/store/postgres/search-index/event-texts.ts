import { Columns } from '../../shared/columns.ts';
import type { Database, Sql } from '../connection/database.ts';
import { indexedText } from './search-text.ts';

const TEXT = new Columns({ seq: 'bigint', text: 'text?' });

/** The limits of one commit of texts. */
const SLICE_ROWS = 500;
const SLICE_BYTES = 4 * 1024 * 1024;

export const WATERMARK = "(SELECT value::bigint FROM meta WHERE name = 'search_watermark')";

/** SQL condition: the index has no text of the event `e`. */
export const HAS_NO_TEXT = `NOT EXISTS (SELECT FROM event_texts t
  WHERE t.endpoint_key = e.endpoint_key AND t.seq = e.seq)`;

/** The events with sequence numbers after `after`, up to and including `upTo`. */
export interface EventSpan {
  after: number;
  upTo: number;
}

interface IndexedBody {
  seq: number;
  body: Buffer | null;
  contentType: string | null;
}

/**
 * Writes or corrects the texts of the first events of a span, in the caller's transaction. Returns
 * the sequence numbers of these events.
 */
export async function writeTexts(sql: Sql, { after, upTo }: EventSpan): Promise<number[]> {
  const bodies = await sql.rows<IndexedBody>(
    `SELECT s.seq, c.body, e.content_type AS "contentType" FROM (
       SELECT c.seq, sum(length(c.body)) OVER (ORDER BY c.seq) - length(c.body) AS before
       FROM event_contents c WHERE c.seq > $1 AND c.seq <= $2 ORDER BY c.seq LIMIT $3) s
     JOIN event_contents c ON c.seq = s.seq
     LEFT JOIN events e ON e.endpoint_key = c.endpoint_key AND e.seq = c.seq
     WHERE s.before < $4 ORDER BY s.seq`,
    [after, upTo, SLICE_ROWS, SLICE_BYTES],
  );
  const texts = bodies.map(({ seq, body, contentType }) => ({
    seq,
    text: indexedText(body ?? Buffer.alloc(0), contentType),
  }));
  // Write no text for an event that was deleted meanwhile, because nothing would delete that text.
  await sql.run(
    `INSERT INTO event_texts (endpoint_key, seq, text)
     SELECT c.endpoint_key, t.seq, t.text
     FROM ${TEXT.unnest('t')}
     JOIN event_contents c ON c.seq = t.seq
     ORDER BY t.seq FOR KEY SHARE OF c
     ON CONFLICT (endpoint_key, seq) DO UPDATE SET text = excluded.text
     WHERE event_texts.text IS DISTINCT FROM excluded.text`,
    TEXT.arrays(texts),
  );
  return bodies.map(({ seq }) => seq);
}

/**
 * Writes the texts of a span again, slice by slice, until the span ends or `isOver` returns true.
 * Nodes may index at the same time, because the watermark doesn't change.
 *
 * @param onSlice called with the number of events of each slice
 */
export async function writeTextsAgain(
  db: Database,
  { after, upTo }: EventSpan,
  onSlice: (events: number) => void = () => {},
  isOver: () => boolean = () => false,
): Promise<void> {
  for (let last = after; last < upTo && !isOver(); ) {
    const seqs = await db.transaction((sql) => writeTexts(sql, { after: last, upTo }));
    onSlice(seqs.length);
    last = seqs.at(-1) ?? upTo;
  }
}

/** Events up to the watermark that have no text. Only a fault causes this. */
export interface MissingTexts {
  events: number;
  span: EventSpan;
}

/**
 * Finds the missing texts. Returns null if there are none.
 *
 * @param keys the keys of endpoints, or null for all endpoints
 */
export async function missingTexts(
  sql: Sql,
  keys: readonly number[] | null,
): Promise<MissingTexts | null> {
  const [row] = await sql.rows<{ events: number; first: number; last: number }>(
    `SELECT count(*) AS events, min(e.seq) AS first, max(e.seq) AS last FROM events e
     WHERE ($1::bigint[] IS NULL OR e.endpoint_key = ANY($1)) AND e.seq <= ${WATERMARK}
       AND ${HAS_NO_TEXT}`,
    [keys],
  );
  if (!row || row.events === 0) return null;
  return { events: row.events, span: { after: row.first - 1, upTo: row.last } };
}

/**
 * Returns whether the index has a text for each event of the endpoints, up to the watermark. It
 * compares the counters of texts with those of events.
 */
export async function isIndexComplete(sql: Sql, keys: readonly number[]): Promise<boolean> {
  const [row] = await sql.rows<{ complete: boolean }>(
    `SELECT NOT EXISTS (
       SELECT FROM unnest($1::bigint[]) AS k(key)
       WHERE (SELECT coalesce(sum(count), 0) FROM event_counts WHERE endpoint_key = k.key)
         <> (SELECT coalesce(sum(count), 0) FROM event_text_counts WHERE endpoint_key = k.key)
           + (SELECT count(*) FROM events WHERE endpoint_key = k.key AND seq > ${WATERMARK})
     ) AS complete`,
    [keys],
    'index is complete',
  );
  return row?.complete === true;
}

/** Counts all texts again. It locks the table against writes. */
export async function countTexts(sql: Sql): Promise<void> {
  await sql.run('LOCK TABLE event_texts IN SHARE MODE');
  await sql.run('DELETE FROM event_text_counts');
  await sql.run(
    `INSERT INTO event_text_counts
     SELECT endpoint_key, 0, count(*) FROM event_texts GROUP BY endpoint_key`,
  );
}
