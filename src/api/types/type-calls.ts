import * as v from 'valibot';
import type { Calls } from '../contract.ts';
import {
  anySchemaQuerySchema,
  schemaAnswerSchema,
  schemaQuerySchema,
  typeSchema,
} from './type-schema.ts';

const read = { tag: 'types', access: 'endpoint', scope: 'read' } as const;

export const TYPE_CALLS = {
  'GET /api/endpoints/{id}/types': {
    ...read,
    summary: 'List the types of events that were received, the last seen first',
    response: v.array(typeSchema),
  },
  'GET /api/endpoints/{id}/types/schema': {
    ...read,
    summary: 'Write the schema of a type that the query names',
    query: anySchemaQuerySchema,
    response: schemaAnswerSchema,
  },
  'GET /api/endpoints/{id}/types/{type}/schema': {
    ...read,
    summary: 'Write the schema of a type, made from all its events',
    query: schemaQuerySchema,
    response: schemaAnswerSchema,
  },
} as const satisfies Calls;
