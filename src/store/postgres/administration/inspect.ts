import { HookrelayError } from '../../../core/errors.ts';
import type { ContentFacts, DatabaseFacts, Inspection } from '../../contract/admin-store.ts';
import {
  FLOWING_DESTINATIONS,
  type FlowingDestinationRow,
  refusingOf,
} from '../../shared/destinations/refusing-destinations.ts';
import { connectedNodes } from '../cluster/node-name.ts';
import type { Database } from '../connection/database.ts';
import { newestSchema } from '../connection/migrations.ts';
import { type SchemaVersion, schemaNewer, schemaOf } from '../connection/schema.ts';
import { LISTED_STATUSES } from '../events/event-query.ts';
import { readStats } from '../overview/stats.ts';
import { missingTexts } from '../search-index/event-texts.ts';

/** The largest number of listed faults of one kind. */
const MAX_PROBLEMS = 20;

/** Describes the database and changes nothing. An error becomes the state `unusable`. */
export async function inspect(connect: () => Promise<Database>, now: number): Promise<Inspection> {
  const nothing = { directory: null, files: [], disk: null, holder: null };
  try {
    const db = await connect();
    const [version] = await db.rows<{ version: string }>(
      "SELECT current_setting('server_version') AS version",
    );
    const nodes = await connectedNodes(db);
    return {
      ...nothing,
      engine: `PostgreSQL ${version?.version}`,
      holder: nodes.length > 0 ? { pid: null, url: null } : null,
      nodes,
      database: await inspectDatabase(db, now),
    };
  } catch (error) {
    const hint = error instanceof HookrelayError && error.hint ? `; next: ${error.hint}` : '';
    const reason = `${error instanceof Error ? error.message : String(error)}${hint}`;
    return {
      ...nothing,
      engine: 'PostgreSQL',
      nodes: [],
      database: { state: 'unusable', reason },
    };
  }
}

async function inspectDatabase(db: Database, now: number): Promise<DatabaseFacts> {
  const schema = await schemaOf(db);
  if (schema === null) {
    return { state: 'unusable', reason: 'the database has tables of another program' };
  }
  if (schema.number === 0) return { state: 'missing', lost: false };
  const [size] = await db.rows<{ bytes: number }>(
    'SELECT pg_database_size(current_database()) AS bytes',
  );
  return {
    state: 'readable',
    schema: schema.number,
    newestSchema: newestSchema(),
    bytes: size?.bytes ?? 0,
    walBytes: 0,
    content: isReadable(schema) ? await contentOf(db, now) : null,
  };
}

/** Returns whether this program can read the schema. Some newer schemas allow that. */
const isReadable = (schema: SchemaVersion): boolean =>
  schema.number >= newestSchema() && schemaNewer(schema) === null;

async function contentOf(db: Database, now: number): Promise<ContentFacts> {
  const { pending, due, oldestDueMs, indexLag } = await readStats(db, now);
  const [row] = await db.rows<{ events: number; newest: number | null }>(`
    SELECT (SELECT coalesce(sum(count), 0)::bigint FROM event_counts) AS events,
      (SELECT max((SELECT max(e.received_at) FROM events e WHERE e.endpoint_key = p.key))
        FROM endpoints p) AS newest`);
  return {
    events: row?.events ?? 0,
    newestEventAt: row?.newest ?? null,
    secretCheck: await secretCheckOf(db),
    queue: { pending, due, oldestDueMs },
    refusing: refusingOf(await db.rows<FlowingDestinationRow>(FLOWING_DESTINATIONS)),
    index: {
      state: 'current',
      lag: indexLag,
      lacking: (await missingTexts(db, null))?.events ?? 0,
    },
  };
}

/** Returns the recorded secret check, or null if no node has recorded one yet. */
export async function secretCheckOf(db: Database): Promise<string | null> {
  if ((await schemaOf(db))?.number === 0) return null;
  const [row] = await db.rows<{ value: string }>(
    "SELECT value FROM meta WHERE name = 'secret_check'",
  );
  return row?.value ?? null;
}

/**
 * Lists the faults of the database. Without `full`, it lists only the wrong checksums that
 * PostgreSQL has counted. With `full`, it also checks the counters and the references to contents.
 */
export async function checkIntegrity(db: Database, full: boolean): Promise<string[]> {
  const [checksums] = await db.rows<{ failures: number | null }>(
    'SELECT checksum_failures AS failures FROM pg_stat_database WHERE datname = current_database()',
  );
  const problems: string[] = [];
  if (checksums?.failures) problems.push(`${checksums.failures} pages with a wrong checksum`);
  if (!full) return problems;
  return db.snapshot(async (sql) => {
    const wrong = await sql.rows<{ line: string }>(`
      SELECT format('endpoint %s has %s events of status %s, and counts %s',
        endpoint_key, events, status, counted) AS line
      FROM (SELECT endpoint_key, status, count(*) AS events FROM events GROUP BY 1, 2) e
      FULL JOIN (SELECT endpoint_key, status, sum(count)::bigint AS counted
        FROM event_counts GROUP BY 1, 2) c USING (endpoint_key, status)
      WHERE coalesce(events, 0) <> coalesce(counted, 0) LIMIT ${MAX_PROBLEMS}`);
    problems.push(...wrong.map(({ line }) => line));
    const [unlisted] = await sql.rows<{ rows: number }>(
      `
      SELECT count(*) AS rows
      FROM (SELECT endpoint_key, status, seq FROM events WHERE status = ANY($1)) e
      FULL JOIN failed_events f USING (endpoint_key, status, seq)
      WHERE e.seq IS NULL OR f.seq IS NULL`,
      [LISTED_STATUSES],
    );
    if (unlisted?.rows)
      problems.push(`${unlisted.rows} rows of failed_events are wrong or missing`);
    const miscounted = await sql.rows<{ line: string }>(`
      SELECT format('endpoint %s has %s texts in the search index, and counts %s',
        endpoint_key, coalesce(texts, 0), coalesce(counted, 0)) AS line
      FROM (SELECT endpoint_key, count(*) AS texts FROM event_texts GROUP BY 1) t
      FULL JOIN (SELECT endpoint_key, sum(count)::bigint AS counted
        FROM event_text_counts GROUP BY 1) c USING (endpoint_key)
      WHERE coalesce(texts, 0) <> coalesce(counted, 0) LIMIT ${MAX_PROBLEMS}`);
    problems.push(...miscounted.map(({ line }) => line));
    for (const [child, condition] of [
      ['events', 'c.seq = x.seq'],
      ['open_deliveries', 'c.seq = x.event_seq'],
      ['deliveries', 'c.seq = x.event_seq'],
      ['attempts', 'c.seq = x.event_seq'],
      ['event_texts', 'c.seq = x.seq'],
      ['first_events', 'c.seq = x.event_seq'],
    ]) {
      const [row] = await sql.rows<{ rows: number }>(`
        SELECT count(*) AS rows FROM ${child} x
        WHERE NOT EXISTS (SELECT 1 FROM event_contents c WHERE ${condition})`);
      if (row?.rows)
        problems.push(`${row.rows} rows of ${child} refer to missing rows of event_contents`);
    }
    return problems;
  });
}
