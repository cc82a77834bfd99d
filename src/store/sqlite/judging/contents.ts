import type { Database } from 'better-sqlite3';
import { RULED_COLUMNS, type RuledRow } from './ruled-row.ts';
import { SliceSize } from './slice-size.ts';

/**
 * Calls `look` with the contents of events, in order. Omits events that are gone. Yields between
 * slices.
 *
 * @param isOver called before each slice. If it returns true, no more slices follow
 */
export function* eachContent(
  db: Database,
  seqs: readonly number[],
  look: (row: RuledRow) => void,
  isOver: () => boolean = () => false,
): Generator<void, void> {
  const contents = db.prepare<[string], RuledRow>(`
    SELECT ${RULED_COLUMNS} FROM json_each(?) j
    CROSS JOIN event_contents c ON c.seq = j.value
    CROSS JOIN events e ON e.endpoint_key = c.endpoint_key AND e.seq = c.seq`);
  const size = new SliceSize();
  let at = 0;
  while (at < seqs.length && !isOver()) {
    const slice = seqs.slice(at, at + size.rows);
    at += slice.length;
    size.measure(() => {
      // Reads one row at a time, because a body may have 25 MiB.
      for (const row of contents.iterate(JSON.stringify(slice))) look(row);
    });
    yield;
  }
}
