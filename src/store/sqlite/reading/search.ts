import type { Database } from 'better-sqlite3';
import { foldedTest } from '../../../core/search/folded-text.ts';
import { RequestRules } from '../../shared/request-rules.ts';
import type { Search } from '../../shared/searches.ts';
import { blocksHolding } from '../search/gram-set.ts';
import { isCorrupt } from '../search/search-index.ts';
import { contentCondition } from './content-condition.ts';
import { condition, countEvents, matchingSeqs } from './event-query.ts';
import { ROW_COLUMNS, RULED_COLUMNS, type RuledRow, ruledRequest } from './ruled-row.ts';
import { SliceSize } from './slice-size.ts';

/**
 * With more candidate blocks than the first share of the endpoint's events, and more
 * events in those blocks than the second share, a scan of the endpoint is faster.
 */
const CANDIDATE_SHARE = 0.2;
const CANDIDATE_EVENTS_SHARE = 0.5;
/** Most events for which a scan costs less than a query of the index. */
const SCAN_OUTRIGHT_ROWS = 200;

/** A range of consecutive events whose bodies a search reads. */
export interface Block {
  first: number;
  last: number;
}

export interface SearchRequest {
  endpointKey: number;
  search: Search;
  /** Newest sequence number that the search reads. */
  upTo: number;
  /** Number of newest matches whose sequence numbers are returned. Others are only counted. */
  keep: number;
}

/** The matches so far. */
export class Found {
  /** Sequence numbers of the newest matches, at most `keep`. */
  readonly seqs: number[] = [];
  total = 0;
  readonly #keep: number;

  constructor(keep: number) {
    this.#keep = keep;
  }

