import * as v from 'valibot';
import { SCHEMA_FORMATS } from '../../ai/learned/declared-types.ts';
import type { LearnedType } from '../../store/contract/types.ts';
import type * as api from '../answers/event-type.ts';
import { isoTime, isoTimeSchema } from '../views.ts';

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

export function typeView({ type, provider, count, firstAt, lastAt }: LearnedType): api.EventType {
  return {
    type: type === '' ? null : type,
    provider,
    count,
    first_at: isoTime(firstAt),
    last_at: isoTime(lastAt),
  };
}
