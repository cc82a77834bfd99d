import type { Database } from 'better-sqlite3';
import type { Scope } from '../../contract/scope.ts';

/** Returns a condition on `endpoints p`. Its only parameter is `scopeValue`. */
export const scopeCondition = (scope: Scope): string =>
  'userId' in scope ? 'p.user_id = ?' : 'p.key IN (SELECT value FROM json_each(?))';
export const scopeValue = (scope: Scope): string =>
  'userId' in scope ? scope.userId : JSON.stringify(scope.endpointKeys);

/** Returns the endpoints of a scope, except deleted ones, whose rows may remain for a while. */
export function endpointsOf(db: Database, scope: Scope): number[] {
  return db
    .prepare<[string], number>(
      `SELECT p.key FROM endpoints p WHERE ${scopeCondition(scope)} AND p.deleted_at IS NULL`,
    )
    .pluck()
    .all(scopeValue(scope));
}
