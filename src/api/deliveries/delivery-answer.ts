import type { InferOutput } from 'valibot';
import type { deliverySchema, listedDeliverySchema } from './delivery-schema.ts';

/** A delivery of an event. */
export type DeliveryAnswer = InferOutput<typeof deliverySchema>;

/** A delivery as a thing of its own. */
export type ListedDeliveryAnswer = InferOutput<typeof listedDeliverySchema>;

/** Why an event couldn't be judged. */
export type UnjudgedAnswer = NonNullable<DeliveryAnswer['unjudged']>;
