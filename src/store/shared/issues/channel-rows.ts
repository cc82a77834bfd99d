import type { Channel, ChannelType } from '../../../core/issues/channel.ts';
import type { IssueKind } from '../../../core/issues/issue.ts';
import { MASK } from '../../../core/secrets/masked-secret.ts';
import type { ChannelPatch, NewChannel } from '../../contract/channels.ts';

/** A row of `channels`. */
export interface ChannelRow {
  key: number;
  id: string;
  user_id: string;
  type: string;
  target: string;
  /** JSON arrays; null for all. */
  kinds: string | null;
  endpoint_ids: string | null;
  confirmed_at: number | null;
  confirm_hash: Uint8Array | null;
  confirm_sent_at: number | null;
  endpoint_key: number;
  destination_key: number;
  created_at: number;
  /** Of the internal endpoint and destination. */
  public_token: string;
  destination_id: string;
}

/** Columns of `channels c`, with its endpoint `p` and destination `d`. */
export const CHANNEL_COLUMNS = `c.key, c.id, c.user_id, c.type, c.target, c.kinds, c.endpoint_ids,
  c.confirmed_at, c.confirm_hash, c.confirm_sent_at, c.endpoint_key, c.destination_key,
  c.created_at, p.public_token, d.id AS destination_id`;

/** A pattern of LIKE for `maskedUrl`. */
export const MASKED = `%/${MASK}`;

export function channelOf(row: ChannelRow): Channel {
  return {
    key: row.key,
    id: row.id,
    userId: row.user_id,
    type: row.type as ChannelType,
    target: row.target,
    kinds: storedList<IssueKind>(row.kinds),
    endpointIds: storedList(row.endpoint_ids),
    confirmedAt: row.confirmed_at,
    confirmHash: row.confirm_hash,
    confirmSentAt: row.confirm_sent_at,
    endpointKey: row.endpoint_key,
    publicToken: row.public_token,
    destinationKey: row.destination_key,
    destinationId: row.destination_id,
    createdAt: row.created_at,
  };
}

/** The columns of a channel's own row. */
export function storedChannel(
  channel: Omit<NewChannel, 'endpoint' | 'destination'>,
): Omit<
  ChannelRow,
  'key' | 'endpoint_key' | 'destination_key' | 'public_token' | 'destination_id'
> {
  return {
    id: channel.id,
    user_id: channel.userId,
    type: channel.type,
    target: channel.target,
    kinds: channel.kinds && JSON.stringify(channel.kinds),
    endpoint_ids: channel.endpointIds && JSON.stringify(channel.endpointIds),
    confirmed_at: channel.confirmedAt,
    confirm_hash: channel.confirmHash,
    confirm_sent_at: channel.confirmSentAt,
    created_at: channel.createdAt,
  };
}

/** The channel's own row with a patch applied. The URL and the secret are the destination's. */
export function changedChannel(
  channel: Channel,
  {
    url: _url,
    sealedUrl: _sealedUrl,
    publicToken: _publicToken,
    sealedSecret: _sealedSecret,
    ...patch
  }: ChannelPatch,
): Channel {
  return { ...channel, ...patch };
}

function storedList<T extends string>(json: string | null): T[] | null {
  return json === null ? null : (JSON.parse(json) as T[]);
}
