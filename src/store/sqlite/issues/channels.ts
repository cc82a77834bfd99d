import type { Database } from 'better-sqlite3';
import { type Channel, INTERNAL_USER } from '../../../core/channels/channel.ts';
import { limitReached } from '../../../core/limits.ts';
import { maskedUrl } from '../../../core/secrets/masked-url.ts';
import type {
  ChannelPatch,
  ChannelStore,
  ClearChannel,
  NewChannel,
  SealedChannel,
} from '../../contract/channels.ts';
import { USER } from '../../shared/accounts/account-rows.ts';
import {
  CHANGED_CHANNEL,
  CHANNEL_COLUMNS,
  type ChannelRow,
  changedChannel,
  channelOf,
  MASKED,
  NEW_CHANNEL,
  storedChannel,
} from '../../shared/issues/channel-rows.ts';
import type { SqliteDestinations } from '../destinations/destinations.ts';
import type { SqliteEndpoints } from '../endpoints/endpoints.ts';
import type { Writer } from '../files/writer.ts';
import type { Rounds } from '../queue/rounds.ts';

/** A new URL or secret lets an open breaker probe at once: this time is before any. */
const AT_ONCE = 0;

const SELECT = `SELECT ${CHANNEL_COLUMNS} FROM channels c
  CROSS JOIN endpoints p ON p.key = c.endpoint_key
  CROSS JOIN destinations d ON d.key = c.destination_key`;

const DROP_MESSAGES = 'DELETE FROM channel_messages WHERE channel_key = ?';

export class SqliteChannels implements ChannelStore {
  readonly #db: Database;
  readonly #writer: Writer;
  readonly #endpoints: Pick<SqliteEndpoints, 'createNow' | 'removeNow'>;
  readonly #destinations: Pick<SqliteDestinations, 'addNow' | 'updateNow'>;
  readonly #rounds: Pick<Rounds, 'cancelOpen'>;

  constructor(
    db: Database,
    writer: Writer,
    rounds: Pick<Rounds, 'cancelOpen'>,
    endpoints: Pick<SqliteEndpoints, 'createNow' | 'removeNow'>,
    destinations: Pick<SqliteDestinations, 'addNow' | 'updateNow'>,
  ) {
    this.#db = db;
    this.#writer = writer;
    this.#rounds = rounds;
    this.#endpoints = endpoints;
    this.#destinations = destinations;
  }

