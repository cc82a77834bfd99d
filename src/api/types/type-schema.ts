import * as v from 'valibot';
import { SCHEMA_FORMATS } from '../../ai/learned/declared-types.ts';
import { about } from '../about.ts';
import { isoTimeSchema } from '../iso-time.ts';
import { oneOf } from '../one-of.ts';

const formatEntry = v.optional(about(oneOf(SCHEMA_FORMATS), 'Default: typescript.'));

export const schemaQuerySchema = v.object({ format: formatEntry });

export const anySchemaQuerySchema = v.object({
  type: v.optional(about(v.string(), 'The type; without it, the events that have no type.')),
  format: formatEntry,
});

export const schemaAnswerSchema = v.object({
  schema: about(v.string(), 'The text of a file in the format.'),
});

export const typeSchema = v.object({
  type: about(v.nullable(v.string()), 'Null for the events that have no type.'),
  provider: v.nullable(v.string()),
  count: about(v.number(), 'The number of events that it was learned from.'),
  first_at: isoTimeSchema,
  last_at: isoTimeSchema,
});
