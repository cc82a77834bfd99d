import type { InferOutput } from 'valibot';
import type { bulkReplayedSchema, replayedSchema, replayJobSchema } from './replay-schema.ts';

export type ReplayedAnswer = InferOutput<typeof replayedSchema>;

export type BulkReplayAnswer = InferOutput<typeof bulkReplayedSchema>;

export type ReplayJobAnswer = InferOutput<typeof replayJobSchema>;
