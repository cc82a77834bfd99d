import type { InferOutput } from 'valibot';
import type { bulkReplayedSchema, replayedSchema, replayJobSchema } from './replay-schema.ts';

/** The answer to a replay of one event. */
export type ReplayedAnswer = InferOutput<typeof replayedSchema>;

/** The answer to a bulk replay. */
export type BulkReplayAnswer = InferOutput<typeof bulkReplayedSchema>;

/** A bulk replay in the background. */
export type ReplayJobAnswer = InferOutput<typeof replayJobSchema>;
