import type { Scope } from '../../contract/scope.ts';
import type { Sql } from '../connection/database.ts';

/** Returns a condition on `endpoints p`. Its parameter is `scopeValue`. */
export const scopeCondition = (scope: Scope, parameter: number): string =>
  'userId' in scope ? `p.user_id = $${parameter}` : `p.key = ANY($${parameter})`;
export const scopeValue = (scope: Scope): string | readonly number[] =>
  'userId' in scope ? scope.userId : scope.endpointKeys;

/**
 * Returns the keys of a scope's endpoints. Leaves out deleted endpoints, whose rows remain for a
 * while.
 */
export async function endpointsOf(sql: Sql, scope: Scope): Promise<number[]> {
  const rows = await sql.rows<{ key: number }>(
    `SELECT p.key FROM endpoints p WHERE ${scopeCondition(scope, 1)} AND p.deleted_at IS NULL`,
    [scopeValue(scope)],
  );
  return rows.map(({ key }) => key);
}
