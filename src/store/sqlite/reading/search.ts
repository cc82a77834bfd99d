import type { Database } from 'better-sqlite3';
import { freeMemory } from '../../../core/free-memory.ts';
import { decodedIncludes } from '../../../core/search-text.ts';
import type { EventFilter } from '../../contract/events.ts';
import { blocksHolding } from '../search/gram-set.ts';
import { isCorrupt } from '../search/search-index.ts';
import { readableBody } from '../writing/stored-body.ts';
import { condition } from './event-query.ts';

/** Target duration of a slice, the work between two yields, ms. */
const SLICE_MS = 8;
const FIRST_ROWS = 16;
const MOST_ROWS = 1000;
/**
 * With more candidate blocks than the first share of the endpoint's events, and more
 * events in those blocks than the second share, a scan of the endpoint is faster.
 */
const CANDIDATE_SHARE = 0.2;
const CANDIDATE_EVENTS_SHARE = 0.5;
/** Most events for which a scan costs less than a query of the index. */
const SCAN_OUTRIGHT_ROWS = 200;

/** A range of consecutive events whose bodies a search reads. */
interface Block {
  first: number;
  last: number;
}

/** Registers the functions that searches need. Call it once for each connection. */
export function prepareForSearch(db: Database): void {
  db.function('decoded_includes', { deterministic: true, directOnly: true }, (body, q) =>
    decodedIncludes(body as Uint8Array, q as string) ? 1 : 0,
  );
  db.function('compressed_includes', { deterministic: true, directOnly: true }, (body, size, q) =>
    compressedIncludes(body as Buffer, size as number, q as string) ? 1 : 0,
  );
}

/** False for a damaged body, so that the search still finds the others. */
function compressedIncludes(compressed: Buffer, size: number, q: string): boolean {
  const body = readableBody({ body: compressed, uncompressed_size: size });
  if (!body) return false;
  const isThere = body.includes(q) || decodedIncludes(body, q);
  freeMemory(body);
  return isThere;
}

// In a condition SQLite skips terms that don't matter. A CASE took five times as long: it
// called JavaScript for every row.
const BODY_MATCHES = `(
  (c.uncompressed_size IS NULL AND
    (instr(c.body, @bytes) > 0 OR (instr(c.body, x'5c') > 0 AND decoded_includes(c.body, @q))))
  OR (c.uncompressed_size NOTNULL AND compressed_includes(c.body, c.uncompressed_size, @q)))`;

export interface SearchRequest {
  endpointKey: number;
  filter: EventFilter & { q: string };
  /** Newest sequence number that the search reads. */
  upTo: number;
  /** Number of matches at which the search stops. */
  limit: number;
  /** Number of newest matches whose sequence numbers are returned. Others are only counted. */
  keep: number;
}

/** The matches so far. */
export class Found {
  /** Sequence numbers of the newest matches, at most `keep`. */
  readonly seqs: number[] = [];
  total = 0;
  readonly #limit: number;
  readonly #keep: number;

  constructor({ limit, keep }: Pick<SearchRequest, 'limit' | 'keep'>) {
    this.#limit = limit;
    this.#keep = keep;
  }

  get isFull(): boolean {
    return this.total >= this.#limit;
  }

