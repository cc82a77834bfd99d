import type { ChannelMessage } from '../../../core/channels/channel.ts';
import type { NotifiedIssue } from '../../contract/issues.ts';
import { CHANNEL_MESSAGE } from '../../shared/issues/channel-rows.ts';
import { NOTIFIED_ISSUE, notifiedRowOf } from '../../shared/issues/issue-rows.ts';
import type { Sql } from '../connection/database.ts';
import { storableRow } from '../connection/storable.ts';
import { lockDue } from './stale-basis.ts';

const WAITING_MESSAGE = CHANNEL_MESSAGE.and({ publicToken: 'text', place: 'integer' });

/**
 * See `IssueStore.saveNotified`. Throws `StaleBasis` if an issue's state or the due time of its
 * notification has changed.
 */
export async function saveNotified(
  sql: Sql,
  issues: readonly NotifiedIssue[],
  messages: readonly ChannelMessage[],
): Promise<void> {
  await lockDue(sql, issues);
  await sql.run(
    `UPDATE issues i SET told = v.told, told_at = v.told_at, tell_at = v.tell_at,
       cause = CASE WHEN v.is_explained THEN v.cause ELSE i.cause END,
       suggestion = CASE WHEN v.is_explained THEN v.suggestion ELSE i.suggestion END,
       version = i.version + 1
     FROM ${NOTIFIED_ISSUE.unnest('v')} WHERE i.key = v.key`,
    NOTIFIED_ISSUE.arrays(issues.map(notifiedRowOf).map(storableRow)),
    'save notified',
  );
  await queueMessages(sql, messages);
}

/**
 * Queues messages. Skips messages whose id is already queued. Locks the channels, because a removed
 * channel's message would stay forever, and a message for an old address would reach the new one.
 */
export async function queueMessages(sql: Sql, messages: readonly ChannelMessage[]): Promise<void> {
  if (messages.length === 0) return;
  await sql.rows(
    'SELECT 1 FROM channels WHERE key = ANY($1) ORDER BY key FOR SHARE',
    [[...new Set(messages.map(({ channelKey }) => channelKey))]],
    'keep channels',
  );
  await sql.run(
    `INSERT INTO channel_messages (${CHANNEL_MESSAGE.names})
     SELECT ${CHANNEL_MESSAGE.of('v')} FROM ${WAITING_MESSAGE.unnest('v')}
     JOIN channels c ON c.key = v.channel_key
     JOIN endpoints p ON p.key = c.endpoint_key AND p.public_token = v.public_token
     ORDER BY v.place ON CONFLICT (id) DO NOTHING`,
    WAITING_MESSAGE.arrays(messages.map((message, place) => storableRow({ ...message, place }))),
    'queue messages',
  );
}

export const QUEUED = `
  SELECT ${CHANNEL_MESSAGE.read('m')}, p.public_token AS "publicToken"
  FROM channel_messages m
  JOIN channels c ON c.key = m.channel_key
  JOIN endpoints p ON p.key = c.endpoint_key AND p.deleted_at IS NULL
  ORDER BY m.seq LIMIT $1`;

/** See `IssueStore.captured`. All nodes lock rows in the same order, which prevents deadlocks. */
export async function captured(sql: Sql, ids: readonly string[]): Promise<void> {
  await sql.run(
    `DELETE FROM channel_messages WHERE seq IN (
       SELECT seq FROM channel_messages WHERE id = ANY($1) ORDER BY seq FOR UPDATE)`,
    [ids],
    'captured messages',
  );
}
