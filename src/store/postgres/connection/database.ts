import pg from 'pg';
import { HookrelayError } from '../../../core/errors.ts';
import {
  type BackendSession,
  connectionOptions,
  type DatabaseOptions,
  makeReady,
  PostgresConnection,
} from './connections.ts';
import { explain, isRepeatable } from './explain.ts';

/**
 * The time limit of a write, ms. A write of 32 MiB, twice the largest batch, takes about a second.
 */
const WRITE_TIMEOUT_MS = 20_000;
/** The time limit of a read, ms. A search may read every body of an endpoint. */
const READ_TIMEOUT_MS = 60_000;
/** The number of connections of a node whose URL has no `pool_size`. */
const POOL_SIZE = 16;
const SMALLEST_POOL = 6;
/**
 * The share of the connections for lists, counts and searches, so that these can't block captures.
 */
const READ_SHARE = 0.25;
/** The share of the connections for leases. */
const LEASE_SHARE = 0.25;
const FEWEST_LEASES = 2;
/**
 * The setting is local to the transaction, because a pooler could pass a session's setting on to
 * another client.
 */
const BEGIN_LEASE = 'BEGIN; SET LOCAL synchronous_commit = off';
/** A transaction that other transactions' locks abort runs at most this many times. */
const MAX_TRIES = 5;

export type PgRow = pg.QueryResultRow;

export interface Sql {
  /** Returns the rows. With a `name`, the connection keeps the prepared statement for reuse. */
  rows<T extends PgRow>(text: string, values?: unknown[], name?: string): Promise<T[]>;
  /** Returns the number of changed rows. */
  run(text: string, values?: unknown[], name?: string): Promise<number>;
}

/**
 * Sends the last statement of a transaction together with COMMIT, in one round trip. If the
 * statement fails, the transaction rejects with that error.
 */
export type SendLast = (text: string, values?: unknown[], name?: string) => void;

/**
 * A node's connections, in three pools: durable writes, leases, and long reads. Leases don't wait
 * for an fsync, because a lost lease only causes one repeated attempt.
 */
export class Database implements Sql {
  /** The largest number of connections of all pools together. */
  readonly size: number;
  readonly #options: DatabaseOptions;
  readonly #writes: pg.Pool;
  readonly #leases: pg.Pool;
  readonly #reads: pg.Pool;
  readonly #sessions = new WeakMap<pg.ClientBase, BackendSession>();
  #underWay = 0;
  #closing = false;
  #idle: (() => void)[] = [];

  constructor(options: DatabaseOptions) {
    this.#options = options;
    const size = poolSize(options.url);
    this.size = size;
    const reads = Math.max(2, Math.floor(size * READ_SHARE));
    this.#reads = this.#pool(reads, READ_TIMEOUT_MS);
    const leases = Math.max(FEWEST_LEASES, Math.floor(size * LEASE_SHARE));
    this.#leases = this.#pool(leases, WRITE_TIMEOUT_MS);
    this.#writes = this.#pool(size - reads - leases, WRITE_TIMEOUT_MS);
  }

  #pool(max: number, statementTimeoutMs: number): pg.Pool {
    const pool = new pg.Pool({
      ...connectionOptions(this.#options),
      Client: PostgresConnection,
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
    // An idle connection failed. The next use of the pool reports the error.
    pool.on('error', () => {});
    return pool;
  }

  /** Returns a more precise error for a failed statement, or null. */
  explain: (error: unknown) => Promise<HookrelayError | null> = async () => null;
  /** Runs on each new connection before its first use. See `SERVER` for `server`. */
  admit: (sql: Sql, server: string) => Promise<void> = async () => {};

  /** Returns a new, unconnected connection that belongs to no pool. */
  client(): PostgresConnection {
    return new PostgresConnection(connectionOptions(this.#options));
  }

  rows<T extends PgRow>(text: string, values?: unknown[], name?: string): Promise<T[]> {
    return this.#on(this.#writes, (sql) => sql.rows<T>(text, values, name));
  }

  run(text: string, values?: unknown[], name?: string): Promise<number> {
    return this.#on(this.#writes, (sql) => sql.run(text, values, name));
  }

  /** Runs the statements of `work` on one connection, one after the other. */
  one<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    return this.#on(this.#writes, work);
  }

  /**
   * Runs `work` on a new connection, without a time limit. The connection then ends, which releases
   * its locks.
   */
  async alone<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    const pool = this.#pool(1, 0);
    try {
      return await this.#on(pool, work);
    } finally {
      await pool.end();
    }
  }

  /** Runs a transaction about leases. Resolves before the fsync. */
  lease<T>(work: (sql: Sql, sendLast: SendLast) => Promise<T>): Promise<T> {
    return this.#on(this.#leases, (sql) => repeating(() => inTransaction(sql, BEGIN_LEASE, work)));
  }

  /** Runs a single statement about leases, in one round trip. Resolves before the fsync. */
  leaseRows<T extends PgRow>(text: string, values: unknown[], name: string): Promise<T[]> {
    return this.#on(this.#leases, (sql) =>
      repeating(async () => {
        const begun = sql.run(BEGIN_LEASE);
        const rows = sql.rows<T>(text, values, name);
        await allSettled([begun, rows, sql.run('COMMIT')]);
        return rows;
      }),
    );
  }

  /** Runs short reads on one connection. Each read has its own snapshot. */
  glance<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    return this.#on(this.#leases, work);
  }

