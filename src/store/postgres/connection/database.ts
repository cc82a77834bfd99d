import pg from 'pg';
import { HookrelayError } from '../../../core/errors.ts';
import {
  Connection,
  connectionOptions,
  type DatabaseOptions,
  makeReady,
  type Session,
} from './connections.ts';
import { explain, isRepeatable } from './explain.ts';

/** The longest that a write may take, ms; 32 MiB, twice the largest batch, take about one second. */
const WRITE_TIMEOUT_MS = 20_000;
/** A search may look at every body of an endpoint, ms. */
const READ_TIMEOUT_MS = 60_000;
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

/**
 * A node's connections, of three kinds: for durable writes, for leases (whose
 * loss in a crash costs an attempt made twice, and which wait for no fsync),
 * and for reads that may take long.
 */
export class Database implements Sql {
  /** How many it may have at once. */
  readonly size: number;
  readonly #options: DatabaseOptions;
  readonly #writes: pg.Pool;
  readonly #leases: pg.Pool;
  readonly #reads: pg.Pool;
  readonly #sessions = new WeakMap<pg.ClientBase, Session>();
  #underWay = 0;
  #closing = false;
  #idle: (() => void)[] = [];

  constructor(options: DatabaseOptions) {
    this.#options = options;
    const size = poolSize(options.url);
    this.size = size;
    const reads = Math.max(2, Math.floor(size * READ_SHARE));
    this.#reads = this.#pool(reads, READ_TIMEOUT_MS);
    this.#leases = this.#pool(LEASE_CONNECTIONS, WRITE_TIMEOUT_MS);
    this.#writes = this.#pool(size - reads - LEASE_CONNECTIONS, WRITE_TIMEOUT_MS);
  }

  #pool(max: number, statementTimeoutMs: number): pg.Pool {
    const pool = new pg.Pool({
      ...connectionOptions(this.#options),
      Client: Connection,
      max,
      pipeline: true,
      idleTimeoutMillis: 60_000,
      verify: (client, done) => {
        makeReady(client, statementTimeoutMs)
          .then((session) => {
            this.#sessions.set(client, session);
            return this.admit(sqlOn(client), session.server);
          })
          .then(
            () => done(),
            (error) => done(error),
          );
      },
    });
    // Of an idle connection; whoever takes the next one learns how things are.
    pool.on('error', () => {});
    return pool;
  }

  /** Runs before a new connection is used, on it: `server` is the process that it leads to. */
  admit: (sql: Sql, server: string) => Promise<void> = async () => {};

  /** A connection of its own, outside of all pools; not yet connected. */
  client(): Connection {
    return new Connection(connectionOptions(this.#options));
  }

  rows<T extends Row>(text: string, values?: unknown[], name?: string): Promise<T[]> {
    return this.#on(this.#writes, (sql) => sql.rows<T>(text, values, name));
  }

  run(text: string, values?: unknown[], name?: string): Promise<number> {
    return this.#on(this.#writes, (sql) => sql.run(text, values, name));
  }

  /** Statements that follow each other on one connection. */
  one<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    return this.#on(this.#writes, work);
  }

  /**
   * A transaction about leases, which waits for no fsync: durable soon. For this
   * transaction alone: a setting of the session could reach another client through
   * a pooler.
   */
  lease<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    const begin = 'BEGIN; SET LOCAL synchronous_commit = off';
    return this.#on(this.#leases, (sql) => repeating(() => inTransaction(sql, begin, work)));
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
    let cancelled: Error | undefined;
    try {
      const connected = await pool.connect();
      client = connected;
      return await work(sqlOn(connected), () => {
        // The cancellation may come late: it must not hit who has the connection next.
        cancelled = new Error('cancelled');
        this.#cancel(connected);
      });
    } catch (error) {
      throw explain(error);
    } finally {
      client?.release(cancelled);
      this.#underWay--;
      if (this.#underWay === 0) for (const resolve of this.#idle.splice(0)) resolve();
    }
  }

  /** Asks the server to end what a connection runs: by another connection, as it is busy. */
  #cancel(client: pg.PoolClient): void {
    const { backendPid } = this.#sessions.get(client) as Session;
    const canceller = this.client();
    canceller
      .connect()
      .then(() => canceller.query('SELECT pg_cancel_backend($1)', [backendPid]))
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

function sqlOn(client: pg.ClientBase): Sql {
  const query = <T extends Row>(text: string, values: unknown[] = [], name?: string) =>
    client.query<T>(name ? { text, values, name } : { text, values });
  return {
    rows: async <T extends Row>(text: string, values?: unknown[], name?: string) =>
      (await query<T>(text, values, name)).rows,
    run: async (text, values, name) => (await query(text, values, name)).rowCount ?? 0,
  };
}

/** On a connection that stands for nothing else meanwhile. */
export async function inTransaction<T>(
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
