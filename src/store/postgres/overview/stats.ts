import type { StoreStats } from '../../contract/store.ts';
import type { Sql } from '../connection/database.ts';

/** Counts the figures for the metrics. Runs once per scrape. */
export async function readStats(sql: Sql, now: number): Promise<Omit<StoreStats, 'openIssues'>> {
  const [row] = await sql.rows<StoreStats>(
    `SELECT count(v.*) AS pending,
       count(*) FILTER (WHERE NOT v.behind AND v.next_attempt_at <= $1) AS due,
       greatest(0, $1 - coalesce(min(v.next_attempt_at) FILTER (WHERE NOT v.behind), $1))
         AS "oldestDueMs",
       greatest(0, (SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM event_seqs)
         - (SELECT value::bigint FROM meta WHERE name = 'search_watermark')) AS "indexLag",
       pg_database_size(current_database()) AS "databaseBytes",
       0 AS "walBytes"
     FROM open_deliveries v
     JOIN destinations d ON d.key = v.destination_key
     JOIN endpoints p ON p.key = d.endpoint_key AND p.deleted_at IS NULL`,
    [now],
  );
  return row as Omit<StoreStats, 'openIssues'>;
}
