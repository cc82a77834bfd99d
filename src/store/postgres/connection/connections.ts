import type { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import pg from 'pg';
import { HookrelayError } from '../../../core/errors.ts';

/** The type of sequence numbers and times. All are below 2^53. */
const INT8_OID = 20;
/**
 * The time limit for connecting and for each query of `ask`, ms. It is short, because a sender may
 * wait.
 */
const CONNECT_TIMEOUT_MS = 5000;
/** The longest time that a statement waits for a lock, ms. */
const LOCK_TIMEOUT_MS = 10_000;
/** The longest time that a silent transaction keeps its locks, ms. */
const IDLE_IN_TRANSACTION_MS = 15_000;

/** SQL that identifies one start of one database server. Every role may run it. */
export const SERVER = 'extract(epoch FROM pg_postmaster_start_time())::text';

export interface DatabaseOptions {
  url: string;
  /** Name of this process in `pg_stat_activity`. */
  applicationName: string;
}

/** Facts about a connection. */
export interface BackendSession {
  /** The process id of the server process that serves the connection. See `announcedPid`. */
  backendPid: number;
  /** Identifies the start of the database server (see `SERVER`). */
  server: string;
}

/**
 * A connection whose loss doesn't end this process. It has its own `error` listener, because an
 * `error` event without a listener throws. The pool has no listener during `verify` and while the
 * connection is in use.
 */
export class PostgresConnection extends pg.Client {
  constructor(options?: pg.ClientConfig) {
    super(options);
    this.on('error', () => {});
    // The driver leaves the socket open when it lacks a password.
    const { connection } = this as unknown as { connection: EventEmitter };
    connection.on('error', () => this.destroy());
  }

  /** The process id that the server announced. A pooler invents this id. */
  get announcedPid(): number {
    return (this as unknown as { processID: number }).processID;
  }

  /** Closes the connection without a message, because the peer may not answer. */
  destroy(): void {
    const { connection } = this as unknown as { connection: { stream: Socket } };
    connection.stream.destroy();
  }
}

export function connectionOptions({ url, applicationName }: DatabaseOptions): pg.ClientConfig {
  return {
    connectionString: url,
    application_name: applicationName,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    types: { getTypeParser },
  };
}

/** Parses `int8` as a number. All stored values are small enough for that. */
const getTypeParser = ((oid: number, format?: 'text' | 'binary') =>
  oid === INT8_OID && format !== 'binary'
    ? Number
    : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser;

/**
 * Prepares a new connection. It sets timeouts by a statement, because PgBouncer refuses unknown
 * start-up parameters. It makes commits durable even if the role or the database has another
 * default. It keeps `remote_apply`, which is stricter than `on`. Throws `database_unusable` if
 * commits can be lost.
 */
export async function makeReady(
  client: pg.ClientBase,
  statementTimeoutMs: number,
): Promise<BackendSession> {
  const [, read] = await Promise.all([
    ask(
      client,
      `SELECT set_config('statement_timeout', '${statementTimeoutMs}', false),
      set_config('lock_timeout', '${LOCK_TIMEOUT_MS}', false),
      set_config('idle_in_transaction_session_timeout', '${IDLE_IN_TRANSACTION_MS}', false),
      CASE WHEN current_setting('synchronous_commit') NOT IN ('on', 'remote_apply')
        THEN set_config('synchronous_commit', 'on', false) END`,
    ),
    ask<{ durability: string; fsync: string; pid: number; server: string }>(
      client,
      `SELECT current_setting('synchronous_commit') AS durability,
        current_setting('fsync') AS fsync, pg_backend_pid() AS pid,
        ${SERVER} AS server`,
    ),
  ]);
  const { durability, fsync, pid = 0, server = '' } = read[0] ?? {};
  if ((durability === 'on' || durability === 'remote_apply') && fsync === 'on') {
    return { backendPid: pid, server };
  }
  throw new HookrelayError(
    'database_unusable',
    `PostgreSQL loses commits: synchronous_commit=${durability}, fsync=${fsync}`,
    { hint: 'set fsync = on in postgresql.conf and reload the configuration' },
  );
}

/** Runs a query on a connection that isn't in use yet. Rejects after `CONNECT_TIMEOUT_MS`. */
export async function ask<T extends pg.QueryResultRow>(
  client: pg.ClientBase,
  text: string,
): Promise<T[]> {
  const query = { text, query_timeout: CONNECT_TIMEOUT_MS };
  return (await client.query<T>(query)).rows;
}
