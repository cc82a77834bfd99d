import type { InferOutput } from 'valibot';
import type { entrySchema } from './audit-calls.ts';

/** A change of the account or of one of its things. */
export type AuditEntryAnswer = InferOutput<typeof entrySchema>;
