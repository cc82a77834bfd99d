import { randomBytes } from 'node:crypto';
import { HookrelayError } from '../../../core/errors.ts';
import type { Database } from './database.ts';

/** The longest time that the check waits for a lock, ms. */
const LOCK_TIMEOUT_MS = 1000;
/** The size of the written body, bytes. Its random content can't be compressed. */
const TRIED_BYTES = 16 * 1024;

/** Writes 1 MiB to a temporary file. This needs disk space, but leaves no WAL and no dead rows. */
const TAKE_ROOM = `
  WITH room AS MATERIALIZED (SELECT repeat('x', 8192) AS x FROM generate_series(1, 128))
  SELECT count(x) FROM room`;

/** See `Store.checkWritable`. */
export async function checkWritable(db: Database): Promise<void> {
  await db.transaction(async (sql) => {
    // Take the same locks as captures and attempts, so that the check finds what blocks them.
    await sql.run(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS};
      LOCK TABLE endpoints, destinations IN ACCESS SHARE MODE;
      LOCK TABLE events, event_contents, event_counts, first_events, open_deliveries, deliveries,
        attempts IN ROW EXCLUSIVE MODE`);
    await sql.run(
      `INSERT INTO meta (name, value) VALUES ('write_check', '1')
       ON CONFLICT (name) DO UPDATE SET value = (1 - meta.value::integer)::text`,
    );
  });
  try {
    // The update above needs no new disk space. So test for space here.
    await db.transaction(async (sql) => {
      await sql.run("SET LOCAL work_mem = '64kB'");
      await sql.rows(TAKE_ROOM);
    });
  } catch (error) {
    if (!(error instanceof HookrelayError && error.code === 'storage_full')) throw error;
    await tryCapture(db);
  }
}

/**
 * Writes and deletes an event's content. On a full disk this can succeed if the tables have free
 * space from deleted events.
 */
async function tryCapture(db: Database): Promise<void> {
  const seq = -randomBytes(6).readUIntBE(0, 6) - 1;
  await db.transaction(async (sql) => {
    await sql.run(
      `INSERT INTO event_contents (seq, endpoint_key, query, headers, body)
       VALUES ($1, 0, '', '[]', $2)`,
      [seq, randomBytes(TRIED_BYTES)],
    );
    await sql.run('DELETE FROM event_contents WHERE seq = $1', [seq]);
  });
}
