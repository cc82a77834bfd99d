import type { Database } from 'better-sqlite3';
import type { EventSummary } from '../../../core/model.ts';
import type { EventContent } from '../../contract/events.ts';
import { contentOf } from '../../shared/events/event-content.ts';
import { type SummaryRow, summaryOf } from '../../shared/events/summary-rows.ts';
import { CONTENT_COLUMNS, type StoredContentRow } from './event-content.ts';
import { readableBody } from './stored-body.ts';
import { SUMMARY_COLUMNS } from './summary-columns.ts';

/** The time between two yields, ms. */
const SLICE_MS = 8;

type NewestRow = SummaryRow & StoredContentRow;

/** See `EventStore.newest`. Omits events whose body is damaged. */
export function* newestEvents(
  db: Database,
  endpointKey: number,
  before: number | null,
  { most, bytes }: { most: number; bytes: number },
): Generator<void, { event: EventSummary; content: EventContent }[]> {
  const next = db.prepare<[number, number], NewestRow>(`
    SELECT ${SUMMARY_COLUMNS}, ${CONTENT_COLUMNS}
    FROM events e CROSS JOIN event_contents c ON c.seq = e.seq
    WHERE e.endpoint_key = ? AND e.seq < ? ORDER BY e.seq DESC LIMIT 1`);
  const found: { event: EventSummary; content: EventContent }[] = [];
  let place = before ?? Number.MAX_SAFE_INTEGER;
  let left = bytes;
  let yieldAt = performance.now() + SLICE_MS;
  while (found.length < most && left > 0) {
    const row = next.get(endpointKey, place);
    if (!row) break;
    place = row.seq;
    const { query, headers, body: stored, uncompressed_size, ...summary } = row;
    const body = readableBody({ body: stored, uncompressed_size });
    if (body) {
      found.push({
        event: summaryOf(summary),
        content: contentOf({ query, headers, body }),
      });
      left -= body.length;
    }
    if (performance.now() < yieldAt) continue;
    yield;
    yieldAt = performance.now() + SLICE_MS;
  }
  return found;
}
