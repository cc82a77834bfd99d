import type { InferOutput } from 'valibot';
import type { destinationStatsSchema } from './stats-calls.ts';

/** Attempts of the last 24 hours to a destination, oldest hour first. */
export type DestinationStatsAnswer = InferOutput<typeof destinationStatsSchema>;
