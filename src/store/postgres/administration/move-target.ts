import { HookrelayError } from '../../../core/errors.ts';
import { SILENT_LOG } from '../../../core/runtime/silent-log.ts';
import type { DataMove, MoveProgress, MoveSummary } from '../../contract/admin-store.ts';
import {
  MOVED_TABLES,
  type MovedKind,
  type MovedRow,
  type MovedTable,
  type MovedValue,
  type MoveSource,
  RowHash,
  valueIn,
} from '../../shared/moved-tables.ts';
import { Database, type Sql } from '../connection/database.ts';
import { migrate } from '../connection/migrate.ts';
import { checkServer } from '../connection/server-facts.ts';
import { noteStatuses } from '../events/failed-events.ts';

/** The largest number of rows that one query of the comparison reads. */
const READ_ROWS = 2000;
/** A page ends when its bodies reach this size, bytes. */
const READ_BYTES = 16 * 1024 * 1024;

interface MoveState {
  /** The generation of the source. Data of two generations must not mix. */
  generation: string;
  /** The index in `MOVED_TABLES`. */
  table: number;
  after: MovedValue[] | null;
  done: boolean;
}

/** Values of the columns that only PostgreSQL has, by table. */
const ADDED: Record<string, Record<string, number>> = {
  event_counts: { slot: 0 },
  replay_counts: { slot: 0 },
  open_deliveries: { lease_until: 0, token: 0 },
};
const TYPES: Record<MovedKind, string> = {
  integer: 'bigint',
  text: 'text',
  boolean: 'integer',
  bytes: 'bytea',
  utf8: 'bytea',
};
const SEQUENCES = {
  event_contents: "'event_seqs'",
  attempts: "'attempt_seqs'",
  endpoints: "pg_get_serial_sequence('endpoints', 'key')",
  destinations: "pg_get_serial_sequence('destinations', 'key')",
  replay_jobs: "pg_get_serial_sequence('replay_jobs', 'key')",
  rejected_requests: "pg_get_serial_sequence('rejected_requests', 'seq')",
  issues: "pg_get_serial_sequence('issues', 'key')",
  channels: "pg_get_serial_sequence('channels', 'key')",
  channel_messages: "pg_get_serial_sequence('channel_messages', 'seq')",
  event_types: "pg_get_serial_sequence('event_types', 'key')",
} as const;

/** Throws `database_unusable` if a move into this database is unfinished. */
export async function refuseUnfinishedMove(db: Database): Promise<void> {
  const state = await stateOf(db);
  if (!state || state.done) return;
  throw new HookrelayError('database_unusable', 'a move into this database is unfinished', {
    hint: 'finish it: hookrelay migrate --from sqlite --to <this database> --data-dir <the source>',
  });
}

/**
 * Moves all data into an empty database, chunk by chunk. Each chunk's transaction also records the
 * progress, so an interrupted move continues after the last chunk. At the end, the move compares
 * every table with the source. Before that succeeds, no node may start on the database.
 */
export class PostgresMoveTarget implements DataMove {
  readonly secretCheck: string | null;
  readonly #source: MoveSource;
  readonly #db: Database;

  constructor(source: MoveSource, url: string) {
    this.#source = source;
    this.secretCheck = source.secretCheck;
    this.#db = new Database({ url, applicationName: 'hookrelay command' });
  }