  /**
   * Runs `work` in a transaction. When the promise resolves, the commit is durable. If the locks of
   * another transaction abort it, `work` runs again. So `work` must have no other effects.
   */
  transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    return this.#on(this.#writes, (sql) => repeating(() => inTransaction(sql, 'BEGIN', work)));
  }

  /**
   * Runs reads on one snapshot. If the signal is aborted, cancels the query in the database and
   * rejects with the signal's reason.
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
        // The connection is closed afterwards instead of reused, because a late cancellation could
        // hit the query of the connection's next user.
        cancelled = new Error('cancelled');
        this.#cancel(connected);
      });
    } catch (error) {
      throw (await this.explain(error)) ?? explain(error);
    } finally {
      client?.release(cancelled);
      this.#underWay--;
      if (this.#underWay === 0) for (const resolve of this.#idle.splice(0)) resolve();
    }
  }

  /** Cancels a connection's query. This needs a second connection, because the first is busy. */
  #cancel(client: pg.PoolClient): void {
    const { backendPid } = this.#sessions.get(client) as BackendSession;
    const canceller = this.client();
    canceller
      .connect()
      .then(() => canceller.query('SELECT pg_cancel_backend($1)', [backendPid]))
      .finally(() => canceller.end())
      .catch(() => {});
  }

  /** Waits until all running operations have ended, then closes every connection. */
  async close(): Promise<void> {
    this.#closing = true;
    if (this.#underWay > 0) await new Promise<void>((resolve) => this.#idle.push(resolve));
    await Promise.all([this.#writes.end(), this.#leases.end(), this.#reads.end()]);
  }
}

/**
 * Returns the largest number of connections, from `pool_size` in the URL. Throws `config_invalid`.
 */
function poolSize(url: string): number {
  const given = /[?&]pool_size=([^&]*)/.exec(url)?.[1];
  if (given === undefined) return POOL_SIZE;
  const size = Number(given);
  if (Number.isInteger(size) && size >= SMALLEST_POOL && size <= 1000) return size;
  throw new HookrelayError(
    'config_invalid',
    `pool_size in --database (HOOKRELAY_DATABASE) is not a number from ${SMALLEST_POOL} to 1000`,
    { hint: 'leave it out to get 16 connections' },
  );
}

function sqlOn(client: pg.ClientBase): Sql {
  const query = <T extends PgRow>(text: string, values: unknown[] = [], name?: string) =>
    client.query<T>(name ? { text, values, name } : { text, values });
  return {
    rows: async <T extends PgRow>(text: string, values?: unknown[], name?: string) =>
      (await query<T>(text, values, name)).rows,
    run: async (text, values, name) => (await query(text, values, name)).rowCount ?? 0,
  };
}

/** Runs `work` in a transaction, on a connection that does nothing else. */
export async function inTransaction<T>(
  sql: Sql,
  begin: string,
  work: (sql: Sql, sendLast: SendLast) => Promise<T>,
): Promise<T> {
  // Don't await BEGIN. The first statement follows it in the same packet.
  const begun = sql.run(begin);
  begun.catch(() => {});
  const sent: Promise<unknown>[] = [];
  const sendLast: SendLast = (text, values, name) => {
    const last = sql.run(text, values, name);
    last.catch(() => {});
    sent.push(last);
  };
  let result: T;
  try {
    result = await work(sql, sendLast);
    await begun;
  } catch (error) {
    await sql.run('ROLLBACK').catch(() => {});
    throw error;
  }
  // If a statement failed, the server treats COMMIT as ROLLBACK.
  await allSettled([...sent, sql.run('COMMIT')]);
  return result;
}

/**
 * Waits until all promises have settled, so that the connection is free. Then rejects if one did.
 */
async function allSettled(sent: readonly Promise<unknown>[]): Promise<void> {
  await Promise.allSettled(sent);
  await Promise.all(sent);
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

/**
 * Returns a promise that rejects when the signal is aborted. When `guarded` settles, stops
 * listening.
 */
function aborted(signal: AbortSignal, guarded: Promise<unknown>): Promise<never> {
  return new Promise((_, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    guarded.finally(() => signal.removeEventListener('abort', onAbort)).catch(() => {});
  });
}
