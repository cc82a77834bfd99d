import type { InferOutput } from 'valibot';
import type { channelSchema } from './channel-schema.ts';

export type ChannelAnswer = InferOutput<typeof channelSchema>;

export type ChannelDelivery = NonNullable<ChannelAnswer['last_delivery']>;
