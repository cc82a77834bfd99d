import type { InferOutput } from 'valibot';
import type { createdTokenSchema, tokenSchema } from './token-calls.ts';

export type ApiTokenAnswer = InferOutput<typeof tokenSchema>;

/** The answer that shows the bearer token, once. */
export type MadeTokenAnswer = InferOutput<typeof createdTokenSchema>;
