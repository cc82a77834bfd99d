import type { GenericSchema, InferOutput } from 'valibot';
import type { foundSchema } from './stopped-search-schema.ts';

/** What a stopped search found. The answer has it beside the error. */
export type StoppedSearchAnswer<T> = InferOutput<ReturnType<typeof foundSchema<GenericSchema<T>>>>;