  add(channel: NewChannel, most: number): Promise<Channel> {
    const count = this.#db
      .prepare<[string], number>('SELECT count(*) FROM channels WHERE user_id = ?')
      .pluck();
    const makeUser = this.#db.prepare(`
      INSERT INTO users (${USER.names}) VALUES (${USER.marks}) ON CONFLICT (id) DO NOTHING`);
    const insert = this.#db.prepare(`
      INSERT INTO channels (${NEW_CHANNEL.names}) VALUES (${NEW_CHANNEL.marks})`);
    return this.#writer.write(() => {
      if ((count.get(channel.userId) as number) >= most) throw limitReached('channels', most);
      makeUser.run(USER.values({ ...INTERNAL_USER, createdAt: channel.createdAt }));
      const { key: endpointKey } = this.#endpoints.createNow({
        ...channel.endpoint,
        userId: INTERNAL_USER.id,
      });
      const { key: destinationKey } = this.#destinations.addNow(endpointKey, channel.destination);
      insert.run(NEW_CHANNEL.values({ ...storedChannel(channel), endpointKey, destinationKey }));
      return this.#found(channel.userId, channel.id) as Channel;
    });
  }

  async list(userId: string): Promise<Channel[]> {
    return this.#db
      .prepare<[string], ChannelRow>(`${SELECT} WHERE c.user_id = ? ORDER BY c.key DESC`)
      .all(userId)
      .map(channelOf);
  }

  async find(userId: string, id: string): Promise<Channel | null> {
    return this.#found(userId, id);
  }

  async findByConfirmation(hash: Uint8Array): Promise<Channel | null> {
    const row = this.#db
      .prepare<[Uint8Array], ChannelRow>(`${SELECT} WHERE c.confirm_hash = ?`)
      .get(hash);
    return row ? channelOf(row) : null;
  }

  confirm(hash: Uint8Array, now: number): Promise<Channel | null> {
    const confirm = this.#db.prepare<[number, Uint8Array], Pick<ChannelRow, 'userId' | 'id'>>(`
      UPDATE channels SET confirmed_at = ?, confirm_hash = NULL WHERE confirm_hash = ?
      RETURNING user_id AS userId, id`);
    return this.#writer.write(() => {
      const row = confirm.get(now, hash);
      return row ? this.#found(row.userId, row.id) : null;
    });
  }

  update(userId: string, id: string, patch: ChannelPatch): Promise<Channel | null> {
    const update = this.#db.prepare(`
      UPDATE channels SET (${CHANGED_CHANNEL.names}) = (${CHANGED_CHANNEL.marks}) WHERE id = ?`);
    const changeToken = this.#db.prepare<[string, number]>(
      'UPDATE endpoints SET public_token = ? WHERE key = ?',
    );
    const dropMessages = this.#db.prepare<[number]>(DROP_MESSAGES);
    return this.#writer.write(() => {
      const found = this.#found(userId, id);
      if (!found) return null;
      update.run(CHANGED_CHANNEL.values(storedChannel(changedChannel(found, patch))), id);
      const { url, sealedUrl, publicToken, sealedSecret } = patch;
      if (publicToken !== undefined) changeToken.run(publicToken, found.endpointKey);
      if (url !== undefined && patch.confirmedAt === null) {
        dropMessages.run(found.key);
        this.#rounds.cancelOpen(found.destinationKey, Number.MAX_SAFE_INTEGER);
      }
      if (url !== undefined || sealedSecret !== undefined) {
        this.#destinations.updateNow(
          found.endpointKey,
          found.destinationId,
          {
            ...(url !== undefined && { url, sealedUrl: sealedUrl ?? null }),
            ...(sealedSecret !== undefined && { sealedSecret }),
          },
          { at: AT_ONCE, by: null },
        );
      }
      return this.#found(userId, id);
    });
  }

  remove(userId: string, id: string, now: number): Promise<boolean> {
    const drop = [DROP_MESSAGES, 'DELETE FROM channels WHERE key = ?'].map((sql) =>
      this.#db.prepare<[number]>(sql),
    );
    return this.#writer.write(() => {
      const found = this.#found(userId, id);
      if (!found) return false;
      for (const statement of drop) statement.run(found.key);
      this.#endpoints.removeNow(found.endpointKey, now);
      return true;
    });
  }

  async unsealed(limit: number): Promise<ClearChannel[]> {
    return this.#db
      .prepare<[string, number], ClearChannel>(`
        SELECT c.key, c.endpoint_key AS endpointKey, c.destination_key AS destinationKey,
          d.id AS destinationId, d.url
        FROM channels c CROSS JOIN destinations d ON d.key = c.destination_key
        WHERE c.type = 'slack' AND d.url NOT LIKE ? ORDER BY c.key LIMIT ?`)
      .all(MASKED, limit);
  }

  async seal(channels: readonly SealedChannel[]): Promise<void> {
    const sealUrl = this.#db.prepare(`
      UPDATE destinations SET url = @masked, sealed_url = @sealedUrl, version = version + 1
      WHERE key = @destinationKey AND url = @url`);
    const mask = this.#db.prepare('UPDATE channels SET target = @masked WHERE key = @key');
    // Of former URLs too: they may still work.
    const maskAttempts = this.#db.prepare(`
      UPDATE attempts SET destination_url = @masked
      WHERE event_seq IN (SELECT seq FROM events WHERE endpoint_key = @endpointKey)`);
    // Otherwise the former texts stand in the free space of their pages.
    this.#db.pragma('secure_delete = ON');
    try {
      await this.#writer.write(() => {
        for (const channel of channels) {
          const row = { ...channel, masked: maskedUrl(channel.url) };
          if (sealUrl.run(row).changes === 0) continue;
          mask.run(row);
          maskAttempts.run(row);
        }
      });
    } finally {
      this.#db.pragma('secure_delete = OFF');
    }
  }

  #found(userId: string, id: string): Channel | null {
    const row = this.#db
      .prepare<[string, string], ChannelRow>(`${SELECT} WHERE c.id = ? AND c.user_id = ?`)
      .get(id, userId);
    return row ? channelOf(row) : null;
  }
}
