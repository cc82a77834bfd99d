import type { Database } from 'better-sqlite3';
import type { StoreStats } from '../../contract/store.ts';
import { sizeOf } from '../files/data-files.ts';
import { readOpenIssues } from '../issues/open-issues.ts';

type Queued = Pick<StoreStats, 'pending' | 'due' | 'oldestDueMs'>;

/** Counts the figures for a scrape of the metrics. */
export function readStats(db: Database, indexed: boolean, now: number): StoreStats {
  const queue = db
    .prepare<[number, number, number], Queued>(`
      SELECT coalesce(sum(q.pending), 0) AS pending, coalesce(sum(q.due), 0) AS due,
        max(0, ? - coalesce(min(q.oldest), ?)) AS oldestDueMs
      FROM (
        SELECT destination_key, count(*) AS pending,
          sum(behind = 0 AND next_attempt_at <= ?) AS due,
          min(CASE behind WHEN 0 THEN next_attempt_at END) AS oldest
        FROM open_deliveries INDEXED BY open_deliveries_due GROUP BY destination_key
      ) q
      JOIN destinations d ON d.key = q.destination_key
      JOIN endpoints p ON p.key = d.endpoint_key
      WHERE p.deleted_at IS NULL`)
    .get(now, now, now) as Queued;
  const last = db
    .prepare("SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'event_contents'), 0)")
    .pluck()
    .get() as number;
  const watermark = indexed
    ? (db.prepare('SELECT watermark FROM idx.state').pluck().get() as number)
    : 0;
  return {
    ...queue,
    indexLag: Math.max(0, last - watermark),
    openIssues: readOpenIssues(db),
    databaseBytes: sizeOf(db.name),
    walBytes: sizeOf(`${db.name}-wal`),
  };
}
