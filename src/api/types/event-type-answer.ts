import type { InferOutput } from 'valibot';
import type { typeSchema } from './type-schema.ts';

/** A type of event that an endpoint has received. */
export type EventTypeAnswer = InferOutput<typeof typeSchema>;
