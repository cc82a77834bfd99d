import type { Database } from 'better-sqlite3';
import { cursorAt, moveCursor } from './saved-folds.ts';

/** See `IssueStore.heartbeat`. Runs in the writer's transaction. */
export function beat(db: Database, now: number, gapMs: number): { before: number | null } {
  const before = cursorAt(db, 'heartbeat');
  moveCursor(db, 'heartbeat', now);
  if (before === 0) return { before: null };
  // Silence counts from the last event or from the setting, whichever is later. Add the gap to that
  // time. If the setting changed during the gap, silence counts from the present.
  if (now - before > gapMs) {
    db.prepare(`
      UPDATE endpoints SET expected_since = min(@now, @now - @before + max(
        coalesce(expected_since, created_at),
        coalesce((SELECT max(e.received_at) FROM events e INDEXED BY events_by_time
          WHERE e.endpoint_key = endpoints.key), 0)))
      WHERE expect_every_ms IS NOT NULL AND deleted_at IS NULL`).run({ now, before });
  }
  return { before };
}