  /** @param seqs newest first, all older than the earlier ones */
  add(seqs: readonly number[]): void {
    for (const seq of seqs.slice(0, this.#keep - this.seqs.length)) this.seqs.push(seq);
    this.total += seqs.length;
  }
}

/** What the index says of a search. */
export interface Candidates {
  /** Newer events aren't indexed. */
  watermark: number;
  /** The blocks that may hold a match, newest first. Null when only a scan can tell. */
  blocks: Block[] | null;
}

const UNKNOWN: Candidates = { watermark: 0, blocks: null };

/**
 * Asks the index. Without one (null: it is being built), and where it is broken, all
 * events are scanned.
 */
export function candidatesFor(
  db: Database,
  { q, content }: Search,
  index: { onBroken: () => void } | null,
): Candidates {
  const query = blocksHolding([...(q === undefined ? [] : [[q]]), ...(content?.sieve ?? [])]);
  if (!index || query === null) return UNKNOWN;
  try {
    const watermark = db.prepare('SELECT watermark FROM idx.state').pluck().get() as number;
    if (watermark === 0) return UNKNOWN;
    const blocks = db
      .prepare<unknown[], Block>(`
        SELECT b.first, b.last FROM idx.grams g CROSS JOIN idx.blocks b ON b.last = g.rowid
        WHERE g.grams MATCH ? ORDER BY g.rowid DESC`)
      .all(query);
    return { watermark, blocks };
  } catch (error) {
    if (!isCorrupt(error)) throw error;
    index.onBroken();
    return UNKNOWN;
  }
}

/**
 * Finds the matching events of an endpoint, newest first. Runs inside the caller's read
 * transaction and yields between slices, so that searches take turns and can be
 * abandoned. After the first slice the caller may continue in another transaction: the
 * search doesn't query the index, and it reads no later event and no event twice.
 *
 * Indexed events are verified by their contents; the others are scanned.
 */
export function* search(
  db: Database,
  request: SearchRequest,
  candidates: Candidates,
): Generator<void, Found> {
  const { endpointKey, search, upTo, keep } = request;
  const found = new Found(keep);
  if (search.q === undefined && search.content === null) {
    const seqs = matchingSeqs(db, endpointKey, search.rows, upTo, keep);
    for (const seq of seqs) found.seqs.push(seq);
    found.total = seqs.length < keep ? seqs.length : countEvents(db, endpointKey, search.rows);
    return found;
  }
  const look = lookFor(db, request);
  const blocks = worthwhile(db, request, candidates);
  if (blocks === null) yield* scan(db, request, 0, look, found);
  else {
    yield* scan(db, request, candidates.watermark, look, found);
    yield* verify(request, blocks, look, found);
  }
  return found;
}

/** The blocks up to the newest event. Null when a scan is faster. */
export function worthwhile(
  db: Database,
  { endpointKey, upTo }: Pick<SearchRequest, 'endpointKey' | 'upTo'>,
  { blocks }: Candidates,
): Block[] | null {
  if (blocks === null) return null;
  const events = db
    .prepare('SELECT coalesce(sum(count), 0) FROM event_counts WHERE endpoint_key = ?')
    .pluck()
    .get(endpointKey) as number;
  if (events <= SCAN_OUTRIGHT_ROWS) return null;
  const chosen: Block[] = [];
  let held = 0;
  for (const block of blocks) {
    if (block.first > upTo) continue;
    chosen.push(block);
    held += block.last - block.first + 1;
    const isMany = chosen.length > events * CANDIDATE_SHARE;
    if (isMany && held > events * CANDIDATE_EVENTS_SHARE) return null;
  }
  return chosen;
}

/** Sequence numbers of the matches in some blocks, newest first. */
export type Look = (blocks: readonly Block[]) => number[];

export function lookFor(
  db: Database,
  { endpointKey, search, upTo }: Pick<SearchRequest, 'endpointKey' | 'search' | 'upTo'>,
): Look {
  const { rows, q, content } = search;
  const row = condition(rows, true);
  const body = contentCondition(q, content?.sieve ?? []);
  const isOfRow = q === undefined && content?.isOfRow === true;
  const sql = (columns: string) => `
    SELECT ${columns} FROM json_each(@blocks) AS j
    CROSS JOIN events e ON e.endpoint_key = @endpointKey
      AND e.seq BETWEEN j.value ->> 'first' AND min(j.value ->> 'last', @upTo)
    ${isOfRow ? '' : 'CROSS JOIN event_contents c ON c.seq = e.seq'}
    WHERE true${row.sql}${body.sql}`;
  const named = (blocks: readonly Block[]) => ({
    ...body.values,
    ...{ blocks: JSON.stringify(blocks), endpointKey, upTo },
  });
  if (content === null) {
    const statement = db.prepare<unknown[], number>(sql('e.seq')).pluck();
    return (blocks) => newestFirst(statement.all(...row.values, named(blocks)));
  }
  const rules = new RequestRules([content.where]);
  const holdsText = content.folded === null ? () => true : foldedTest(content.folded);
  const statement = db.prepare<unknown[], RuledRow>(sql(isOfRow ? ROW_COLUMNS : RULED_COLUMNS));
  return (blocks) => {
    const seqs: number[] = [];
    // One row at a time: a body may have 25 MiB.
    for (const found of statement.iterate(...row.values, named(blocks))) {
      const request = ruledRequest(found);
      if (holdsText(request.body) && rules.fits(request, content.type)) seqs.push(found.seq);
    }
    return newestFirst(seqs);
  };
}

const newestFirst = (seqs: number[]): number[] => seqs.sort((a, b) => b - a);

/** Looks into these blocks. */
function* verify(
  { upTo }: SearchRequest,
  blocks: readonly Block[],
  look: Look,
  found: Found,
): Generator<void, void> {
  const size = new SliceSize();
  for (const slice of slicesOf(blocks, size, upTo)) {
    found.add(size.timed(() => look(slice)));
    yield;
  }
}

/** Splits the blocks into slices with as many events as `size` says, newest first. */
function* slicesOf(
  blocks: readonly Block[],
  size: SliceSize,
  upTo: number,
): Generator<Block[], void> {
  let slice: Block[] = [];
  let rows = 0;
  for (const { first, last } of blocks) {
    let left = Math.min(last, upTo);
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

/** Looks into every event of the endpoint after `after`. */
function* scan(
  db: Database,
  { endpointKey, upTo }: SearchRequest,
  after: number,
  look: Look,
  found: Found,
): Generator<void, void> {
  const sliceEnd = db
    .prepare<unknown[], number>(`
      SELECT seq FROM events WHERE endpoint_key = ? AND seq > ? AND seq <= ?
      ORDER BY seq DESC LIMIT 1 OFFSET ?`)
    .pluck();
  const size = new SliceSize();
  let last = upTo;
  while (last > after) {
    const end = sliceEnd.get(endpointKey, after, last, size.rows) ?? after;
    found.add(size.timed(() => look([{ first: end + 1, last }])));
    last = end;
    yield;
  }
}
