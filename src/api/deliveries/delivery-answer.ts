import type { InferOutput } from 'valibot';
import type { deliverySchema, listedDeliverySchema } from './delivery-schema.ts';

export type DeliveryAnswer = InferOutput<typeof deliverySchema>;

export type ListedDeliveryAnswer = InferOutput<typeof listedDeliverySchema>;

export type UnjudgedAnswer = NonNullable<DeliveryAnswer['unjudged']>;
