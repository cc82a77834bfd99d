import { HookrelayError } from '../../../core/errors.ts';
import { ask, type PostgresConnection } from './connections.ts';
import { isAway } from './explain.ts';

/**
 * Checks that a pooler in front of the server gives each connection its own session for the
 * connection's whole life. LISTEN, settings and prepared statements need that. The check changes no
 * setting, because the change could reach another client's session.
 *
 * The process id that a pooler announces is invented, which reveals the pooler. If there is one,
 * each connection asks which process serves it. The connections ask one after the other, then again
 * in reverse order. A pooler that lends a session for a single transaction lends the session used
 * last, or the session unused longest. In one of the two orders, one process then serves two
 * connections, or two processes serve one connection.
 *
 * Throws `database_unusable`. Throws `storage_unavailable` if the pooler gives too few sessions.
 *
 * @param sessions the number of sessions that the pooler must give; at least 2
 */
export async function checkPooler(
  connect: () => PostgresConnection,
  sessions: number,
): Promise<void> {
  const connections = [connect()];
  try {
    const [first] = connections as [PostgresConnection];
    await first.connect();
    if ((await backendOf(first)) === first.announcedPid) return;
    const others = Array.from({ length: sessions - 1 }, connect);
    connections.push(...others);
    await Promise.all(others.map((connection) => connection.connect()));
    await checkSessions(connections);
  } catch (error) {
    if (connections.length === 1 || !isAway(error)) throw error;
    throw new HookrelayError(
      'storage_unavailable',
      `the pooler in front of PostgreSQL gives fewer than ${sessions} connections: ${(error as Error).message}`,
      {
        hint: `PgBouncer: default_pool_size and max_client_conn of at least ${sessions} for each node; or a smaller ?pool_size= in --database`,
      },
    );
  } finally {
    for (const connection of connections) connection.destroy();
  }
}

async function checkSessions(connections: readonly PostgresConnection[]): Promise<void> {
  const backends = new Map<number, PostgresConnection>();
  for (const connection of [...connections, ...connections.toReversed()]) {
    const backend = await backendOf(connection);
    const before = backends.get(backend);
    if (before === undefined && backends.size < connections.length) {
      backends.set(backend, connection);
    } else if (before !== connection) {
      throw new HookrelayError(
        'database_unusable',
        'the pooler in front of PostgreSQL gives each transaction another session, but hookrelay needs one session for each connection',
        {
          hint: 'set pool_mode = session for this database in pgbouncer.ini, or point --database (HOOKRELAY_DATABASE) at PostgreSQL itself',
        },
      );
    }
  }
}

async function backendOf(connection: PostgresConnection): Promise<number> {
  const [row] = await ask<{ pid: number }>(connection, 'SELECT pg_backend_pid() AS pid');
  return row?.pid ?? 0;
}
