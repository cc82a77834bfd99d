import type { InferOutput } from 'valibot';
import type { overviewSchema } from './overview-schema.ts';

/** The activity and the problems of all endpoints. */
export type OverviewAnswer = InferOutput<typeof overviewSchema>;

/** Events by their status now. */
export type EventCountsAnswer = OverviewAnswer['buckets'][number]['events'];

export type HeldDestinationAnswer = OverviewAnswer['destinations'][number];
