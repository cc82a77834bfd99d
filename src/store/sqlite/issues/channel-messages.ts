import type { Database, Statement } from 'better-sqlite3';
import type { ChannelMessage } from '../../../core/channels/channel.ts';
import type { NotifiedIssue } from '../../contract/issues.ts';
import { CHANNEL_MESSAGE } from '../../shared/issues/channel-rows.ts';
import { issueStateCode } from '../../shared/issues/issue-codes.ts';
import { notifiedRowOf } from '../../shared/issues/issue-rows.ts';

/** The queue of messages that aren't captured yet. Writes run inside the writer's transaction. */
export class ChannelMessages {
  readonly #isDue: Statement<[number, number, number | null]>;
  readonly #insert: Statement<[unknown[], string, number]>;
  readonly #tell: Statement<[object]>;
  readonly #queued: Statement<[number], ChannelMessage>;
  readonly #delete: Statement<[string]>;

  constructor(db: Database) {
    this.#isDue = db.prepare('SELECT 1 FROM issues WHERE key = ? AND state = ? AND tell_at = ?');
    // The channel may have been removed meanwhile, or have another address.
    this.#insert = db.prepare(`
      INSERT INTO channel_messages (${CHANNEL_MESSAGE.names}) SELECT ${CHANNEL_MESSAGE.marks}
      FROM channels c
      CROSS JOIN endpoints p ON p.key = c.endpoint_key AND p.public_token = ?
      WHERE c.key = ?
      ON CONFLICT (id) DO NOTHING`);
    this.#tell = db.prepare(`
      UPDATE issues SET told = @notified, told_at = @notifiedAt, tell_at = @notifyAt, version = version + 1,
        cause = iif(@isExplained, @cause, cause),
        suggestion = iif(@isExplained, @suggestion, suggestion)
      WHERE key = @key`);
    this.#queued = db.prepare(`
      SELECT ${CHANNEL_MESSAGE.read('m')}, p.public_token AS publicToken
      FROM channel_messages m
      CROSS JOIN channels c ON c.key = m.channel_key
      CROSS JOIN endpoints p ON p.key = c.endpoint_key
      ORDER BY m.seq LIMIT ?`);
    this.#delete = db.prepare('DELETE FROM channel_messages WHERE id = ?');
  }

  /** See `IssueStore.tell`. */
  tell(told: readonly NotifiedIssue[], messages: readonly ChannelMessage[]): boolean {
    const areDue = told.every(
      ({ key, due }) => this.#isDue.get(key, issueStateCode(due.state), due.notifyAt) !== undefined,
    );
    if (!areDue) return false;
    for (const issue of told) {
      const row = notifiedRowOf(issue);
      this.#tell.run({ ...row, isExplained: Number(row.isExplained) });
    }
    this.queue(messages);
    return true;
  }

  queue(messages: readonly ChannelMessage[]): void {
    for (const message of messages) {
      const { publicToken, channelKey } = message;
      this.#insert.run(CHANNEL_MESSAGE.values(message), publicToken, channelKey);
    }
  }

  queued(limit: number): ChannelMessage[] {
    return this.#queued.all(limit);
  }

  captured(ids: readonly string[]): void {
    for (const id of ids) this.#delete.run(id);
  }
}
