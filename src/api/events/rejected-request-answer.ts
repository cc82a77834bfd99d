import type { InferOutput } from 'valibot';
import type { rejectedDetailSchema, rejectedSchema } from './event-schema.ts';

export type RejectedRequestAnswer = InferOutput<typeof rejectedSchema>;

export type RejectedHeadAnswer = Omit<InferOutput<typeof rejectedDetailSchema>, 'headers' | 'body'>;
