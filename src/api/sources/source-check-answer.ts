import type { InferOutput } from 'valibot';
import type { sourceCheckSchema } from './source-calls.ts';

/** How the newest events would fare under a source. */
export type SourceCheck = InferOutput<typeof sourceCheckSchema>;

export type SourceHint = SourceCheck['hints'][number];
