import type { InferOutput } from 'valibot';
import type { bulkReplayedSchema, replayedSchema, replayJobSchema } from './replay-schema.ts';

/** The answer to a replay of one event. */
export type Replayed = InferOutput<typeof replayedSchema>;

/** The answer to a bulk replay. */
export type BulkReplay = InferOutput<typeof bulkReplayedSchema>;

/** A bulk replay in the background. */
export type ReplayJob = InferOutput<typeof replayJobSchema>;
