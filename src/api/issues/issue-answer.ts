import type { InferOutput } from 'valibot';
import type { issueSchema } from './issue-schema.ts';

/** Something that is wrong: one for one cause at one place. */
export type IssueAnswer = InferOutput<typeof issueSchema>;
