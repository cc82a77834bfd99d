import type { Database } from 'better-sqlite3';
import type { ChannelMessage } from '../../../core/channels/channel.ts';
import type { NotifiedIssue } from '../../contract/issues.ts';
import { CHANNEL_MESSAGE } from '../../shared/issues/channel-rows.ts';
import { issueStateCode } from '../../shared/issues/issue-codes.ts';
import { notifiedRowOf } from '../../shared/issues/issue-rows.ts';

/** The queue of messages that aren't captured yet. All writes run in the writer's transaction. */

/** See `IssueStore.saveNotified`. */
export function saveNotified(
  db: Database,
  issues: readonly NotifiedIssue[],
  messages: readonly ChannelMessage[],
): boolean {
  const isDue = db.prepare('SELECT 1 FROM issues WHERE key = ? AND state = ? AND tell_at = ?');
  const areDue = issues.every(
    ({ key, due }) => isDue.get(key, issueStateCode(due.state), due.notifyAt) !== undefined,
  );
  if (!areDue) return false;
  const save = db.prepare(`
    UPDATE issues SET told = @notified, told_at = @notifiedAt, tell_at = @notifyAt,
      version = version + 1, cause = iif(@isExplained, @cause, cause),
      suggestion = iif(@isExplained, @suggestion, suggestion)
    WHERE key = @key`);
  for (const issue of issues) {
    const row = notifiedRowOf(issue);
    save.run({ ...row, isExplained: Number(row.isExplained) });
  }
  queueMessages(db, messages);
  return true;
}

export function queueMessages(db: Database, messages: readonly ChannelMessage[]): void {
  // Inserts nothing if the channel is gone or its address has changed.
  const insert = db.prepare(`
    INSERT INTO channel_messages (${CHANNEL_MESSAGE.names}) SELECT ${CHANNEL_MESSAGE.marks}
    FROM channels c
    CROSS JOIN endpoints p ON p.key = c.endpoint_key AND p.public_token = ?
    WHERE c.key = ?
    ON CONFLICT (id) DO NOTHING`);
  for (const message of messages) {
    insert.run(CHANNEL_MESSAGE.values(message), message.publicToken, message.channelKey);
  }
}

export function queued(db: Database, limit: number): ChannelMessage[] {
  return db
    .prepare<[number], ChannelMessage>(`
      SELECT ${CHANNEL_MESSAGE.read('m')}, p.public_token AS publicToken
      FROM channel_messages m
      CROSS JOIN channels c ON c.key = m.channel_key
      CROSS JOIN endpoints p ON p.key = c.endpoint_key
      ORDER BY m.seq LIMIT ?`)
    .all(limit);
}

export function captured(db: Database, ids: readonly string[]): void {
  const drop = db.prepare('DELETE FROM channel_messages WHERE id = ?');
  for (const id of ids) drop.run(id);
}