  async run(onProgress: (progress: MoveProgress) => void = () => {}): Promise<MoveSummary> {
    await checkServer(this.#db);
    await migrate(this.#db, SILENT_LOG);
    const state = await this.#begin();
    const resumed = state.table > 0 || state.after !== null;
    if (!state.done) await this.#copy(state, onProgress);
    const tables = await this.#verify(onProgress);
    if (!state.done) await this.#db.transaction((sql) => writeState(sql, { ...state, done: true }));
    return { tables, resumed, wasDone: state.done };
  }

  async close(): Promise<void> {
    this.#source.close();
    await this.#db.close();
  }

  async #begin(): Promise<MoveState> {
    const { generation, secretCheck } = this.#source;
    const before = await stateOf(this.#db);
    if (before?.generation === generation) return before;
    return this.#db.transaction(async (sql) => {
      const [found] = await sql.rows<{ used: boolean }>(
        `SELECT EXISTS (SELECT 1 FROM users) OR EXISTS (SELECT 1 FROM event_contents)
           OR EXISTS (SELECT 1 FROM meta WHERE name IN ('secret_check', 'move')) AS used`,
      );
      if (found?.used) {
        throw new HookrelayError('database_unusable', 'the target database already has data', {
          hint: 'move into a new database: createdb hookrelay',
        });
      }
      // Keep the generation of the source, so that streams continue from their cursors.
      await sql.run("UPDATE meta SET value = $1 WHERE name = 'generation'", [generation]);
      if (secretCheck !== null) {
        await sql.run("INSERT INTO meta (name, value) VALUES ('secret_check', $1)", [secretCheck]);
      }
      // The migration created cursors. Delete them, because the move copies the source's cursors.
      await sql.run('DELETE FROM cursors');
      const state: MoveState = { generation, table: 0, after: null, done: false };
      await writeState(sql, state);
      return state;
    });
  }

  async #copy(state: MoveState, onProgress: (progress: MoveProgress) => void): Promise<void> {
    for (; state.table < MOVED_TABLES.length; state.table++) {
      const table = MOVED_TABLES[state.table] as MovedTable;
      const total = this.#source.count(table);
      let [{ done = 0 } = {}] = await this.#db.rows<{ done: number }>(
        `SELECT count(*) AS done FROM ${table.name}`,
      );
      for (;;) {
        const chunk = this.#source.chunk(table, state.after);
        await this.#db.transaction(async (sql) => {
          await insert(sql, table, chunk.rows);
          if (table.name === 'events') await listFailed(sql, chunk.rows);
          await writeState(
            sql,
            chunk.next
              ? { ...state, after: chunk.next }
              : { ...state, table: state.table + 1, after: null },
          );
        });
        state.after = chunk.next;
        done += chunk.rows.length;
        onProgress({ phase: 'copying', table: table.name, done, total });
        if (!chunk.next) break;
      }
    }
    for (const [sequence, name] of Object.entries(SEQUENCES)) {
      const last = this.#source.lastNumber(sequence as keyof typeof SEQUENCES);
      if (last > 0) await this.#db.rows(`SELECT setval(${name}, $1)`, [last]);
    }
    // New turns must be larger than those of open deliveries.
    await this.#db.rows(
      `SELECT setval('order_turns', max(turn)) FROM open_deliveries HAVING max(turn) > 0`,
    );
  }

  /** Compares the tables of both databases. Throws `database_unusable` if they differ. */
  async #verify(onProgress: (progress: MoveProgress) => void): Promise<MoveSummary['tables']> {
    const tables = [];
    for (const table of MOVED_TABLES) {
      const here = new RowHash(table);
      let after: MovedValue[] | null = null;
      do {
        const chunk = this.#source.chunk(table, after);
        for (const row of chunk.rows) here.add(row);
        after = chunk.next;
      } while (after);
      const there = new RowHash(table);
      for await (const row of readBack(this.#db, table)) {
        there.add(row);
        if (there.rows % READ_ROWS === 0) {
          onProgress({ phase: 'comparing', table: table.name, done: there.rows, total: here.rows });
        }
      }
      const sha256 = here.digest();
      if (here.rows !== there.rows || sha256 !== there.digest()) {
        throw new HookrelayError(
          'database_unusable',
          `${table.name}: the ${there.rows} rows in PostgreSQL are not the ${here.rows} rows in SQLite`,
          { hint: 'drop the PostgreSQL database, create it again and repeat the move' },
        );
      }
      tables.push({ name: table.name, rows: here.rows, sha256 });
    }
    return tables;
  }
}

async function stateOf(sql: Sql): Promise<MoveState | null> {
  const [row] = await sql.rows<{ value: string }>("SELECT value FROM meta WHERE name = 'move'");
  return row ? (JSON.parse(row.value) as MoveState) : null;
}

