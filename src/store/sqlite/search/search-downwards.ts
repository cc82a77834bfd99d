import type { Database } from 'better-sqlite3';
import { RequestRules } from '../../shared/judging/request-rules.ts';
import { TooCostlyEvent } from '../../shared/judging/too-costly-event.ts';
import { foldedTest } from '../../shared/search/folded-text.ts';
import type { NewestMatches, Place } from '../../shared/search/newest-matches.ts';
import type { Search } from '../../shared/search/searches.ts';
import { condition, countEvents, matchingSeqs } from '../events/event-query.ts';
import { ROW_COLUMNS, RULED_COLUMNS, type RuledRow, ruledRequest } from '../judging/ruled-row.ts';
import { SliceSize } from '../judging/slice-size.ts';
import { blocksHolding } from '../search-index/gram-set.ts';
import type { Block } from '../search-index/index-file.ts';
import { isCorrupt } from '../search-index/search-index.ts';
import { contentCondition } from './content-condition.ts';

/**
 * A scan is faster if the index returns more than these shares of the endpoint's events. The first
 * limits the candidate blocks, and the second limits the events in them. Both must be exceeded.
 */
const CANDIDATE_SHARE = 0.2;
const CANDIDATE_EVENTS_SHARE = 0.5;
/** The largest endpoint for which a scan costs less than a query of the index, events. */
const SCAN_OUTRIGHT_ROWS = 200;

export interface SearchRequest {
  endpointKey: number;
  search: Search;
  /** The newest sequence number that the search reads. */
  upTo: number;
  /** The number of newest matches to return. Further matches are only counted. */
  keep: number;
}

/** Reports a broken index. Null while the connection has no index. */
export type Index = { onBroken: () => void } | null;

/** The index's answer to a search. */
export interface Candidates {
  /** The sequence number of the last indexed event. */
  watermark: number;
  /** The blocks that may have a match, newest first. Null if only a scan can find the matches. */
  blocks: Block[] | null;
}

const UNKNOWN: Candidates = { watermark: 0, blocks: null };

/** Queries the index. Without a usable index, the search scans all events. */
export function candidatesFor(db: Database, { q, content }: Search, index: Index): Candidates {
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
 * Finds the matching events of an endpoint, newest first. Reads the contents of the index's
 * candidates, because a candidate may not match. Scans events that aren't indexed. Throws
 * `TooCostlyEvent` at the newest event that it can't judge.
 *
 * Runs in the caller's read transaction. It yields between slices, where the caller may change the
 * transaction. It reads no event twice and none newer than `upTo`.
 *
 * @returns a sequence number from which on all matches have been found. Each yield gives such a
 * number too
 */
export function* searchDownwards(
  db: Database,
  request: SearchRequest,
  candidates: Candidates,
  found: NewestMatches,
): Generator<number, number> {
  const { endpointKey, search, upTo, keep } = request;
  if (search.q === undefined && search.content === null) {
    const seqs = matchingSeqs(db, endpointKey, search.rows, upTo, keep);
    const isWhole = seqs.length < keep;
    const total = isWhole ? seqs.length : countEvents(db, endpointKey, search.rows);
    found.add(placesOf(endpointKey, seqs), total);
    return isWhole ? 0 : (seqs.at(-1) ?? 0);
  }
  const look = lookFor(db, request);
  const blocks = worthwhile(db, request, candidates);
  const { watermark } = candidates;
  if (blocks === null) yield* descend(request, scanned(db, endpointKey, 0), look, found);
  else {
    yield* descend(request, scanned(db, endpointKey, watermark), look, found);
    const upToIndexed = Math.min(upTo, watermark);
    yield* descend({ ...request, upTo: upToIndexed }, blocksOf(blocks), look, found);
  }
  return 0;
}

const placesOf = (key: number, seqs: readonly number[]): Place[] =>
  seqs.map((seq) => ({ key, seq }));

/** Returns the candidate blocks up to the newest event to search; null if a scan is faster. */
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

/** Returns the matches in some blocks, newest first. Throws `TooCostlyEvent`. */
export type Match = (blocks: readonly Block[]) => number[];

export function lookFor(
  db: Database,
  { endpointKey, search, upTo }: Pick<SearchRequest, 'endpointKey' | 'search' | 'upTo'>,
): Match {
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
    // Reads one row at a time, because a body may have 25 MiB.
    for (const found of statement.iterate(...row.values, named(blocks))) {
      const request = ruledRequest(found);
      const fits = holdsText(request.body) && rules.fits(request, content.type);
      if (fits === null) throw new TooCostlyEvent(found);
      if (fits) seqs.push(found.seq);
    }
    return newestFirst(seqs);
  };
}

const newestFirst = (seqs: number[]): number[] => seqs.sort((a, b) => b - a);

/** Events whose contents are tested together. */
interface Slice {
  blocks: Block[];
  /** The sequence number of the oldest event in the slice. */
  reached: number;
}

/** Returns the newest `rows` events up to a sequence number; null if there is none. */
type NextSlice = (upTo: number, rows: number) => Slice | null;

function* descend(
  { endpointKey, upTo }: SearchRequest,
  next: NextSlice,
  look: Match,
  found: NewestMatches,
): Generator<number, void> {
  const size = new SliceSize();
  let newest = upTo;
  for (;;) {
    const slice = next(newest, size.rows);
    if (!slice) return;
    try {
      found.add(
        placesOf(
          endpointKey,
          size.measure(() => look(slice.blocks)),
        ),
      );
      newest = slice.reached - 1;
    } catch (error) {
      if (!(error instanceof TooCostlyEvent) || size.rows === 1) throw error;
      // Newer events of the slice may match. So its events are tested one by one.
      size.rows = 1;
    }
    yield newest + 1;
  }
}

/** Returns slices of every event of the endpoint after `after`. */
function scanned(db: Database, endpointKey: number, after: number): NextSlice {
  const sliceEnd = db
    .prepare<unknown[], number>(`
      SELECT seq FROM events WHERE endpoint_key = ? AND seq > ? AND seq <= ?
      ORDER BY seq DESC LIMIT 1 OFFSET ?`)
    .pluck();
  return (upTo, rows) => {
    if (upTo <= after) return null;
    const reached = (sliceEnd.get(endpointKey, after, upTo, rows) ?? after) + 1;
    return { blocks: [{ first: reached, last: upTo }], reached };
  };
}

/** @param blocks the blocks, newest first */
function blocksOf(blocks: readonly Block[]): NextSlice {
  let at = 0;
  return (upTo, rows) => {
    while (at < blocks.length && (blocks[at] as Block).first > upTo) at++;
    const slice: Block[] = [];
    let left = rows;
    for (let i = at; i < blocks.length && left > 0; i++) {
      const block = blocks[i] as Block;
      const last = Math.min(block.last, upTo);
      const first = Math.max(block.first, last - left + 1);
      slice.push({ first, last });
      left -= last - first + 1;
    }
    const oldest = slice.at(-1);
    return oldest ? { blocks: slice, reached: oldest.first } : null;
  };
}
