import type { InferOutput } from 'valibot';
import type { overviewSchema } from './overview-schema.ts';

/** What happened at all endpoints, and what is wrong. */
export type Overview = InferOutput<typeof overviewSchema>;

type Bucket = Overview['buckets'][number];

/** Durations of attempts, ms. */
export type Latency = NonNullable<Bucket['latency']>;

/** Events by their status now. */
export type EventCounts = Bucket['events'];

export type HeldDestination = Overview['destinations'][number];
