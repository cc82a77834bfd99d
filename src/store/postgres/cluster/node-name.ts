import type { Sql } from '../connection/database.ts';
import { newestSchema } from '../connection/migrations.ts';

/** Selects the connections of nodes, by their names. */
const NODES = `
  FROM pg_stat_activity
  WHERE datname = current_database() AND application_name LIKE 'hookrelay %'
    AND application_name <> 'hookrelay command'`;

/**
 * Returns the name for a node's connections: the node's name and the newest schema that it knows.
 */
export function connectionName(node: string): string {
  return `hookrelay ${node} ${newestSchema()}`;
}

/** Returns the names of the connected nodes. */
export async function connectedNodes(sql: Sql): Promise<string[]> {
  const rows = await sql.rows<{ node: string }>(
    `SELECT DISTINCT split_part(application_name, ' ', 2) AS node ${NODES} ORDER BY 1`,
  );
  return rows.map(({ node }) => node);
}

/** Returns whether a connected node doesn't know the newest schema. */
export async function isOlderNodeThere(sql: Sql): Promise<boolean> {
  const older = await sql.rows(
    `SELECT 1 ${NODES} AND coalesce(substring(application_name FROM ' (\\d+)$')::integer, 0) < $1
     LIMIT 1`,
    [newestSchema()],
  );
  return older.length > 0;
}
