import type { InferOutput } from 'valibot';
import type { sampleSchema } from './sample-calls.ts';

/** An event of a provider that can be sent as a test event. */
export type SampleAnswer = InferOutput<typeof sampleSchema>;
