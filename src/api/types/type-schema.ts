import * as v from 'valibot';
import { SCHEMA_FORMATS } from '../../ai/learned/declared-types.ts';
import { isoTimeSchema } from '../iso-time.ts';

const formatEntry = v.optional(
  v.pipe(
    v.picklist(SCHEMA_FORMATS, `must be one of ${SCHEMA_FORMATS.join(', ')}`),
    v.description('Default: typescript.'),
  ),
);

export const schemaQuerySchema = v.object({ format: formatEntry });

export const anySchemaQuerySchema = v.object({
  type: v.optional(
    v.pipe(v.string(), v.description('The type; without it, the events that have no type.')),
  ),
  format: formatEntry,
});

export const schemaAnswerSchema = v.object({
  schema: v.pipe(v.string(), v.description('The text of a file in the format.')),
});

export const typeSchema = v.object({
  type: v.pipe(v.nullable(v.string()), v.description('Null for the events that have no type.')),
  provider: v.nullable(v.string()),
  count: v.pipe(v.number(), v.description('The events that it was learned from.')),
  first_at: isoTimeSchema,
  last_at: isoTimeSchema,
});
