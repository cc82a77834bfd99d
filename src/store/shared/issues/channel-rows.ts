import type { Channel, ChannelType } from '../../../core/channels/channel.ts';
import type { IssueKind } from '../../../core/issues/issue.ts';
import { MASK } from '../../../core/secrets/masked-secret.ts';
import type { ChannelPatch } from '../../contract/channels.ts';
import type { DestinationPatch } from '../../contract/destinations.ts';
import { Columns, type RowOf } from '../columns.ts';

export const CHANNEL = new Columns({
  key: 'bigint',
  id: 'text',
  userId: 'text',
  type: 'text',
  target: 'text',
  /** JSON array; null for all. */
  kinds: 'text?',
  /** JSON array; null for all. */
  endpointIds: 'text?',
  confirmedAt: 'bigint?',
  confirmHash: 'bytea?',
  confirmSentAt: 'bigint?',
  endpointKey: 'bigint',
  destinationKey: 'bigint',
  createdAt: 'bigint',
});
/** The columns of a new channel. The store assigns the key. */
export const NEW_CHANNEL = CHANNEL.without('key');
export const CHANGED_CHANNEL = CHANNEL.only(
  'target',
  'kinds',
  'endpointIds',
  'confirmedAt',
  'confirmHash',
  'confirmSentAt',
);

export interface ChannelRow extends RowOf<typeof CHANNEL> {
  /** The token of the internal endpoint. `destinationId` is the id of the internal destination. */
  publicToken: string;
  destinationId: string;
}

/** Columns of a `ChannelRow`, from a channel `c`, its endpoint `p` and its destination `d`. */
export const CHANNEL_COLUMNS = `${CHANNEL.read('c')}, p.public_token AS "publicToken",
  d.id AS "destinationId"`;

export const CHANNEL_MESSAGE = new Columns({
  id: 'text',
  channelKey: 'bigint',
  contentType: 'text',
  body: 'text',
  createdAt: 'bigint',
});

/** A LIKE pattern for masked URLs (`maskedUrl`). */
export const MASKED = `%/${MASK}`;

export function channelOf(row: ChannelRow): Channel {
  return {
    ...row,
    type: row.type as ChannelType,
    kinds: storedList<IssueKind>(row.kinds),
    endpointIds: storedList(row.endpointIds),
  };
}

/** Returns a channel with its lists as JSON. */
export function storedChannel<T extends Pick<Channel, 'kinds' | 'endpointIds'>>(
  channel: T,
): Omit<T, 'kinds' | 'endpointIds'> & Pick<ChannelRow, 'kinds' | 'endpointIds'> {
  return {
    ...channel,
    kinds: channel.kinds && JSON.stringify(channel.kinds),
    endpointIds: channel.endpointIds && JSON.stringify(channel.endpointIds),
  };
}

/** Returns the channel with a patch applied. The URL and the secret belong to its destination. */
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

/** Returns the changes to the channel's destination, or null if there are none. */
export function destinationPatch({
  url,
  sealedUrl = null,
  sealedSecret,
}: ChannelPatch): DestinationPatch | null {
  if (url === undefined && sealedSecret === undefined) return null;
  return {
    ...(url !== undefined && { url, sealedUrl }),
    ...(sealedSecret !== undefined && { sealedSecret }),
  };
}

/**
 * A stamp for changes of a channel's destination. Its time is before any other, so a new URL or
 * secret lets an open breaker probe at once.
 */
export const AT_ONCE = { at: 0, by: null };

/** Returns whether a patch replaces an address by an unconfirmed one. */
export const losesAddress = ({ url, confirmedAt }: ChannelPatch): boolean =>
  url !== undefined && confirmedAt === null;

function storedList<T extends string>(json: string | null): T[] | null {
  return json === null ? null : (JSON.parse(json) as T[]);
}
