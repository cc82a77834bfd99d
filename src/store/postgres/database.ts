import pg from 'pg';
import { HookrelayError } from '../../core/errors.ts';
import { explain, isRepeatable } from './explain.ts';

/** Bytes of `int8` values: sequence numbers and times, all below 2^53. */
const INT8_OID = 20;
/** How long a new connection may take, ms: the sender of a webhook waits for it. */
const CONNECT_TIMEOUT_MS = 5000;
/** The longest that a write may take, ms; 32 MiB, twice the largest batch, take about one second. */
const WRITE_TIMEOUT_MS = 20_000;
/** A search may look at every body of an endpoint, ms. */
const READ_TIMEOUT_MS = 60_000;
/** A wait for a row that somebody else has, ms. */
const LOCK_TIMEOUT_MS = 10_000;
/** A process that was stopped amid a transaction holds its locks no longer than this, ms. */
const IDLE_IN_TRANSACTION_MS = 15_000;
/** Connections of a node, unless its URL says `pool_size`. */
const POOL_SIZE = 16;
const SMALLEST_POOL = 6;
/** Lists, counts and searches at once; more wait, so that captures never do. */
const READ_SHARE = 0.25;
const LEASE_CONNECTIONS = 2;
/** Transactions that another one's locks ended are run again, so many times. */
const MAX_TRIES = 5;

export type Row = pg.QueryResultRow;

/** Runs statements; all on one connection where it stands for a transaction. */
export interface Sql {
  /** `name` keeps the statement prepared on its connection: for the hot ones. */
  rows<T extends Row>(text: string, values?: unknown[], name?: string): Promise<T[]>;
  /** How many rows were changed. */
  run(text: string, values?: unknown[], name?: string): Promise<number>;
}

export interface DatabaseOptions {
  url: string;
  /** Names this process in `pg_stat_activity`. */
  applicationName: string;
}

/**
 * A node's connections, of three kinds: for durable writes, for leases (whose
 * loss in a crash costs an attempt made twice, and which wait for no fsync),
 * and for reads that may take long.
 */
export class Database implements Sql {
  readonly #options: DatabaseOptions;
  readonly #writes: pg.Pool;
  readonly #leases: pg.Pool;
  readonly #reads: pg.Pool;
  #underWay = 0;
  #closing = false;
  #idle: (() => void)[] = [];

