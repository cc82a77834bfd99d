import type { Database } from 'better-sqlite3';
import type { Matching } from '../../shared/replays/replay-slice.ts';
import type { Search } from '../../shared/search/searches.ts';
import { matchingSeqsAfter } from '../events/event-query.ts';
import { SliceSize } from '../judging/slice-size.ts';
import type { Block } from '../search-index/index-file.ts';
import { type Candidates, lookFor, worthwhile } from './search-downwards.ts';

export interface UpwardSearch {
  endpointKey: number;
  search: Search;
  /** The range is after this sequence number and up to `upTo`. */
  after: number;
  upTo: number;
  /** The number of matches at which the search stops. */
  limit: number;
  /** Called between slices. If it returns true, the search stops before its end. */
  isOver: () => boolean;
}

/** Finds the matching events of an endpoint, oldest first. See `searchDownwards`. */
export function* searchUpwards(
  db: Database,
  request: UpwardSearch,
  candidates: Candidates,
): Generator<void, Matching> {
  const { endpointKey, search, limit, isOver } = request;
  if (search.q === undefined && search.content === null) {
    const seqs = matchingSeqsAfter(db, endpointKey, search.rows, request, limit);
    return { seqs, resumeAfter: (seqs.length === limit && seqs.at(-1)) || null };
  }
  const look = lookFor(db, request);
  const size = new SliceSize();
  const seqs: number[] = [];
  for (const slice of slicesOf(db, request, candidates, size)) {
    const found = size.measure(() => look(slice)).reverse();
    seqs.push(...found.slice(0, limit - seqs.length));
    if (seqs.length === limit) return { seqs, resumeAfter: seqs.at(-1) ?? null };
    if (isOver()) return { seqs, resumeAfter: slice.at(-1)?.last ?? null };
    yield;
  }
  return { seqs, resumeAfter: null };
}

/** Yields the ranges to search, oldest first: candidate blocks, then events that aren't indexed. */
function* slicesOf(
  db: Database,
  request: UpwardSearch,
  candidates: Candidates,
  size: SliceSize,
): Generator<Block[], void> {
  const { endpointKey, after, upTo } = request;
  const blocks = worthwhile(db, request, candidates);
  if (blocks) yield* blockSlices(blocks.reverse(), request, size);
  const sliceEnd = db
    .prepare<unknown[], number>(`
      SELECT seq FROM events WHERE endpoint_key = ? AND seq > ? AND seq <= ?
      ORDER BY seq LIMIT 1 OFFSET ?`)
    .pluck();
  let reached = blocks ? Math.max(after, candidates.watermark) : after;
  while (reached < upTo) {
    const last = sliceEnd.get(endpointKey, reached, upTo, size.rows - 1) ?? upTo;
    yield [{ first: reached + 1, last }];
    reached = last;
  }
}

function* blockSlices(
  blocks: readonly Block[],
  { after, upTo }: UpwardSearch,
  size: SliceSize,
): Generator<Block[], void> {
  let slice: Block[] = [];
  let rows = 0;
  for (const block of blocks) {
    let first = Math.max(block.first, after + 1);
    const end = Math.min(block.last, upTo);
    while (first <= end) {
      const last = Math.min(end, first + (size.rows - rows) - 1);
      slice.push({ first, last });
      rows += last - first + 1;
      first = last + 1;
      if (rows < size.rows) continue;
      yield slice;
      slice = [];
      rows = 0;
    }
  }
  if (slice.length > 0) yield slice;
}
