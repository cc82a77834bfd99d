import { HookrelayError } from '../../../core/errors.ts';
import { ask, type PostgresConnection } from './connections.ts';
import { isAway } from './explain.ts';

/**
 * Checks whether a pooler in front of the server gives each connection one session for
 * its life. LISTEN, settings and prepared statements need that. The check sets nothing:
 * a setting could reach another client's session.
 *
 * A pooler shows itself by a made-up process id. Behind a pooler, each connection asks
 * which process serves it, one after the other and then in reverse order. A pooler that
 * lends a session for one transaction answers two connections from the same process, or
 * one connection from two: it takes the session used last, or longest ago, and neither
 * order survives the reversal.
 *
 * @param sessions how many connections must each have a session; at least 2
 *
 * Throws `database_unusable`, and `storage_unavailable` if the pooler gives fewer.
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
        'a pooler in front of PostgreSQL gives each transaction another session; LISTEN, settings and prepared statements need a lasting one',
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