async function writeState(sql: Sql, state: MoveState): Promise<void> {
  await sql.run(
    `INSERT INTO meta (name, value) VALUES ('move', $1)
     ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
    [JSON.stringify(state)],
  );
}

/** Inserts rows. Joins the bytes of a column into one value (see `BodyColumn`). */
async function insert(sql: Sql, table: MovedTable, rows: readonly MovedRow[]): Promise<void> {
  if (rows.length === 0) return;
  const values: unknown[] = [];
  const arrays: string[] = [];
  const names: string[] = [];
  const selected: string[] = [];
  const parameter = (value: unknown) => `$${values.push(value)}`;
  for (const [name, kind] of Object.entries(table.columns)) {
    const column = rows.map((row) => valueIn(row, name));
    if (kind === 'bytes' || kind === 'utf8') {
      const pieces = column as (Buffer | null)[];
      let bytes = 0;
      const firsts = pieces.map((piece) => {
        const first = bytes + 1;
        bytes += piece?.length ?? 0;
        return first;
      });
      const all = parameter(Buffer.concat(pieces.filter((piece) => piece !== null)));
      arrays.push(
        `${parameter(firsts)}::integer[]`,
        `${parameter(pieces.map((piece) => piece?.length ?? null))}::integer[]`,
      );
      names.push(`${name}_first`, `${name}_size`);
      selected.push(
        `CASE WHEN ${name}_size IS NOT NULL THEN substring(${all}::bytea FROM ${name}_first FOR ${name}_size) END`,
      );
      continue;
    }
    arrays.push(`${parameter(column)}::${TYPES[kind]}[]`);
    names.push(name);
    selected.push(kind === 'boolean' ? `${name} <> 0` : name);
  }
  const added = Object.entries(ADDED[table.name] ?? {});
  const columns = [...Object.keys(table.columns), ...added.map(([name]) => name)];
  await sql.run(
    `INSERT INTO ${table.name} (${columns.join(', ')})
     SELECT ${[...selected, ...added.map(([, value]) => value)].join(', ')}
     FROM unnest(${arrays.join(', ')}) AS t(${names.join(', ')})`,
    values,
  );
}

/** Fills `failed_events`, which SQLite doesn't have. */
function listFailed(sql: Sql, rows: readonly MovedRow[]): Promise<void> {
  return noteStatuses(
    sql,
    rows.map((row) => ({
      endpointKey: row.endpoint_key as number,
      seq: row.seq as number,
      before: null,
      now: row.status as number,
    })),
  );
}

/** Yields all rows of a table, in the order of their keys. */
async function* readBack(db: Database, table: MovedTable): AsyncGenerator<MovedRow> {
  const { name, key, columns } = table;
  const list = Object.entries(columns)
    .map(([column, kind]) => (kind === 'boolean' ? `${column}::integer AS ${column}` : column))
    .join(', ');
  // Bodies may be large, so a page has a limit of bytes too.
  const hasBodies = name === 'event_contents' || name === 'rejected_requests';
  const weight = hasBodies ? 'length(body)' : '0';
  let after: MovedValue[] = [];
  for (;;) {
    const where =
      after.length > 0
        ? `WHERE (${key.join(', ')}) > (${key.map((_, i) => `$${i + 1}`).join(', ')})`
        : '';
    const rows = await db.rows<MovedRow>(
      `SELECT ${list} FROM (
         SELECT *, sum(${weight}) OVER (ORDER BY ${key.join(', ')}) - ${weight} AS before
         FROM (SELECT * FROM ${name} ${where} ORDER BY ${key.join(', ')} LIMIT ${READ_ROWS}) page) q
       WHERE before < ${READ_BYTES} ORDER BY ${key.join(', ')}`,
      after,
    );
    if (rows.length === 0) return;
    yield* rows;
    const last = rows.at(-1) as MovedRow;
    after = key.map((column) => valueIn(last, column));
  }
}
