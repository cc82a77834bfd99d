import type { InferOutput } from 'valibot';
import type { channelSchema } from './channel-schema.ts';

/** Where the account hears of its issues. */
export type ChannelAnswer = InferOutput<typeof channelSchema>;

export type ChannelDelivery = NonNullable<ChannelAnswer['last_delivery']>;
