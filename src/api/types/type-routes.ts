import { MOST_TYPES } from '../../core/shapes/most-types.ts';
import type { LearnedType } from '../../store/contract/types.ts';
import { invalidField } from '../invalid-input.ts';
import { isoTime } from '../iso-time.ts';
import { type Route, routesOf } from '../route.ts';
import type * as api from './event-type-answer.ts';
import { TYPE_CALLS } from './type-calls.ts';
import { type SchemaParts, writtenSchema } from './written-schema.ts';

const DEFAULT_FORMAT = 'typescript';

/** The types of events that an endpoint has received, and their schemas. */
export function typeRoutes(parts: SchemaParts): Route[] {
  return routesOf(TYPE_CALLS, {
    async 'GET /api/endpoints/{id}/types'({ endpoint }) {
      const { types } = await parts.types.list(endpoint.key, { offset: 0, limit: MOST_TYPES });
      return types.map(typeView);
    },
    async 'GET /api/endpoints/{id}/types/schema'({
      endpoint,
      query: { type = '', format = DEFAULT_FORMAT },
      signal,
    }) {
      return { schema: await writtenSchema(parts, { endpoint, type }, format, signal) };
    },
    async 'GET /api/endpoints/{id}/types/{type}/schema'({
      endpoint,
      params,
      query: { format = DEFAULT_FORMAT },
      signal,
    }) {
      const type = decoded(params.type);
      return { schema: await writtenSchema(parts, { endpoint, type }, format, signal) };
    },
  });
}

function typeView({ type, provider, count, firstAt, lastAt }: LearnedType): api.EventTypeAnswer {
  return {
    type: type === '' ? null : type,
    provider,
    count,
    first_at: isoTime(firstAt),
    last_at: isoTime(lastAt),
  };
}

/** A segment of the path. Types hold slashes and blanks, which come percent-encoded. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw invalidField('type', 'must be percent-encoded UTF-8');
  }
}
