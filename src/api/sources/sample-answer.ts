import type { InferOutput } from 'valibot';
import type { sampleSchema } from './sample-calls.ts';

export type SampleAnswer = InferOutput<typeof sampleSchema>;
