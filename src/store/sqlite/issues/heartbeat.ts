import type { Database, Statement } from 'better-sqlite3';
import type { SavedFolds } from './saved-folds.ts';

/** Notes that a server is up. Runs inside the writer's transaction. */
export class Heartbeat {
  readonly #folds: SavedFolds;
  readonly #shift: Statement<[{ now: number; before: number }]>;

  constructor(db: Database, folds: SavedFolds) {
    this.#folds = folds;
    // Silence counts from the setting or from the last event: the later one moves. What was
    // set during the gap starts now.
    this.#shift = db.prepare(`
      UPDATE endpoints SET expected_since = min(@now, @now - @before + max(
        coalesce(expected_since, created_at),
        coalesce((SELECT max(e.received_at) FROM events e INDEXED BY events_by_time
          WHERE e.endpoint_key = endpoints.key), 0)))
      WHERE expect_every_ms IS NOT NULL AND deleted_at IS NULL`);
  }

  /** See `IssueStore.heartbeat`. */
  beat(now: number, gapMs: number): { before: number | null } {
    const before = this.#folds.cursor('heartbeat');
    this.#folds.moveCursor('heartbeat', now);
    if (before === 0) return { before: null };
    if (now - before > gapMs) this.#shift.run({ now, before });
    return { before };
  }
}
