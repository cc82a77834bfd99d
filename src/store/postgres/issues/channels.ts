import { type Channel, INTERNAL_USER } from '../../../core/channels/channel.ts';
import { limitReached } from '../../../core/limits.ts';
import { maskedUrl } from '../../../core/secrets/masked-url.ts';
import type { ChannelStore, ClearChannel, SealedChannel } from '../../contract/channels.ts';
import { USER } from '../../shared/accounts/account-rows.ts';
import { Columns } from '../../shared/columns.ts';
import {
  AT_ONCE,
  CHANGED_CHANNEL,
  CHANNEL_COLUMNS,
  type ChannelRow,
  changedChannel,
  channelOf,
  destinationPatch,
  losesAddress,
  MASKED,
  NEW_CHANNEL,
  storedChannel,
} from '../../shared/issues/channel-rows.ts';
import { isOlderNodeThere } from '../cluster/node-name.ts';
import type { Database, Sql } from '../connection/database.ts';
import { closeGate, lockAccount } from '../connection/locks.ts';
import { storable, storableRow } from '../connection/storable.ts';
import { addDestination, changeDestination } from '../destinations/destinations.ts';
import { addEndpoint, removeEndpoint } from '../endpoints/endpoints.ts';
import type { LaneMarks } from '../queue/lane-marks.ts';
import type { Rounds } from '../queue/rounds.ts';

const CHANNELS = `SELECT ${CHANNEL_COLUMNS} FROM channels c
  JOIN endpoints p ON p.key = c.endpoint_key
  JOIN destinations d ON d.key = c.destination_key`;

const SEALED = new Columns({
  destinationKey: 'bigint',
  url: 'text',
  masked: 'text',
  sealedUrl: 'bytea',
});

const DROP_MESSAGES = 'DELETE FROM channel_messages WHERE channel_key = $1';

/**
 * Stores channels. A transaction that changes a channel's row closes the gate of the channel's
 * endpoint. A transaction that queues a message locks the row. An update takes the same lock before
 * it deletes messages, so no message can follow.
 */
