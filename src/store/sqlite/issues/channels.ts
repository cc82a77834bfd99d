import type { Database } from 'better-sqlite3';
import { type Channel, INTERNAL_USER } from '../../../core/channels/channel.ts';
import { limitReached } from '../../../core/limits.ts';
import { maskedUrl } from '../../../core/secrets/masked-url.ts';
import type { ChannelStore, ClearChannel } from '../../contract/channels.ts';
import { USER } from '../../shared/accounts/account-rows.ts';
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
import type { SqliteDestinations } from '../destinations/destinations.ts';
import type { SqliteEndpoints } from '../endpoints/endpoints.ts';
import type { Writer } from '../files/writer.ts';
import type { Rounds } from '../queue/rounds.ts';

const SELECT = `SELECT ${CHANNEL_COLUMNS} FROM channels c
  CROSS JOIN endpoints p ON p.key = c.endpoint_key
  CROSS JOIN destinations d ON d.key = c.destination_key`;

const DROP_MESSAGES = 'DELETE FROM channel_messages WHERE channel_key = ?';

interface ChannelTools {
  db: Database;
  writer: Writer;
  rounds: Pick<Rounds, 'cancelOpen'>;
  endpoints: Pick<SqliteEndpoints, 'createNow' | 'removeNow'>;
  destinations: Pick<SqliteDestinations, 'addNow' | 'updateNow'>;
}

export function sqliteChannels({
  db,
  writer,
  rounds,
  endpoints,
  destinations,
}: ChannelTools): ChannelStore {
  const one = (condition: string, ...values: unknown[]): Channel | null => {
    const row = db.prepare<unknown[], ChannelRow>(`${SELECT} WHERE ${condition}`).get(values);
    return row ? channelOf(row) : null;
  };
  const findNow = (userId: string, id: string) => one('c.id = ? AND c.user_id = ?', id, userId);
  return {
    add: (channel, most) =>
      writer.write(() => {
        const { userId, createdAt } = channel;
        const count = db.prepare('SELECT count(*) FROM channels WHERE user_id = ?').pluck();
        if ((count.get(userId) as number) >= most) throw limitReached('channels', most);
        const addUser = db.prepare(`
          INSERT INTO users (${USER.names}) VALUES (${USER.marks}) ON CONFLICT (id) DO NOTHING`);
        addUser.run(USER.values({ ...INTERNAL_USER, createdAt }));
        const endpoint = endpoints.createNow({ ...channel.endpoint, userId: INTERNAL_USER.id });
        const destination = destinations.addNow(endpoint.key, channel.destination);
        const places = { endpointKey: endpoint.key, destinationKey: destination.key };
        db.prepare(`INSERT INTO channels (${NEW_CHANNEL.names}) VALUES (${NEW_CHANNEL.marks})`).run(
          NEW_CHANNEL.values({ ...storedChannel(channel), ...places }),
        );
        return findNow(userId, channel.id) as Channel;
      }),

    list: async (userId) =>
      db
        .prepare<[string], ChannelRow>(`${SELECT} WHERE c.user_id = ? ORDER BY c.key DESC`)
        .all(userId)
        .map(channelOf),

    find: async (...args) => findNow(...args),

    findByConfirmation: async (hash) => one('c.confirm_hash = ?', hash),

    confirm(hash, now) {
      const confirm = db.prepare<[number, Uint8Array], Pick<ChannelRow, 'userId' | 'id'>>(`
        UPDATE channels SET confirmed_at = ?, confirm_hash = NULL WHERE confirm_hash = ?
        RETURNING user_id AS userId, id`);
      return writer.write(() => {
        const row = confirm.get(now, hash);
        return row ? findNow(row.userId, row.id) : null;
      });
    },

    update: (userId, id, patch) =>
      writer.write(() => {
        const found = findNow(userId, id);
        if (!found) return null;
        const change = db.prepare(`
          UPDATE channels SET (${CHANGED_CHANNEL.names}) = (${CHANGED_CHANNEL.marks}) WHERE id = ?`);
        change.run(CHANGED_CHANNEL.values(storedChannel(changedChannel(found, patch))), id);
        const { key, endpointKey, destinationKey, destinationId } = found;
        if (patch.publicToken !== undefined) {
          const changeToken = db.prepare('UPDATE endpoints SET public_token = ? WHERE key = ?');
          changeToken.run(patch.publicToken, endpointKey);
        }
        if (losesAddress(patch)) {
          db.prepare(DROP_MESSAGES).run(key);
          rounds.cancelOpen(destinationKey, Number.MAX_SAFE_INTEGER);
        }
        const to = destinationPatch(patch);
        if (to) destinations.updateNow(endpointKey, destinationId, to, AT_ONCE);
        return findNow(userId, id);
      }),

    remove: (userId, id, now) =>
      writer.write(() => {
        const found = findNow(userId, id);
        if (!found) return false;
        db.prepare(DROP_MESSAGES).run(found.key);
        db.prepare('DELETE FROM channels WHERE key = ?').run(found.key);
        endpoints.removeNow(found.endpointKey, now);
        return true;
      }),

    unsealed: async (limit) =>
      db
        .prepare<[string, number], ClearChannel>(`
          SELECT c.key, c.endpoint_key AS endpointKey, c.destination_key AS destinationKey,
            d.id AS destinationId, d.url
          FROM channels c CROSS JOIN destinations d ON d.key = c.destination_key
          WHERE c.type = 'slack' AND d.url NOT LIKE ? ORDER BY c.key LIMIT ?`)
        .all(MASKED, limit),

    async seal(channels) {
      const sealUrl = db.prepare(`
        UPDATE destinations SET url = @masked, sealed_url = @sealedUrl, version = version + 1
        WHERE key = @destinationKey AND url = @url`);
      const mask = db.prepare('UPDATE channels SET target = @masked WHERE key = @key');
      // Masks the URLs of all attempts, because a former URL of the channel may still work.
      const maskAttempts = db.prepare(`
        UPDATE attempts SET destination_url = @masked
        WHERE endpoint_key = @endpointKey`);
      // Otherwise the old texts would remain in the free space of their pages.
      db.pragma('secure_delete = ON');
      try {
        await writer.write(() => {
          for (const channel of channels) {
            const row = { ...channel, masked: maskedUrl(channel.url) };
            if (sealUrl.run(row).changes === 0) continue;
            mask.run(row);
            maskAttempts.run(row);
          }
        });
      } finally {
        db.pragma('secure_delete = OFF');
      }
    },
  };
}
