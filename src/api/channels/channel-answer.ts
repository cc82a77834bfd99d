import type { InferOutput } from 'valibot';
import type { channelSchema } from './channel-schema.ts';

/** Where the account hears of its issues. */
export type Channel = InferOutput<typeof channelSchema>;

export type ChannelDelivery = NonNullable<Channel['last_delivery']>;