export function postgresChannels(db: Database, rounds: Rounds, marks: LaneMarks): ChannelStore {
  return {
    add: (channel, most) =>
      db.transaction(async (sql) => {
        const { userId, createdAt } = channel;
        await lockAccount(sql, userId);
        const [has] = await sql.rows<{ channels: number }>(
          'SELECT count(*) AS channels FROM channels WHERE user_id = $1',
          [userId],
        );
        if (has && has.channels >= most) throw limitReached('channels', most);
        await addInternalUser(sql, createdAt);
        const endpoint = await addEndpoint(sql, { ...channel.endpoint, userId: INTERNAL_USER.id });
        const destination = await addDestination(sql, endpoint.key, channel.destination);
        const places = { endpointKey: endpoint.key, destinationKey: destination.key };
        await sql.run(
          `INSERT INTO channels (${NEW_CHANNEL.names}) VALUES (${NEW_CHANNEL.numbers()})`,
          NEW_CHANNEL.values(storableRow({ ...storedChannel(channel), ...places })),
        );
        return (await find(sql, userId, channel.id)) as Channel;
      }),

    async list(userId) {
      const rows = await db.rows<ChannelRow>(
        `${CHANNELS} WHERE c.user_id = $1 ORDER BY c.key DESC`,
        [userId],
      );
      return rows.map(channelOf);
    },

    find: (...args) => db.one((sql) => find(sql, ...args)),

    async findByConfirmation(hash) {
      const [row] = await db.rows<ChannelRow>(`${CHANNELS} WHERE c.confirm_hash = $1`, [
        Buffer.from(hash),
      ]);
      return row ? channelOf(row) : null;
    },

    confirm: (hash, now) =>
      db.transaction(async (sql) => {
        const hashed = Buffer.from(hash);
        const [row] = await sql.rows<ChannelRow>(`${CHANNELS} WHERE c.confirm_hash = $1`, [hashed]);
        if (!row) return null;
        await closeGate(sql, row.endpointKey);
        const confirmed = await sql.run(
          'UPDATE channels SET confirmed_at = $1, confirm_hash = NULL WHERE confirm_hash = $2',
          [now, hashed],
        );
        return confirmed > 0 ? find(sql, row.userId, row.id) : null;
      }),

    async update(userId, id, patch) {
      const updated = await db.transaction(async (sql) => {
        const channel = await lock(sql, userId, id);
        if (!channel) return null;
        const { key, endpointKey, destinationKey, destinationId } = channel;
        const row = storableRow(storedChannel(changedChannel(channel, patch)));
        await sql.run(
          `UPDATE channels SET (${CHANGED_CHANNEL.names}) = (${CHANGED_CHANNEL.numbers(2)})
           WHERE key = $1`,
          [key, ...CHANGED_CHANNEL.values(row)],
        );
        if (patch.publicToken !== undefined) {
          await sql.run('UPDATE endpoints SET public_token = $1 WHERE key = $2', [
            patch.publicToken,
            endpointKey,
          ]);
        }
        // Cancel first, because events and deliveries are locked before their destination (see
        // `Rounds`). This also cancels the deliveries that it frees, because they have the same
        // destination. So nobody needs to look for them.
        if (losesAddress(patch)) {
          await sql.run(DROP_MESSAGES, [key]);
          await rounds.cancelOpen(sql, destinationKey, Number.MAX_SAFE_INTEGER);
        }
        const to = destinationPatch(patch);
        const changed =
          to && (await changeDestination(sql, endpointKey, destinationId, to, AT_ONCE));
        return { channel: await find(sql, userId, id), changed };
      });
      const { channel = null, changed = null } = updated ?? {};
      if (changed !== null && changed !== 'changed' && changed.oldest !== null) {
        marks.note(changed.after.key, changed.oldest);
      }
      return channel;
    },

    remove: (userId, id, now) =>
      db.transaction(async (sql) => {
        const channel = await lock(sql, userId, id);
        if (!channel) return false;
        await sql.run('DELETE FROM channels WHERE key = $1', [channel.key]);
        await sql.run(DROP_MESSAGES, [channel.key]);
        return removeEndpoint(sql, channel.endpointKey, now);
      }),

    async unsealed(limit) {
      if (await isOlderNodeThere(db)) return [];
      return db.rows<ClearChannel>(
        `SELECT c.key, c.endpoint_key AS "endpointKey", c.destination_key AS "destinationKey",
           d.id AS "destinationId", d.url
         FROM channels c JOIN destinations d ON d.key = c.destination_key
         WHERE c.type = 'slack' AND d.url NOT LIKE $1 ORDER BY c.key LIMIT $2`,
        [MASKED, limit],
      );
    },

    async seal(channels) {
      for (const channel of channels) await db.transaction((sql) => sealUrl(sql, channel));
    },
  };
}

async function sealUrl(
  sql: Sql,
  { key, endpointKey, destinationKey, url, sealedUrl }: SealedChannel,
): Promise<void> {
  const masked = maskedUrl(url);
  await closeGate(sql, endpointKey);
  const sealed = await sql.run(
    `UPDATE destinations d SET url = v.masked, sealed_url = v.sealed_url, version = d.version + 1
     FROM ${SEALED.unnest('v')} WHERE d.key = v.destination_key AND d.url = v.url`,
    SEALED.arrays([storableRow({ destinationKey, url, masked, sealedUrl })]),
  );
  if (sealed === 0) return;
  await sql.run('UPDATE channels SET target = $1 WHERE key = $2', [masked, key]);
  // Mask also the attempts to former URLs, which may still work.
  await sql.run(
    `UPDATE attempts SET destination_url = $1
     WHERE event_seq IN (SELECT seq FROM events WHERE endpoint_key = $2)`,
    [masked, endpointKey],
  );
}

async function find(sql: Sql, userId: string, id: string): Promise<Channel | null> {
  const [row] = await sql.rows<ChannelRow>(`${CHANNELS} WHERE c.user_id = $1 AND c.id = $2`, [
    userId,
    storable(id),
  ]);
  return row ? channelOf(row) : null;
}

/**
 * Like `find`, but closes the gate, so that no other transaction changes the channel until this one
 * ends.
 */
async function lock(sql: Sql, userId: string, id: string): Promise<Channel | null> {
  const found = await find(sql, userId, id);
  if (!found) return null;
  await closeGate(sql, found.endpointKey);
  return find(sql, userId, id);
}

/** Adds the account that owns internal endpoints. The first channel needs it. */
async function addInternalUser(sql: Sql, now: number): Promise<void> {
  await sql.run(
    `INSERT INTO users (${USER.names}) VALUES (${USER.numbers()}) ON CONFLICT DO NOTHING`,
    USER.values({ ...INTERNAL_USER, createdAt: now }),
  );
}
