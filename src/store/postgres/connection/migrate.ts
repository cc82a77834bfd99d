import { setTimeout as sleep } from 'node:timers/promises';
import { HookrelayError } from '../../../core/errors.ts';
import type { Logger } from '../../../core/runtime/runtime.ts';
import { newestOf } from '../../shared/migration-files.ts';
import { type Database, inTransaction, type Sql } from './database.ts';
import { codeOf } from './explain.ts';
import { awaitDuty, MIGRATION_LOCK } from './locks.ts';
import { type Migration, migrations } from './migrations.ts';
import { knownSchema, type SchemaVersion, writeSchema } from './schema.ts';

/** The interval between two tries to take the migration lock, and the longest wait for it, ms. */
const TURN_EVERY_MS = 200;
const TURN_WAIT_MS = 10_000;
/**
 * The longest time that one try of a migration waits for a table, ms. Captures queue behind a
 * waiting migration. So the migration gives up, lets the captures pass, and tries again. All tries
 * together last longer than a search of a minute. The time is shorter than PostgreSQL's
 * `deadlock_timeout` of a second, so in a deadlock the migration fails and not the node.
 */
const LOCK_TIMEOUT_MS = 500;
const LOCK_PAUSE_MS = 500;
const LOCK_TRIES = 150;

/**
 * Upgrades a database to the schema of the numbered files. Returns the schemas before and after.
 * Each file is one commit that also records the schema, so an interruption leaves nothing
 * half-done. A lock admits one node at a time.
 *
 * Throws `schema_newer`. Throws `overloaded` while another node migrates, or while a long query
 * locks a table. Throws `database_unusable` if the tables belong to another program, or if the role
 * may not create a table or an extension.
 */
export async function migrate(
  db: Database,
  log: Logger,
  files: readonly Migration[] = migrations(),
): Promise<{ from: number; to: number }> {
  const to = newestOf(files);
  const { number } = await db.one(knownSchema);
  if (number > to) {
    log.warn('the database has a newer schema than this version, which can still use it', {
      schema: number,
      hint: 'run the newer hookrelay on every node',
    });
  }
  if (number >= to) return { from: number, to: number };
  return db.alone(async (sql) => {
    await takeTurn(sql);
    let schema = await knownSchema(sql);
    const from = schema.number;
    const begun = performance.now();
    if (from > 0 && from < to) log.info('the schema is being upgraded', { from, to });
    for (const file of files) {
      if (file.number <= schema.number) continue;
      const next = { number: file.number, least: Math.max(schema.least, file.least) };
      const at = performance.now();
      await apply(sql, file, next, log).catch((error) => {
        throw explainMigration(error);
      });
      const tookMs = Math.round(performance.now() - at);
      if (from > 0) log.info('migrated', { from: schema.number, to: next.number, took_ms: tookMs });
      schema = next;
    }
    const tookMs = Math.round(performance.now() - begun);
    if (from < to) log.info('the schema is up to date', { from, to, took_ms: tookMs });
    return { from, to: schema.number };
  });
}

/**
 * Polls for the migration lock and keeps it until the connection ends. A waiting query would keep a
 * snapshot, and the other node's CREATE INDEX CONCURRENTLY would wait for that snapshot.
 */
async function takeTurn(sql: Sql): Promise<void> {
  const until = performance.now() + TURN_WAIT_MS;
  for (;;) {
    const [row] = await sql.rows<{ taken: boolean }>(
      'SELECT pg_try_advisory_lock($1, $2) AS taken',
      [...MIGRATION_LOCK],
    );
    if (row?.taken) return;
    if (performance.now() > until) {
      throw new HookrelayError('overloaded', 'another node is upgrading the schema', {
        hint: 'wait until it finishes; its log shows the progress',
        retryAfterS: 1,
      });
    }
    await sleep(TURN_EVERY_MS);
  }
}

async function apply(sql: Sql, file: Migration, next: SchemaVersion, log: Logger): Promise<void> {
  if (typeof file.sql !== 'string') return applyBeside(sql, file.sql, next);
  const text = file.sql;
  for (let tries = 1; ; tries++) {
    try {
      return await inTransaction(sql, 'BEGIN', async (own) => {
        await own.run(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
        // Stop the indexer before the migration locks tables. Otherwise the indexer would record
        // events as indexed although the migration removes their texts.
        await awaitDuty(own, 'indexing');
        await own.run(text);
        await writeSchema(own, next);
      });
    } catch (error) {
      if (!/^(55P03|40P01)$/.test(codeOf(error)) || tries === LOCK_TRIES) throw error;
      if (tries === 1) {
        log.info('a migration waits for a table; captures go on', { to: next.number });
      }
    }
    await sleep(LOCK_PAUSE_MS);
  }
}

/**
 * Runs statements while nodes write. After an interruption, the next run drops and rebuilds the
 * index.
 */
async function applyBeside(
  sql: Sql,
  statements: readonly string[],
  next: SchemaVersion,
): Promise<void> {
  // These statements may wait long for earlier transactions, but no transaction waits for them.
  await sql.run('SET lock_timeout = 0');
  for (const statement of statements) {
    const [, name] = /CREATE (?:UNIQUE )?INDEX CONCURRENTLY (\w+)/.exec(statement) ?? [];
    if (name) await sql.run(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
    await sql.run(statement);
  }
  await writeSchema(sql, next);
}

function explainMigration(error: unknown): unknown {
  const code = codeOf(error);
  const message = error instanceof Error ? error.message : String(error);
  if (/pg_trgm/.test(message) && /^(42501|0A000|58P01)$/.test(code)) {
    return new HookrelayError(
      'database_unusable',
      `the extension pg_trgm is missing and could not be created: ${message}`,
      {
        hint:
          code === '42501'
            ? 'as a superuser, in this database: CREATE EXTENSION pg_trgm;'
            : 'install the contrib modules on the database server (Debian: postgresql-contrib)',
        cause: error,
      },
    );
  }
  if (code === '42501') {
    return new HookrelayError(
      'database_unusable',
      `the role may not create tables in this database: ${message}`,
      {
        hint: 'as the database owner: GRANT CREATE, USAGE ON SCHEMA public TO <role>;',
        cause: error,
      },
    );
  }
  return error;
}
