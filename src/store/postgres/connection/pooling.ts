import { HookrelayError } from '../../../core/errors.ts';
import { ask, type Connection } from './connections.ts';
import { isAway } from './explain.ts';

/**
 * Looks whether a pooler in between gives each connection one session of the
 * server for its life. LISTEN, settings and prepared statements need that. Sets
 * nothing: it could reach another client's session.
 *
 * A pooler shows itself by a process id of its own making. Behind one, each
 * connection asks which process serves it, one after the other and then in reverse
 * order. A pooler that lends a session for one transaction answers two of them from
 * the same process, or one of them from two: it takes the session used last, or
 * longest ago, and neither order survives its reversal.
 *
 * @param sessions how many connections must each have one; at least 2
 *
 * Throws `database_unusable`, and `storage_unavailable` where there are fewer.
 */
export async function checkPooler(connect: () => Connection, sessions: number): Promise<void> {
  const connections = [connect()];
  try {
    const [first] = connections as [Connection];
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

async function checkSessions(connections: readonly Connection[]): Promise<void> {
  const backends = new Map<number, Connection>();
  for (const connection of [...connections, ...connections.toReversed()]) {
    const backend = await backendOf(connection);
    const before = backends.get(backend);
    if (before === undefined && backends.size < connections.length) {
      backends.set(backend, connection);
    } else if (before !== connection) {
      throw new HookrelayError(
        'database_unusable',
        'a pooler in front of PostgreSQL gives each transaction another session; LISTEN, settings and prepared statements need one that lasts',
        {
          hint: 'set pool_mode = session for this database in pgbouncer.ini, or point --database (HOOKRELAY_DATABASE) at PostgreSQL itself',
        },
      );
    }
  }
}

async function backendOf(connection: Connection): Promise<number> {
  const [row] = await ask<{ pid: number }>(connection, 'SELECT pg_backend_pid() AS pid');
  return row?.pid ?? 0;
}