  /** @param seqs newest first, all older than the earlier ones */
  add(seqs: readonly number[]): void {
    const taken = Math.min(seqs.length, this.#limit - this.total);
    this.seqs.push(...seqs.slice(0, Math.min(taken, this.#keep - this.seqs.length)));
    this.total += taken;
  }
}

/**
 * Finds the matching events, newest first. Runs inside the caller's read transaction
 * and yields between slices, so that searches take turns and can be abandoned. After
 * the first slice the caller may continue in another transaction: the search doesn't
 * query the index again, and it reads no later event and no event twice.
 *
 * Indexed events are looked up in the index and verified by their bodies; the others
 * are scanned. If there is no index (null: it is being built) or the index is broken,
 * all events are scanned.
 */
export function* search(
  db: Database,
  request: SearchRequest,
  index: { onBroken: () => void } | null,
): Generator<void, Found> {
  const found = new Found(request);
  let watermark = 0;
  let candidates: Block[] | null = null;
  try {
    if (index) watermark = db.prepare('SELECT watermark FROM idx.state').pluck().get() as number;
    if (watermark > 0) candidates = candidatesOf(db, request);
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

/** The blocks that may contain `q`, newest first, or null when a scan is faster. */
function candidatesOf(db: Database, { endpointKey, filter, upTo }: SearchRequest): Block[] | null {
  const query = blocksHolding(filter.q);
  if (query === null) return null;
  const events = db
    .prepare('SELECT coalesce(sum(count), 0) FROM event_counts WHERE endpoint_key = ?')
    .pluck()
    .get(endpointKey) as number;
  if (events <= SCAN_OUTRIGHT_ROWS) return null;
  const blocks = db.prepare<unknown[], Block>(`
    SELECT b.first, b.last FROM idx.grams g CROSS JOIN idx.blocks b ON b.last = g.rowid
    WHERE g.grams MATCH ? AND b.first <= ? ORDER BY g.rowid DESC`);
  const candidates: Block[] = [];
  let held = 0;
  for (const block of blocks.iterate(query, upTo)) {
    candidates.push(block);
    held += block.last - block.first + 1;
    const isMany = candidates.length > events * CANDIDATE_SHARE;
    if (isMany && held > events * CANDIDATE_EVENTS_SHARE) return null;
  }
  return candidates;
}

/** Searches the endpoint's bodies in these blocks. */
function* verify(
  db: Database,
  { endpointKey, filter, upTo }: SearchRequest,
  candidates: Block[],
  found: Found,
): Generator<void, void> {
  const { sql, values } = condition(filter, true);
  const statement = db
    .prepare<unknown[], number>(`
      SELECT e.seq FROM json_each(?) AS j
      CROSS JOIN events e ON e.endpoint_key = ?
        AND e.seq BETWEEN j.value ->> 'first' AND min(j.value ->> 'last', ?)
      CROSS JOIN event_contents c ON c.seq = e.seq
      WHERE true${sql} AND ${BODY_MATCHES}`)
    .pluck();
  const size = new SliceSize();
  for (const slice of slicesOf(candidates, size)) {
    if (found.isFull) break;
    const seqs = size.timed(() =>
      statement.all(JSON.stringify(slice), endpointKey, upTo, ...values, needle(filter.q)),
    );
    found.add(seqs.sort((a, b) => b - a));
    yield;
  }
}

/** The number of rows in a slice, by the duration of the last one: a body may have 25 MiB. */
class SliceSize {
  rows = FIRST_ROWS;

  timed<T>(look: () => T): T {
    const startedAt = performance.now();
    const seen = look();
    const factor = Math.min(2, SLICE_MS / (performance.now() - startedAt));
    this.rows = Math.min(MOST_ROWS, Math.max(1, Math.floor(this.rows * factor)));
    return seen;
  }
}

/** Splits the blocks into slices with as many events as `size` says, newest first. */
function* slicesOf(blocks: readonly Block[], size: SliceSize): Generator<Block[]> {
  let slice: Block[] = [];
  let rows = 0;
  for (const { first, last } of blocks) {
    let left = last;
    while (left >= first) {
      const from = Math.max(first, left - (size.rows - rows) + 1);
      slice.push({ first: from, last: left });
      rows += left - from + 1;
      left = from - 1;
      if (rows < size.rows) continue;
      yield slice;
      slice = [];
      rows = 0;
    }
  }
  if (slice.length > 0) yield slice;
}

/** Searches every body of the endpoint in `(after, upTo]`. */
function* scan(
  db: Database,
  { endpointKey, filter }: SearchRequest,
  after: number,
  upTo: number,
  found: Found,
): Generator<void, void> {
  const { sql, values } = condition(filter, true);
  const sliceEnd = db
    .prepare<unknown[], number>(`
      SELECT seq FROM events WHERE endpoint_key = ? AND seq > ? AND seq <= ?
      ORDER BY seq DESC LIMIT 1 OFFSET ?`)
    .pluck();
  const statement = db
    .prepare<unknown[], number>(`
      SELECT e.seq FROM events e CROSS JOIN event_contents c ON c.seq = e.seq
      WHERE e.endpoint_key = ? AND e.seq > ? AND e.seq <= ?${sql} AND ${BODY_MATCHES}
      ORDER BY e.seq DESC`)
    .pluck();
  const size = new SliceSize();
  let last = upTo;
  while (last > after && !found.isFull) {
    const end = sliceEnd.get(endpointKey, after, last, size.rows) ?? after;
    found.add(size.timed(() => statement.all(endpointKey, end, last, ...values, needle(filter.q))));
    last = end;
    yield;
  }
}

function needle(q: string): { q: string; bytes: Buffer } {
  return { q, bytes: Buffer.from(q) };
}