  constructor(options: DatabaseOptions) {
    this.#options = options;
    const size = poolSize(options.url);
    const reads = Math.max(2, Math.floor(size * READ_SHARE));
    this.#reads = this.#pool({ max: reads, timeoutMs: READ_TIMEOUT_MS, durable: true });
    this.#leases = this.#pool({
      max: LEASE_CONNECTIONS,
      timeoutMs: WRITE_TIMEOUT_MS,
      durable: false,
    });
    this.#writes = this.#pool({
      max: size - reads - LEASE_CONNECTIONS,
      timeoutMs: WRITE_TIMEOUT_MS,
      durable: true,
    });
  }

  #pool({ max, timeoutMs, durable }: { max: number; timeoutMs: number; durable: boolean }) {
    const pool = new pg.Pool({
      ...connectionOptions(this.#options),
      max,
      pipeline: true,
      idleTimeoutMillis: 60_000,
      statement_timeout: timeoutMs,
      lock_timeout: LOCK_TIMEOUT_MS,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
      verify(client, done) {
        prepare(client, durable).then(
          () => done(),
          (error) => done(error),
        );
      },
    });
    // Of an idle connection; whoever takes the next one learns how things are.
    pool.on('error', () => {});
    return pool;
  }

  /** A connection of its own, outside of all pools; not yet connected. */
  client(): pg.Client {
    return new pg.Client({ ...connectionOptions(this.#options), keepAlive: true });
  }

  rows<T extends Row>(text: string, values?: unknown[], name?: string): Promise<T[]> {
    return this.#on(this.#writes, (sql) => sql.rows<T>(text, values, name));
  }

  run(text: string, values?: unknown[], name?: string): Promise<number> {
    return this.#on(this.#writes, (sql) => sql.run(text, values, name));
  }

  /** Statements about leases: atomic each, durable soon. */
  lease<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    return this.#on(this.#leases, (sql) => repeating(() => work(sql)));
  }

  /**
   * Runs `work` in a transaction, durable when this resolves. It is run again
   * when the locks of another one ended it, so it must do nothing else.
   */
  transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    return this.#on(this.#writes, (sql) => repeating(() => inTransaction(sql, 'BEGIN', work)));
  }

  /**
   * Reads of one moment. Rejects with the signal's reason when it is aborted,
   * and what runs for it in the database is ended.
   */
  async snapshot<T>(work: (sql: Sql) => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    const reading = this.#on(this.#reads, (sql, cancel) => {
      signal?.throwIfAborted();
      signal?.addEventListener('abort', cancel, { once: true });
      return inTransaction(sql, 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', work).finally(
        () => signal?.removeEventListener('abort', cancel),
      );
    });
    if (!signal) return reading;
    return Promise.race([reading, aborted(signal, reading)]);
  }

  async #on<T>(pool: pg.Pool, work: (sql: Sql, cancel: () => void) => Promise<T>): Promise<T> {
    if (this.#closing) {
      throw new HookrelayError('storage_unavailable', 'the store is closing', { retryAfterS: 1 });
    }
    this.#underWay++;
    let client: pg.PoolClient | undefined;
    let broken: Error | undefined;
    try {
      const connected = await pool.connect();
      client = connected;
      // A connection that breaks while it is ours rejects what we asked of it.
      connected.on('error', noteBroken);
      return await work(sqlOn(connected), () => {
        // The cancellation may come late: it must not hit who has the connection next.
        broken = new Error('cancelled');
        this.#cancel(connected);
      });
    } catch (error) {
      throw explain(error);
    } finally {
      client?.off('error', noteBroken);
      client?.release(broken);
      this.#underWay--;
      if (this.#underWay === 0) for (const resolve of this.#idle.splice(0)) resolve();
    }
    function noteBroken(error: Error): void {
      broken = error;
    }
  }

  /** Asks the server to end what a connection runs: by another connection, as it is busy. */
  #cancel(client: pg.PoolClient): void {
    const { processID } = client as unknown as { processID: number };
    const canceller = this.client();
    canceller.on('error', () => {});
    canceller
      .connect()
      .then(() => canceller.query('SELECT pg_cancel_backend($1)', [processID]))
      .finally(() => canceller.end())
      .catch(() => {});
  }

  /** Finishes what is under way, then closes every connection. */
  async close(): Promise<void> {
    this.#closing = true;
    if (this.#underWay > 0) await new Promise<void>((resolve) => this.#idle.push(resolve));
    await Promise.all([this.#writes.end(), this.#leases.end(), this.#reads.end()]);
  }
}

function connectionOptions({ url, applicationName }: DatabaseOptions): pg.ClientConfig {
  return {
    connectionString: url,
    application_name: applicationName,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    types: { getTypeParser },
  };
}

/** `int8` as a number, which holds all that are stored; the rest as the driver has it. */
const getTypeParser = ((oid: number, format?: 'text' | 'binary') =>
  oid === INT8_OID && format !== 'binary'
    ? Number
    : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser;

/** `pool_size` of the URL: how many connections this node may have. */
function poolSize(url: string): number {
  const given = /[?&]pool_size=([^&]*)/.exec(url)?.[1];
  if (given === undefined) return POOL_SIZE;
  const size = Number(given);
  if (Number.isInteger(size) && size >= SMALLEST_POOL && size <= 1000) return size;
  throw new HookrelayError(
    'config_invalid',
    `pool_size in --database (HOOKRELAY_DATABASE) is no number from ${SMALLEST_POOL} to 1000`,
    { hint: 'leave it out for 16 connections' },
  );
}

/**
 * A commit is on disk when it returns, whatever the role's or the database's
 * default: set, and read back. `remote_apply` promises more, and is left.
 */
async function prepare(client: pg.ClientBase, durable: boolean): Promise<void> {
  if (!durable) {
    await client.query('SET synchronous_commit = off');
    return;
  }
  const [, read] = await Promise.all([
    client.query(
      "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') NOT IN ('on', 'remote_apply')",
    ),
    client.query<{ durability: string; fsync: string }>(
      "SELECT current_setting('synchronous_commit') AS durability, current_setting('fsync') AS fsync",
    ),
  ]);
  const { durability, fsync } = read.rows[0] ?? {};
  if ((durability === 'on' || durability === 'remote_apply') && fsync === 'on') return;
  throw new HookrelayError(
    'database_unusable',
    `PostgreSQL loses commits: synchronous_commit=${durability}, fsync=${fsync}`,
    { hint: 'set fsync = on in postgresql.conf, and reload' },
  );
}

function sqlOn(client: pg.ClientBase): Sql {
  const query = <T extends Row>(text: string, values: unknown[] = [], name?: string) =>
    client.query<T>(name ? { text, values, name } : { text, values });
  return {
    rows: async <T extends Row>(text: string, values?: unknown[], name?: string) =>
      (await query<T>(text, values, name)).rows,
    run: async (text, values, name) => (await query(text, values, name)).rowCount ?? 0,
  };
}

async function inTransaction<T>(
  sql: Sql,
  begin: string,
  work: (sql: Sql) => Promise<T>,
): Promise<T> {
  // Not waited for: the first statement follows it in the same packet.
  const begun = sql.run(begin);
  begun.catch(() => {});
  let result: T;
  try {
    result = await work(sql);
    await begun;
  } catch (error) {
    await sql.run('ROLLBACK').catch(() => {});
    throw error;
  }
  await sql.run('COMMIT');
  return result;
}

async function repeating<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (tries === MAX_TRIES || !isRepeatable(error)) throw error;
    }
  }
}

/** Rejects when the signal is aborted; settles with what it guards, so that nothing is left over. */
function aborted(signal: AbortSignal, guarded: Promise<unknown>): Promise<never> {
  return new Promise((_, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    guarded.finally(() => signal.removeEventListener('abort', onAbort)).catch(() => {});
  });
}
