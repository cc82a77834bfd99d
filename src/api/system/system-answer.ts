import type { InferOutput } from 'valibot';
import type { systemSchema } from './system-schema.ts';

export type SystemAnswer = InferOutput<typeof systemSchema>;

export type SystemCheck = SystemAnswer['checks'][number];
