import type { InferOutput } from 'valibot';
import type { destinationStatsSchema } from './stats-calls.ts';

export type DestinationStatsAnswer = InferOutput<typeof destinationStatsSchema>;
