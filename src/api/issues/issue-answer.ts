import type { InferOutput } from 'valibot';
import type { issueSchema } from './issue-schema.ts';

export type IssueAnswer = InferOutput<typeof issueSchema>;
