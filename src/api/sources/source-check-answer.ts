import type { InferOutput } from 'valibot';
import type { sourceCheckSchema } from './source-calls.ts';

/** The verdicts of a source on the newest events. */
export type SourceCheckAnswer = InferOutput<typeof sourceCheckSchema>;

export type SourceHint = SourceCheckAnswer['hints'][number];
