import type { ChannelMessage } from '../../../core/issues/channel.ts';
import type { ToldIssue } from '../../contract/issues.ts';
import { toldColumns } from '../../shared/issues/issue-rows.ts';
import type { Sql } from '../connection/database.ts';
import { storable } from '../connection/storable.ts';
import { lockDue } from './stale-basis.ts';

/** See `IssueStore.tell`. Throws `StaleBasis` where an issue is no longer due as it was. */
export async function tellIssues(
  sql: Sql,
  issues: readonly ToldIssue[],
  messages: readonly ChannelMessage[],
): Promise<void> {
  await lockDue(sql, issues);
  const rows = issues.map(toldColumns);
  const given = issues.map(({ explanation }) => explanation !== undefined);
  await sql.run(
    `UPDATE issues i SET told = v.told, told_at = v.told_at, tell_at = v.tell_at,
       cause = CASE WHEN v.given THEN v.cause ELSE i.cause END,
       suggestion = CASE WHEN v.given THEN v.suggestion ELSE i.suggestion END,
       version = i.version + 1
     FROM unnest($1::bigint[], $2::smallint[], $3::bigint[], $4::bigint[], $5::boolean[],
       $6::text[], $7::text[]) AS v(key, told, told_at, tell_at, given, cause, suggestion)
     WHERE i.key = v.key`,
    [
      issues.map(({ key }) => key),
      rows.map(({ told }) => told),
      rows.map(({ told_at }) => told_at),
      rows.map(({ tell_at }) => tell_at),
      given,
      issues.map(({ explanation }) => storable(explanation?.cause ?? null)),
      issues.map(({ explanation }) => storable(explanation?.suggestion ?? null)),
    ],
    'tell issues',
  );
  await queueMessages(sql, messages);
}

/**
 * Queues messages, each once by its id. The locks keep their channels as they are: a message
 * of a removed channel would stay for ever, and one to another address would reach this one.
 */
export async function queueMessages(sql: Sql, messages: readonly ChannelMessage[]): Promise<void> {
  if (messages.length === 0) return;
  await sql.rows(
    'SELECT 1 FROM channels WHERE key = ANY($1) ORDER BY key FOR SHARE',
    [[...new Set(messages.map(({ channelKey }) => channelKey))]],
    'keep channels',
  );
  await sql.run(
    `INSERT INTO channel_messages (id, channel_key, content_type, body, created_at)
     SELECT v.id, v.channel_key, v.content_type, v.body, v.created_at
     FROM unnest($1::text[], $2::bigint[], $3::text[], $4::text[], $5::bigint[], $6::text[])
       WITH ORDINALITY AS v(id, channel_key, content_type, body, created_at, public_token, place)
     JOIN channels c ON c.key = v.channel_key
     JOIN endpoints p ON p.key = c.endpoint_key AND p.public_token = v.public_token
     ORDER BY v.place ON CONFLICT (id) DO NOTHING`,
    [
      messages.map(({ id }) => id),
      messages.map(({ channelKey }) => channelKey),
      messages.map(({ contentType }) => storable(contentType)),
      messages.map(({ body }) => storable(body)),
      messages.map(({ createdAt }) => createdAt),
      messages.map(({ publicToken }) => publicToken),
    ],
    'queue messages',
  );
}

export const QUEUED = `
  SELECT m.id, m.channel_key AS "channelKey", m.content_type AS "contentType", m.body,
    m.created_at AS "createdAt", p.public_token AS "publicToken"
  FROM channel_messages m
  JOIN channels c ON c.key = m.channel_key
  JOIN endpoints p ON p.key = c.endpoint_key AND p.deleted_at IS NULL
  ORDER BY m.seq LIMIT $1`;
