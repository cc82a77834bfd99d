import type { InferOutput } from 'valibot';
import type { entrySchema } from './audit-calls.ts';

export type AuditEntryAnswer = InferOutput<typeof entrySchema>;
