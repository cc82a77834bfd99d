import type { Database } from 'better-sqlite3';
import { decodedIncludes } from '../../core/search-text.ts';
import type { EventFilter } from '../store.ts';
import { condition } from './event-query.ts';
import { allOf, isCorrupt, trigramsOf } from './search-index.ts';

/** Rows looked at between two yields: a few milliseconds of work. */
const SLICE_ROWS = 1000;
/** Where more of the endpoint's events than this are candidates, reading them all in order is faster. */
const CANDIDATE_SHARE = 0.2;
/** Below this many events a scan costs less than asking the index. */
const SCAN_OUTRIGHT_ROWS = 200;

/** Trigrams asked for at once. More sieve little more, and FTS5 reads every one's whole list. */
const MAX_TRIGRAMS = 4;
/** A trigram's frequency is judged by how far back its newest so many events reach. */
const SAMPLE_HITS = 100;

/** Registers what the verification needs; once for each connection. */
export function prepareForSearch(db: Database): void {
  db.function('decoded_includes', { deterministic: true, directOnly: true }, (body, q) =>
    decodedIncludes(body as Uint8Array, q as string) ? 1 : 0,
  );
}

const BODY_MATCHES = `
  (instr(c.body, @bytes) > 0 OR (instr(c.body, x'5c') > 0 AND decoded_includes(c.body, @q)))`;

export interface SearchRequest {
  endpointKey: number;
  filter: EventFilter & { q: string };
  /** Newest sequence number to look at. */
  upTo: number;
  /** Stop after so many matches. */
  limit: number;
}

/**
 * The matching events' sequence numbers, newest first. Runs inside the caller's
 * read transaction, so that all of it is of one moment, and yields between
 * slices, so that searches take turns and can be abandoned.
 *
 * What the index holds is asked of the index and verified on the bodies; what
 * it doesn't hold is scanned. Without an index (null: it is being built), or
 * when it turns out to be broken, everything is scanned.
 */
export function* search(
  db: Database,
  request: SearchRequest,
  index: { onBroken: () => void } | null,
): Generator<void, number[]> {
  const found: number[] = [];
  let watermark = 0;
  let candidates: number[] | null = null;
  try {
    if (index) watermark = db.prepare('SELECT watermark FROM idx.state').pluck().get() as number;
    if (watermark > 0) candidates = candidatesOf(db, request, watermark);
  } catch (error) {
    if (!isCorrupt(error)) throw error;
    index?.onBroken();
  }
  if (candidates === null) {
    yield* scan(db, request, 0, request.upTo, found);
    return found;
  }
  yield* scan(db, request, watermark, request.upTo, found);
  yield* verify(db, request, candidates, found);
  return found;
}

/** Candidates up to the watermark, newest first, or null when a scan is the faster way. */
function candidatesOf(
  db: Database,
  { endpointKey, filter, upTo }: SearchRequest,
  watermark: number,
): number[] | null {
  const trigrams = trigramsOf(filter.q);
  if (trigrams.length === 0) return null;
  const events = db
    .prepare('SELECT coalesce(sum(count), 0) FROM event_counts WHERE endpoint_key = ?')
    .pluck()
    .get(endpointKey) as number;
  if (events <= SCAN_OUTRIGHT_ROWS) return null;
  const rarest = rarestOf(db, trigrams, watermark);
  if (rarest === null) return null;
  const most = Math.ceil(events * CANDIDATE_SHARE);
  const last = Math.min(watermark, upTo);
  const candidates = db
    .prepare<unknown[], number>(`
      SELECT rowid FROM idx.bodies WHERE bodies MATCH ? AND rowid <= ?
      ORDER BY rowid DESC LIMIT ?`)
    .pluck()
    .all(allOf(rarest), last, most + 1);
  if (candidates.length > most) return null;
  const unindexed = db
    .prepare<unknown[], number>('SELECT seq FROM idx.unindexed WHERE seq <= ? LIMIT ?')
    .pluck()
    .all(last, most + 1);
  if (candidates.length + unindexed.length > most) return null;
  return [...candidates, ...unindexed].sort((a, b) => b - a);
}

/**
 * The trigrams worth asking for, or null when even the rarest is in so many
 * events that a scan is faster. Judged on the newest events: a wrong guess
 * costs time only, since the bodies decide.
 */
function rarestOf(db: Database, trigrams: string[], watermark: number): string[] | null {
  const newest = db
    .prepare<unknown[], number>(`
      SELECT rowid FROM idx.bodies WHERE bodies MATCH ? AND rowid <= ?
      ORDER BY rowid DESC LIMIT ${SAMPLE_HITS}`)
    .pluck();
  const byReach = trigrams
    .map((trigram) => {
      const hits = newest.all(allOf([trigram]), watermark);
      const reach = watermark - (hits.at(-1) ?? 0) + 1;
      return { trigram, share: hits.length < SAMPLE_HITS ? 0 : SAMPLE_HITS / reach };
    })
    .sort((a, b) => a.share - b.share);
  if ((byReach[0]?.share ?? 0) >= CANDIDATE_SHARE) return null;
  return byReach.slice(0, MAX_TRIGRAMS).map(({ trigram }) => trigram);
}

function* verify(
  db: Database,
  { endpointKey, filter, limit }: SearchRequest,
  candidates: number[],
  found: number[],
): Generator<void, void> {
  const { sql, values } = condition(filter, true);
  const statement = db
    .prepare<unknown[], number>(`
      SELECT e.seq FROM json_each(?) AS j
      CROSS JOIN events e ON e.endpoint_key = ? AND e.seq = j.value
      CROSS JOIN event_contents c ON c.seq = e.seq
      WHERE true${sql} AND ${BODY_MATCHES} ORDER BY j.key`)
    .pluck();
  for (let i = 0; i < candidates.length && found.length < limit; i += SLICE_ROWS) {
    const slice = JSON.stringify(candidates.slice(i, i + SLICE_ROWS));
    found.push(...statement.all(slice, endpointKey, ...values, needle(filter.q)));
    yield;
  }
  found.splice(limit);
}

/** Looks at every body of the endpoint in `(after, upTo]`. */
function* scan(
  db: Database,
  { endpointKey, filter, limit }: SearchRequest,
  after: number,
  upTo: number,
  found: number[],
): Generator<void, void> {
  const { sql, values } = condition(filter, true);
  const sliceEnd = db
    .prepare<unknown[], number>(`
      SELECT seq FROM events WHERE endpoint_key = ? AND seq > ? AND seq <= ?
      ORDER BY seq DESC LIMIT 1 OFFSET ${SLICE_ROWS}`)
    .pluck();
  const statement = db
    .prepare<unknown[], number>(`
      SELECT e.seq FROM events e CROSS JOIN event_contents c ON c.seq = e.seq
      WHERE e.endpoint_key = ? AND e.seq > ? AND e.seq <= ?${sql} AND ${BODY_MATCHES}
      ORDER BY e.seq DESC`)
    .pluck();
  let last = upTo;
  while (last > after && found.length < limit) {
    const end = sliceEnd.get(endpointKey, after, last) ?? after;
    found.push(...statement.all(endpointKey, end, last, ...values, needle(filter.q)));
    last = end;
    yield;
  }
  found.splice(limit);
}

function needle(q: string): { q: string; bytes: Buffer } {
  return { q, bytes: Buffer.from(q) };
}
