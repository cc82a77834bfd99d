import type { GenericSchema, InferOutput } from 'valibot';
import type { foundSchema } from './stopped-search-schema.ts';

export type StoppedSearchAnswer<T> = InferOutput<ReturnType<typeof foundSchema<GenericSchema<T>>>>;
