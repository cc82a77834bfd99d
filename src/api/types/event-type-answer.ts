import type { InferOutput } from 'valibot';
import type { typeSchema } from './type-schema.ts';

export type EventTypeAnswer = InferOutput<typeof typeSchema>;
