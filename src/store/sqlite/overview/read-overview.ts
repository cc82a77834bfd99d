import type { Database } from 'better-sqlite3';
import type { Overview, OverviewWindow } from '../../contract/events.ts';
import type { Scope } from '../../contract/scope.ts';
import { scopeCondition, scopeValue } from '../endpoints/scope.ts';
import { overviewAttempts } from './overview-attempts.ts';
import { overviewDestinations } from './overview-destinations.ts';
import { overviewEvents } from './overview-events.ts';

/** See `EventStore.overview`. */
export function* readOverview(
  db: Database,
  scope: Scope,
  window: OverviewWindow,
): Generator<void, Overview> {
  const endpoints = db
    .prepare<[string], { key: number; id: string }>(
      `SELECT p.key, p.id FROM endpoints p
       WHERE ${scopeCondition(scope)} AND p.deleted_at IS NULL ORDER BY p.key`,
    )
    .all(scopeValue(scope));
  const keys = endpoints.map(({ key }) => key);
  return {
    ...(yield* overviewEvents(db, endpoints, window)),
    ...(yield* overviewAttempts(db, keys, window)),
    ...(yield* overviewDestinations(db, endpoints)),
  };
}
