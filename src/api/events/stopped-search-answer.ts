import type { GenericSchema, InferOutput } from 'valibot';
import type { foundSchema } from './stopped-search-schema.ts';

/** What a search found that stopped before its end: beside the error of its answer. */
export type StoppedSearchAnswer<T> = InferOutput<ReturnType<typeof foundSchema<GenericSchema<T>>>>;
