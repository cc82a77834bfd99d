import { type JsonSchema, toJsonSchema } from '@valibot/to-json-schema';
import type { GenericSchema } from 'valibot';
import { errorSchema } from './error-schema.ts';
import type { Route } from './route.ts';

/**
 * The OpenAPI 3.1 document of the route table, from the same schemas that check
 * the requests. What a schema does beyond JSON Schema (trimming, custom checks)
 * is left out of the document, not of the check.
 */
export function openApiDocument(
  routes: readonly Route[],
  info: { version: string; baseUrl: string },
): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    const methods = paths[route.path] ?? {};
    paths[route.path] = methods;
    methods[route.method.toLowerCase()] = operation(route);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'hookrelay',
      version: info.version,
      description: 'Captures webhooks, delivers them signed and with retries, and shows them.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: info.baseUrl }],
    security: [{ bearer: [] }],
    paths,
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'An access token (JWT) or an API token (`hr_…`).',
        },
      },
      schemas: { Error: jsonSchema(errorSchema, 'output') },
    },
  };
}

function operation(route: Route): object {
  return {
    operationId: operationId(route),
    summary: route.summary,
    tags: [route.tag],
    ...(route.access === 'public' && { security: [] }),
    parameters: [...pathParameters(route.path), ...queryParameters(route.query)],
    ...(route.body && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: jsonSchema(route.body, 'input') } },
      },
    }),
    responses: {
      [route.status]: {
        description: 'Success',
        ...(route.response && { content: json(route.response) }),
        ...(route.mediaType && { content: { [route.mediaType]: {} } }),
      },
      ...(route.also && {
        [route.also.status]: {
          description: route.also.description,
          content: json(route.also.response),
        },
      }),
      default: {
        description: 'Error',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    },
  };
}

/** `get_api_endpoints_id_events`: made from the path, so that it is unique without anyone's care. */
function operationId({ method, path }: Route): string {
  const words = path.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  return [method.toLowerCase(), ...words].join('_');
}

function pathParameters(path: string): object[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
}

function queryParameters(query: GenericSchema | undefined): object[] {
  if (!query) return [];
  const { properties = {} } = jsonSchema(query, 'input');
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: false,
    schema,
  }));
}

function json(schema: GenericSchema): object {
  return { 'application/json': { schema: jsonSchema(schema, 'output') } };
}

function jsonSchema(schema: GenericSchema, typeMode: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...rest } = toJsonSchema(schema, { errorMode: 'ignore', typeMode });
  return rest;
}
