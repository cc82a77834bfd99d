import type { Database } from 'better-sqlite3';
import type { CursorName, Fold } from '../../contract/issues.ts';
import {
  CHANGED_ISSUE,
  ISSUE_CAUSE,
  issueRowOf,
  NEW_ISSUE,
} from '../../shared/issues/issue-rows.ts';

/** Returns the position of a cursor; 0 if it was never saved. */
export function cursorAt(db: Database, name: CursorName | 'heartbeat'): number {
  const find = db.prepare<[string], number>('SELECT position FROM cursors WHERE name = ?').pluck();
  return find.get(name) ?? 0;
}

/** Runs in the writer's transaction. */
export function moveCursor(db: Database, name: CursorName | 'heartbeat', position: number): void {
  db.prepare(`
    INSERT INTO cursors (name, position) VALUES (?, ?)
    ON CONFLICT (name) DO UPDATE SET position = excluded.position`).run(name, position);
}

/** See `IssueStore.save`. Runs in the writer's transaction. */
export function saveFold(db: Database, fold: Fold): boolean {
  if (!isBased(db, fold)) return false;
  const { cursor, added, changed, dropped } = fold;
  const drop = db.prepare('DELETE FROM issues WHERE key = ?');
  for (const { key } of dropped) drop.run(key);
  const update = db.prepare(`
    UPDATE issues SET (${CHANGED_ISSUE.names}) = (${CHANGED_ISSUE.marks}), version = version + 1
    WHERE key = ?`);
  for (const issue of changed) update.run(CHANGED_ISSUE.values(issueRowOf(issue)), issue.key);
  const insert = db.prepare(
    `INSERT INTO issues (${NEW_ISSUE.names}, version) VALUES (${NEW_ISSUE.marks}, 1)`,
  );
  for (const issue of added) insert.run(NEW_ISSUE.values(issueRowOf(issue)));
  if (cursor) moveCursor(db, cursor.name, cursor.after);
  return true;
}

/** Whether the fold's issues and cursor are unchanged, and its new issues can be added. */
function isBased(db: Database, { cursor, added, changed, dropped }: Fold): boolean {
  if (cursor && cursorAt(db, cursor.name) !== cursor.before) return false;
  const isCurrent = db.prepare('SELECT 1 FROM issues WHERE key = ? AND version = ?');
  const areCurrent = [...changed, ...dropped].every(
    ({ key, version }) => isCurrent.get(key, version) !== undefined,
  );
  if (!areCurrent) return false;
  const isPresent = db.prepare(`
    SELECT 1 FROM endpoints p WHERE p.key = @endpointKey AND p.deleted_at IS NULL AND (
      @destinationKey = 0 OR EXISTS (
        SELECT 1 FROM destinations d WHERE d.key = @destinationKey AND d.removed_at IS NULL))`);
  const ofCause = db.prepare(
    `SELECT 1 FROM issues WHERE (${ISSUE_CAUSE.names}) = (${ISSUE_CAUSE.marks})`,
  );
  return added.every(
    (issue) =>
      isPresent.get(issue) !== undefined &&
      ofCause.get(ISSUE_CAUSE.values(issueRowOf(issue))) === undefined,
  );
}
