import type { InferOutput } from 'valibot';
import type { createdTokenSchema, tokenSchema } from './token-calls.ts';

export type ApiTokenAnswer = InferOutput<typeof tokenSchema>;

/** The answer to a new token. No other answer shows the bearer token. */
export type MadeTokenAnswer = InferOutput<typeof createdTokenSchema>;
