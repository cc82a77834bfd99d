import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { HookrelayError } from '../../../core/errors.ts';
import { migrationsDir } from '../../../core/resource.ts';
import type { Row, Sql } from './database.ts';
import { codeOf } from './explain.ts';
import { MIGRATION_LOCK } from './locks.ts';

interface Migration {
  number: number;
  file: string;
}

/**
 * Brings a database to the schema of the numbered files, in one transaction, which
 * `sql` is. A lock admits one node at a time: if two start at once, the second finds
 * nothing to do. Returns the schemas before and after.
 *
 * Throws `schema_newer`, and `database_unusable` for another program's tables or if
 * the role lacks the right to create a table or an extension.
 */
export async function migrate(sql: Sql): Promise<{ from: number; to: number }> {
  await sql.rows('SELECT pg_advisory_xact_lock($1, $2)', [...MIGRATION_LOCK]);
  const from = await refuseUnknownSchema(sql);
  let to = from;
  for (const { number, file } of migrations()) {
    if (number <= from) continue;
    try {
      await sql.run(readFileSync(file, 'utf8'));
      await sql.run(
        "INSERT INTO meta (name, value) VALUES ('schema', $1) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        [String(number)],
      );
    } catch (error) {
      throw explainMigration(error);
    }
    to = number;
  }
  return { from, to };
}

/** The schema that this program works with. */
export function newestSchema(): number {
  return migrations().at(-1)?.number ?? 0;
}

/** The schema of a database; 0 for an empty one, null for another program's. */
export async function schemaOf(sql: Sql): Promise<number | null> {
  const [found] = await sql.rows<{ ours: boolean; others: boolean }>(`
    SELECT to_regclass('meta') IS NOT NULL AND to_regclass('event_contents') IS NOT NULL AS ours,
      EXISTS (SELECT 1 FROM pg_class WHERE relkind = 'r'
        AND relnamespace = current_schema()::regnamespace) AS others`);
  if (!found?.ours) return found?.others ? null : 0;
  const [row] = await sql.rows<Row & { value: string }>(
    "SELECT value FROM meta WHERE name = 'schema'",
  );
  return Number(row?.value ?? 0);
}

async function refuseUnknownSchema(sql: Sql): Promise<number> {
  const schema = await schemaOf(sql);
  if (schema === null) {
    throw new HookrelayError(
      'database_unusable',
      'the database has tables of another program; it stays unchanged',
      { hint: 'create a database for hookrelay: createdb hookrelay' },
    );
  }
  if (schema > newestSchema()) {
    throw new HookrelayError(
      'schema_newer',
      `the database has schema ${schema}; this hookrelay knows schemas up to ${newestSchema()}`,
      { hint: 'run the newer hookrelay that wrote it on every node' },
    );
  }
  return schema;
}

function migrations(): Migration[] {
  const directory = join(migrationsDir(), 'postgres');
  return readdirSync(directory)
    .filter((name) => /^\d{4}_.+\.sql$/.test(name))
    .sort()
    .map((name) => ({ number: Number(name.slice(0, 4)), file: join(directory, name) }));
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
