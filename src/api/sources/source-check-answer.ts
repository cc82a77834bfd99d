import type { InferOutput } from 'valibot';
import type { sourceCheckSchema } from './source-calls.ts';

export type SourceCheckAnswer = InferOutput<typeof sourceCheckSchema>;

export type SourceHint = SourceCheckAnswer['hints'][number];
