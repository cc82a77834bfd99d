import { HookrelayError } from '../../../core/errors.ts';
import type { PgRow, Sql } from './database.ts';
import { newestSchema } from './migrations.ts';

/*
 * The table `meta` names two schemas. `schema` is the database's schema. `schema_least` is the
 * oldest schema whose programs work with it (see `BESIDE`). So nodes of the previous version keep
 * working during an upgrade, and older nodes stop.
 */

/** The `Retry-After` of an outdated node, s. Other nodes can answer meanwhile. */
const RETRY_S = 5;

export interface SchemaVersion {
  /** 0 for an empty database. */
  number: number;
  /** The oldest schema whose programs work with this database. */
  least: number;
}

/** Returns the schema of a database, or null if the database belongs to another program. */
export async function schemaOf(sql: Sql): Promise<SchemaVersion | null> {
  const [found] = await sql.rows<{ ours: boolean; others: boolean }>(`
    SELECT to_regclass('meta') IS NOT NULL AND to_regclass('event_contents') IS NOT NULL AS ours,
      EXISTS (SELECT 1 FROM pg_class WHERE relkind = 'r'
        AND relnamespace = current_schema()::regnamespace) AS others`);
  if (found?.ours) return readSchema(sql);
  return found?.others ? null : { number: 0, least: 0 };
}

/** Returns the schema of a database that belongs to hookrelay. */
export async function readSchema(sql: Pick<Sql, 'rows'>): Promise<SchemaVersion> {
  const rows = await sql.rows<PgRow & { name: string; value: string }>(
    "SELECT name, value FROM meta WHERE name IN ('schema', 'schema_least')",
  );
  const value = (name: string) => rows.find((row) => row.name === name)?.value;
  const number = Number(value('schema') ?? 0);
  // Ignore a record about another schema. A program that doesn't know this record has since changed
  // the schema.
  const stated = JSON.parse(value('schema_least') ?? '{}') as Partial<SchemaVersion>;
  return { number, least: stated.number === number ? (stated.least ?? number) : number };
}

/** Records the schema, in the transaction that creates it. */
export async function writeSchema(sql: Sql, schema: SchemaVersion): Promise<void> {
  await sql.run(
    `INSERT INTO meta (name, value) VALUES ('schema', $1), ('schema_least', $2)
     ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
    [String(schema.number), JSON.stringify(schema)],
  );
}

/** Returns an error if this program doesn't work with the schema, otherwise null. */
export function schemaNewer({ number, least }: SchemaVersion): HookrelayError | null {
  const known = newestSchema();
  if (least <= known) return null;
  return new HookrelayError(
    'schema_newer',
    `the database has schema ${number}; this hookrelay knows schemas up to ${known}`,
    { hint: 'run the newer hookrelay that wrote it on every node', retryAfterS: RETRY_S },
  );
}

/**
 * Returns the schema of a database. Throws `database_unusable` if the database belongs to another
 * program. Throws `schema_newer` if this program doesn't work with the schema.
 */
export async function knownSchema(sql: Sql): Promise<SchemaVersion> {
  const schema = await schemaOf(sql);
  if (schema === null) {
    throw new HookrelayError(
      'database_unusable',
      'the database has tables of another program; it stays unchanged',
      { hint: 'create a database for hookrelay: createdb hookrelay' },
    );
  }
  const newer = schemaNewer(schema);
  if (newer) throw newer;
  return schema;
}
