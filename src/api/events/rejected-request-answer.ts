import type { InferOutput } from 'valibot';
import type { rejectedDetailSchema, rejectedSchema } from './event-schema.ts';

/** A request that an enforced source refused. */
export type RejectedRequestAnswer = InferOutput<typeof rejectedSchema>;

/** The same without its body. */
export type RejectedHeadAnswer = Omit<InferOutput<typeof rejectedDetailSchema>, 'headers' | 'body'>;
