import type { InferOutput } from 'valibot';
import type { systemSchema } from './system-schema.ts';

/** What the server says of itself. */
export type SystemAnswer = InferOutput<typeof systemSchema>;

export type SystemCheck = SystemAnswer['checks'][number];
