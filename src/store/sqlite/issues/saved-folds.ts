import type { Database, Statement } from 'better-sqlite3';
import type { CursorName, Fold } from '../../contract/issues.ts';
import {
  CHANGED_ISSUE,
  ISSUE_CAUSE,
  issueRowOf,
  NEW_ISSUE,
} from '../../shared/issues/issue-rows.ts';

/** Saves folds. All methods run inside the writer's transaction. */
export class SavedFolds {
  readonly #cursor: Statement<[string], number>;
  readonly #moveCursor: Statement<[string, number]>;
  readonly #version: Statement<[number], number>;
  readonly #isPresent: Statement<[{ endpointKey: number; destinationKey: number }]>;
  readonly #ofCause: Statement<[unknown[]]>;
  readonly #insert: Statement<[unknown[]]>;
  readonly #update: Statement<[unknown[], number]>;
  readonly #delete: Statement<[number]>;

  constructor(db: Database) {
    this.#cursor = db
      .prepare<[string], number>('SELECT position FROM cursors WHERE name = ?')
      .pluck();
    this.#moveCursor = db.prepare(`
      INSERT INTO cursors (name, position) VALUES (?, ?)
      ON CONFLICT (name) DO UPDATE SET position = excluded.position`);
    this.#version = db
      .prepare<[number], number>('SELECT version FROM issues WHERE key = ?')
      .pluck();
    this.#isPresent = db.prepare(`
      SELECT 1 FROM endpoints p WHERE p.key = @endpointKey AND p.deleted_at IS NULL AND (
        @destinationKey = 0 OR EXISTS (
          SELECT 1 FROM destinations d WHERE d.key = @destinationKey AND d.removed_at IS NULL))`);
    this.#ofCause = db.prepare(
      `SELECT 1 FROM issues WHERE (${ISSUE_CAUSE.names}) = (${ISSUE_CAUSE.marks})`,
    );
    this.#insert = db.prepare(
      `INSERT INTO issues (${NEW_ISSUE.names}, version) VALUES (${NEW_ISSUE.marks}, 1)`,
    );
    this.#update = db.prepare(`
      UPDATE issues SET (${CHANGED_ISSUE.names}) = (${CHANGED_ISSUE.marks}), version = version + 1
      WHERE key = ?`);
    this.#delete = db.prepare('DELETE FROM issues WHERE key = ?');
  }

  /** 0 before it was ever saved. */
  cursor(name: CursorName | 'heartbeat'): number {
    return this.#cursor.get(name) ?? 0;
  }

  moveCursor(name: CursorName | 'heartbeat', position: number): void {
    this.#moveCursor.run(name, position);
  }

  /** Whether an issue still has the version that a change is based on. */
  #isCurrent({ key, version }: { key: number; version: number }): boolean {
    return this.#version.get(key) === version;
  }

  /** See `IssueStore.save`. */
  save(fold: Fold): boolean {
    if (!this.#isBased(fold)) return false;
    const { cursor, added, changed, dropped } = fold;
    for (const { key } of dropped) this.#delete.run(key);
    for (const issue of changed) {
      this.#update.run(CHANGED_ISSUE.values(issueRowOf(issue)), issue.key);
    }
    for (const issue of added) this.#insert.run(NEW_ISSUE.values(issueRowOf(issue)));
    if (cursor) this.moveCursor(cursor.name, cursor.after);
    return true;
  }

  #isBased({ cursor, added, changed, dropped }: Fold): boolean {
    if (cursor && this.cursor(cursor.name) !== cursor.before) return false;
    if (![...changed, ...dropped].every((issue) => this.#isCurrent(issue))) return false;
    return added.every(
      (issue) =>
        this.#isPresent.get(issue) !== undefined &&
        this.#ofCause.get(ISSUE_CAUSE.values(issueRowOf(issue))) === undefined,
    );
  }
}
