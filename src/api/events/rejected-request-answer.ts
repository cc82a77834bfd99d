import type { InferOutput } from 'valibot';
import type { rejectedDetailSchema, rejectedSchema } from './event-schema.ts';

/** A request that an enforced source refused. */
export type RejectedRequest = InferOutput<typeof rejectedSchema>;

/** The same without its body. */
export type RejectedHead = Omit<InferOutput<typeof rejectedDetailSchema>, 'headers' | 'body'>;
