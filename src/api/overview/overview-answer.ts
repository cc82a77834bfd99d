import type { InferOutput } from 'valibot';
import type { overviewSchema } from './overview-schema.ts';

export type OverviewAnswer = InferOutput<typeof overviewSchema>;

export type EventCountsAnswer = OverviewAnswer['buckets'][number]['events'];

export type HeldDestinationAnswer = OverviewAnswer['destinations'][number];
