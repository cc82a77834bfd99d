import type { Database, Statement } from 'better-sqlite3';
import type { ChannelMessage } from '../../../core/channels/channel.ts';
import type { Issue, IssueCause, IssueKind, NamedIssue } from '../../../core/issues/issue.ts';
import type {
  CursorName,
  Fold,
  IssueScope,
  IssueStore,
  NotifiedIssue,
} from '../../contract/issues.ts';
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
import { ChannelMessages } from './channel-messages.ts';
import { Heartbeat } from './heartbeat.ts';
import { NAMED_ISSUES } from './named-issues.ts';
import { SavedFolds } from './saved-folds.ts';
import { scopeIds } from './shown-issues.ts';

const SELECT = `SELECT ${ISSUE.read('i')} FROM issues i`;

interface FindValues {
  id: string;
  userId: string;
  endpointIds: string | null;
}

export class SqliteIssues implements Writes<'issues'> {
  readonly #db: Database;
  readonly #writer: Writer;
  readonly #folds: SavedFolds;
  readonly #messages: ChannelMessages;
  readonly #heartbeat: Heartbeat;
  readonly #find: Statement<[FindValues], NamedIssueRow>;

  constructor(db: Database, writer: Writer) {
    this.#db = db;
    this.#writer = writer;
    this.#folds = new SavedFolds(db);
    this.#messages = new ChannelMessages(db);
    this.#heartbeat = new Heartbeat(db, this.#folds);
    this.#find = db.prepare(`
      ${NAMED_ISSUES} WHERE i.id = @id AND i.user_id = @userId
        AND i.state <> ${issueStateCode('forming')}
        AND (@endpointIds IS NULL OR p.id IN (SELECT value FROM json_each(@endpointIds)))`);
  }

  async find(scope: IssueScope, id: string): Promise<NamedIssue | null> {
    return this.#found(scope, id);
  }

  setState(
    scope: IssueScope,
    id: string,
    { version, state, lastAt, notifyAt }: Parameters<IssueStore['setState']>[2],
  ): Promise<NamedIssue | 'changed' | null> {
    const update = this.#db.prepare(
      `UPDATE issues SET state = @state, last_at = @lastAt, tell_at = @notifyAt,
         version = version + 1 WHERE key = @key`,
    );
    return this.#writer.write(() => {
      const found = this.#found(scope, id);
      if (!found) return null;
      if (found.issue.version !== version) return 'changed';
      update.run({ state: issueStateCode(state), lastAt, notifyAt, key: found.issue.key });
      return this.#found(scope, id);
    });
  }

  async cursor(name: CursorName): Promise<number> {
    return this.#folds.cursor(name);
  }

  async idle(destinationKeys: readonly number[]): ReturnType<IssueStore['idle']> {
    const keys = this.#db
      .prepare<[string], number>(`
        SELECT value FROM json_each(?)
        WHERE NOT EXISTS (SELECT 1 FROM open_deliveries o WHERE o.destination_key = value)
          OR NOT EXISTS (
            SELECT 1 FROM destinations d
            JOIN endpoints p ON p.key = d.endpoint_key AND p.deleted_at IS NULL
            WHERE d.key = value AND d.removed_at IS NULL)`)
      .pluck()
      .all(JSON.stringify(destinationKeys));
    const upTo = this.#db.prepare('SELECT coalesce(max(seq), 0) FROM attempts').pluck().get();
    return { destinations: new Set(keys), upTo: upTo as number };
  }

  async byCauses(causes: readonly IssueCause[]): Promise<Issue[]> {
    const find = this.#db.prepare<unknown[], IssueRow>(
      `${SELECT} WHERE (${ISSUE_CAUSE.names}) = (${ISSUE_CAUSE.marks})`,
    );
    return causes.flatMap((cause) => {
      const row = find.get(ISSUE_CAUSE.values({ ...cause, kind: kindCode(cause.kind) }));
      return row ? [issueOf(row)] : [];
    });
  }

  async byDestinations(
    destinationKeys: readonly number[],
    kinds: readonly IssueKind[],
  ): Promise<Issue[]> {
    return this.#db
      .prepare<[string, string], IssueRow>(`${SELECT}
        WHERE i.destination_key IN (SELECT value FROM json_each(?)) AND i.destination_key <> 0
          AND i.kind IN (SELECT value FROM json_each(?))
        LIMIT ${MOST_BY_DESTINATIONS}`)
      .all(JSON.stringify(destinationKeys), JSON.stringify(kinds.map(kindCode)))
      .map(issueOf);
  }

  async closing(afterKey: number, limit: number): Promise<Issue[]> {
    return this.#db
      .prepare<[number, number], IssueRow>(`
        ${SELECT} INDEXED BY issues_closing
        WHERE i.successes > 0 AND i.state IN (0, 1, 2) AND i.key > ?
          AND i.kind IN (${kindCode('delivery')}, ${kindCode('alert')})
        ORDER BY i.key LIMIT ?`)
      .all(afterKey, limit)
      .map(issueOf);
  }

  async openOf(kind: IssueKind, afterKey: number, limit: number): Promise<Issue[]> {
    return this.#db
      .prepare<[number, number, number], IssueRow>(`
        ${SELECT} INDEXED BY issues_open
        WHERE i.kind = ? AND i.state IN (1, 2) AND i.key > ? ORDER BY i.key LIMIT ?`)
      .all(kindCode(kind), afterKey, limit)
      .map(issueOf);
  }

  save(fold: Fold): Promise<boolean> {
    return this.#writer.write(() => this.#folds.save(fold));
  }

  async toNotify(
    now: number,
    limit: number,
    exceptUserIds: readonly string[],
  ): Promise<NamedIssue[]> {
    return this.#db
      .prepare<[number, string, number], NamedIssueRow>(`
        ${NAMED_ISSUES} WHERE i.tell_at <= ?
          AND i.user_id NOT IN (SELECT value FROM json_each(?))
        ORDER BY i.tell_at, i.key LIMIT ?`)
      .all(now, JSON.stringify(exceptUserIds), limit)
      .map(namedIssueOf);
  }

  async notifiedSince(userId: string, since: number): Promise<number> {
    return this.#db
      .prepare<[string, number], number>(
        'SELECT count(*) FROM issues WHERE user_id = ? AND told_at >= ?',
      )
      .pluck()
      .get(userId, since) as number;
  }

  saveNotified(
    told: readonly NotifiedIssue[],
    messages: readonly ChannelMessage[],
  ): Promise<boolean> {
    return this.#writer.write(() => this.#messages.tell(told, messages));
  }

  queue(messages: readonly ChannelMessage[]): Promise<void> {
    return this.#writer.write(() => this.#messages.queue(messages));
  }

  async queued(limit: number): Promise<ChannelMessage[]> {
    return this.#messages.queued(limit);
  }

  captured(ids: readonly string[]): Promise<void> {
    return this.#writer.write(() => this.#messages.captured(ids));
  }

  heartbeat(now: number, gapMs: number): Promise<{ before: number | null }> {
    return this.#writer.write(() => this.#heartbeat.beat(now, gapMs));
  }

  dropResolved(before: number, most: number): Promise<number> {
    const drop = this.#db.prepare(`
      DELETE FROM issues WHERE key IN (
        SELECT key FROM issues WHERE state = ${issueStateCode('resolved')} AND last_at < ?
        ORDER BY last_at LIMIT ?)`);
    return this.#writer.write(() => drop.run(before, most).changes);
  }

  #found(scope: IssueScope, id: string): NamedIssue | null {
    const row = this.#find.get({ id, userId: scope.userId, endpointIds: scopeIds(scope) });
    return row ? namedIssueOf(row) : null;
  }
}
