import type { InferOutput } from 'valibot';
import type { sourceCheckSchema } from './source-calls.ts';

/** How the newest events would fare under a source. */
export type SourceCheckAnswer = InferOutput<typeof sourceCheckSchema>;

export type SourceHint = SourceCheckAnswer['hints'][number];
