import type { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import pg from 'pg';
import { HookrelayError } from '../../../core/errors.ts';

/** Bytes of `int8` values: sequence numbers and times, all below 2^53. */
const INT8_OID = 20;
/** How long a new connection may take, and each question of its check, ms: a sender waits for it. */
const CONNECT_TIMEOUT_MS = 5000;
/** A wait for a row that somebody else has, ms. */
const LOCK_TIMEOUT_MS = 10_000;
/** A process that was stopped amid a transaction holds its locks no longer than this, ms. */
const IDLE_IN_TRANSACTION_MS = 15_000;

/** Tells this start of the database server from any other start, of any server. Open to every role. */
export const SERVER = 'extract(epoch FROM pg_postmaster_start_time())::text';

export interface DatabaseOptions {
  url: string;
  /** Names this process in `pg_stat_activity`. */
  applicationName: string;
}

/** What the server says of itself on a new connection. */
export interface Session {
  /** The process that serves it. A pooler between makes up another one for the client. */
  backendPid: number;
  /** Which start of which database server: see SERVER. */
  server: string;
}

/**
 * A connection whose loss ends no process. What it was asked is rejected, and its
 * owner drops it. The pool has no `error` listener of its own during `verify` and
 * while the connection is taken, and the event without a listener throws.
 */
export class Connection extends pg.Client {
  constructor(options?: pg.ClientConfig) {
    super(options);
    this.on('error', () => {});
    // The driver leaves the socket open when it can't log in for want of a password.
    const { connection } = this as unknown as { connection: EventEmitter };
    connection.on('error', () => this.destroy());
  }

  /** The process that is said to serve it. Behind a pooler there is none of that number. */
  get announcedPid(): number {
    return (this as unknown as { processID: number }).processID;
  }

  /** Ends it without a word, for a peer that may not answer. */
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

/** `int8` as a number, which holds all that are stored; the rest as the driver has it. */
const getTypeParser = ((oid: number, format?: 'text' | 'binary') =>
  oid === INT8_OID && format !== 'binary'
    ? Number
    : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser;

/**
 * Makes a new connection ready. Its timeouts are set here, not by the start-up
 * packet: PgBouncer refuses those that it doesn't know. A commit is on disk when
 * it returns, whatever the role's or the database's default: set, and read back.
 * `remote_apply` promises more, and is left.
 *
 * @param statementTimeoutMs the longest that one of its statements may take
 */
export async function makeReady(
  client: pg.ClientBase,
  statementTimeoutMs: number,
): Promise<Session> {
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
    { hint: 'set fsync = on in postgresql.conf, and reload' },
  );
}

/** Asks on a connection that isn't in use yet. No answer in time ends it. */
export async function ask<T extends pg.QueryResultRow>(
  client: pg.ClientBase,
  text: string,
): Promise<T[]> {
  const query = { text, query_timeout: CONNECT_TIMEOUT_MS };
  return (await client.query<T>(query)).rows;
}
