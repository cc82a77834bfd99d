import type { InferOutput } from 'valibot';
import type { systemSchema } from './system-schema.ts';

/** What the server says of itself. */
export type System = InferOutput<typeof systemSchema>;

export type SystemCheck = System['checks'][number];
