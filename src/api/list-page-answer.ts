import type { GenericSchema, InferOutput } from 'valibot';
import type { pageSchema } from './list-page-schema.ts';

/** A page of a list. `total` counts the items on all pages. */
export type Page<T> = InferOutput<ReturnType<typeof pageSchema<GenericSchema<T>>>>;
