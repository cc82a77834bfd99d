import * as v from 'valibot';
import { HookrelayError } from '../../core/errors.ts';
import { MOST_TYPES } from '../../core/shapes/most-types.ts';
import { type Route, route } from '../route.ts';
import {
  anySchemaQuerySchema,
  schemaAnswerSchema,
  schemaQuerySchema,
  typeSchema,
  typeView,
} from './type-schema.ts';
import { type SchemaParts, writtenSchema } from './written-schema.ts';

const DEFAULT_FORMAT = 'typescript';

/** The types of events that an endpoint has received, and their schemas. */
export function typeRoutes(parts: SchemaParts): Route[] {
  const path = '/api/endpoints/{id}/types';
  const common = { tag: 'types', access: 'endpoint', scope: 'read', status: 200 } as const;
  return [
    route({
      ...common,
      method: 'GET',
      path,
      summary: 'List the types of events that were received, the last seen first',
      response: v.array(typeSchema),
      async handle({ endpoint }) {
        const { types } = await parts.types.list(endpoint.key, { offset: 0, limit: MOST_TYPES });
        return types.map(typeView);
      },
    }),
    route({
      ...common,
      method: 'GET',
      path: `${path}/schema`,
      summary: 'Write the schema of a type that the query names',
      query: anySchemaQuerySchema,
      response: schemaAnswerSchema,
      async handle({ endpoint, query: { type = '', format = DEFAULT_FORMAT }, signal }) {
        return { schema: await writtenSchema(parts, { endpoint, type }, format, signal) };
      },
    }),
    route({
      ...common,
      method: 'GET',
      path: `${path}/{type}/schema`,
      summary: 'Write the schema of a type, made from all its events',
      query: schemaQuerySchema,
      response: schemaAnswerSchema,
      async handle({ endpoint, params, query: { format = DEFAULT_FORMAT }, signal }) {
        const type = decoded(params.type as string);
        return { schema: await writtenSchema(parts, { endpoint, type }, format, signal) };
      },
    }),
  ];
}

/** A segment of the path. Types hold slashes and blanks, which come percent-encoded. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new HookrelayError('invalid_input', 'type: must be percent-encoded UTF-8', {
      issues: [{ path: 'type', message: 'must be percent-encoded UTF-8' }],
    });
  }
}
