import type { InferOutput } from 'valibot';
import type { deliverySchema, listedDeliverySchema } from './delivery-schema.ts';

/** A delivery of an event. */
export type Delivery = InferOutput<typeof deliverySchema>;

/** A delivery as a thing of its own. */
export type ListedDelivery = InferOutput<typeof listedDeliverySchema>;

/** Why an event couldn't be judged. */
export type Unjudged = NonNullable<Delivery['unjudged']>;
