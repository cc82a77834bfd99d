import type { InferOutput } from 'valibot';
import type { overviewSchema } from './overview-schema.ts';

/** The activity and the problems of all endpoints. */
export type OverviewAnswer = InferOutput<typeof overviewSchema>;

type Bucket = OverviewAnswer['buckets'][number];

/** Durations of attempts, ms. */
export type Latency = NonNullable<Bucket['latency']>;

/** Events by their status now. */
export type EventCountsAnswer = Bucket['events'];

export type HeldDestinationAnswer = OverviewAnswer['destinations'][number];
