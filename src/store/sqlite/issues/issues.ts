import type { Database } from 'better-sqlite3';
import type { Issue, NamedIssue } from '../../../core/issues/issue.ts';
import type { IssueScope } from '../../contract/issues.ts';
import { issueStateCode, kindCode } from '../../shared/issues/issue-codes.ts';
import {
  ISSUE,
  ISSUE_CAUSE,
  type IssueRow,
  issueOf,
  MOST_BY_DESTINATIONS,
  type NamedIssueRow,
  namedIssueOf,
} from '../../shared/issues/issue-rows.ts';
import type { Writer } from '../files/writer.ts';
import type { Writes } from '../reader-thread/reads.ts';
import { captured, queued, queueMessages, saveNotified } from './channel-messages.ts';
import { beat } from './heartbeat.ts';
import { cursorAt, saveFold } from './saved-folds.ts';
import { NAMED_ISSUES, scopeIds } from './shown-issues.ts';

const SELECT = `SELECT ${ISSUE.read('i')} FROM issues i`;

export function sqliteIssues(db: Database, writer: Writer): Writes<'issues'> {
  const issues = (sql: string, ...values: unknown[]): Issue[] =>
    db.prepare<unknown[], IssueRow>(sql).all(values).map(issueOf);
  const findNow = (scope: IssueScope, id: string): NamedIssue | null => {
    const row = db
      .prepare<[object], NamedIssueRow>(`
        ${NAMED_ISSUES} WHERE i.id = @id AND i.user_id = @userId
          AND i.state <> ${issueStateCode('forming')}
          AND (@endpointIds IS NULL OR p.id IN (SELECT value FROM json_each(@endpointIds)))`)
      .get({ id, userId: scope.userId, endpointIds: scopeIds(scope) });
    return row ? namedIssueOf(row) : null;
  };
  return {
    find: async (...args) => findNow(...args),
    setState: (scope, id, { version, state, lastAt, notifyAt }) =>
      writer.write(() => {
        const found = findNow(scope, id);
        if (!found) return null;
        if (found.issue.version !== version) return 'changed';
        db.prepare(`
          UPDATE issues SET state = ?, last_at = ?, tell_at = ?, version = version + 1
          WHERE key = ?`).run(issueStateCode(state), lastAt, notifyAt, found.issue.key);
        return findNow(scope, id);
      }),
    cursor: async (name) => cursorAt(db, name),
    async idle(destinationKeys) {
      const keys = db
        .prepare<[string], number>(`
          SELECT value FROM json_each(?)
          WHERE NOT EXISTS (SELECT 1 FROM open_deliveries o WHERE o.destination_key = value)
            OR NOT EXISTS (
              SELECT 1 FROM destinations d
              JOIN endpoints p ON p.key = d.endpoint_key AND p.deleted_at IS NULL
              WHERE d.key = value AND d.removed_at IS NULL)`)
        .pluck()
        .all(JSON.stringify(destinationKeys));
      const upTo = db.prepare('SELECT coalesce(max(seq), 0) FROM attempts').pluck().get();
      return { destinations: new Set(keys), upTo: upTo as number };
    },
    async byCauses(causes) {
      const find = `${SELECT} WHERE (${ISSUE_CAUSE.names}) = (${ISSUE_CAUSE.marks})`;
      return causes.flatMap((cause) =>
        issues(find, ...ISSUE_CAUSE.values({ ...cause, kind: kindCode(cause.kind) })),
      );
    },
    byDestinations: async (destinationKeys, kinds) =>
      issues(
        `${SELECT}
        WHERE i.destination_key IN (SELECT value FROM json_each(?)) AND i.destination_key <> 0
          AND i.kind IN (SELECT value FROM json_each(?))
        LIMIT ${MOST_BY_DESTINATIONS}`,
        JSON.stringify(destinationKeys),
        JSON.stringify(kinds.map(kindCode)),
      ),
    closing: async (afterKey, limit) =>
      issues(
        `${SELECT} INDEXED BY issues_closing
        WHERE i.successes > 0 AND i.state IN (0, 1, 2) AND i.key > ?
          AND i.kind IN (${kindCode('delivery')}, ${kindCode('alert')})
        ORDER BY i.key LIMIT ?`,
        afterKey,
        limit,
      ),
    openOf: async (kind, afterKey, limit) =>
      issues(
        `${SELECT} INDEXED BY issues_open
        WHERE i.kind = ? AND i.state IN (1, 2) AND i.key > ? ORDER BY i.key LIMIT ?`,
        kindCode(kind),
        afterKey,
        limit,
      ),
    save: (fold) => writer.write(() => saveFold(db, fold)),
    toNotify: async (now, limit, exceptUserIds) =>
      db
        .prepare<[number, string, number], NamedIssueRow>(`
          ${NAMED_ISSUES} WHERE i.tell_at <= ?
            AND i.user_id NOT IN (SELECT value FROM json_each(?))
          ORDER BY i.tell_at, i.key LIMIT ?`)
        .all(now, JSON.stringify(exceptUserIds), limit)
        .map(namedIssueOf),
    notifiedSince: async (userId, since) =>
      db
        .prepare('SELECT count(*) FROM issues WHERE user_id = ? AND told_at >= ?')
        .pluck()
        .get(userId, since) as number,
    saveNotified: (...args) => writer.write(() => saveNotified(db, ...args)),
    queue: (messages) => writer.write(() => queueMessages(db, messages)),
    queued: async (limit) => queued(db, limit),
    captured: (ids) => writer.write(() => captured(db, ids)),
    heartbeat: (...args) => writer.write(() => beat(db, ...args)),
    dropResolved(before, most) {
      const drop = db.prepare(`
        DELETE FROM issues WHERE key IN (
          SELECT key FROM issues WHERE state = ${issueStateCode('resolved')} AND last_at < ?
          ORDER BY last_at LIMIT ?)`);
      return writer.write(() => drop.run(before, most).changes);
    },
  };
}
