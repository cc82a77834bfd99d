import { type JsonSchema, toJsonSchema } from '@valibot/to-json-schema';
import * as v from 'valibot';
import { errorSchema } from './error-schema.ts';
import type { Route } from './route.ts';

/**
 * The path of captures. It isn't a route, because capture takes any method, path and body. OpenAPI
 * can describe only these methods, and HEAD, which is GET without a body.
 */
const CAPTURE_PATH = '/in/{public_token}';
const CAPTURE_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const BODY_METHODS = ['POST', 'PUT', 'PATCH'];

const capturedSchema = v.object({ received: v.literal(true), event_id: v.string() });

/**
 * The OpenAPI 3.1 document of the route table and of capture. It uses the schemas that
 * check the requests. Metadata of a schema describe its rules beyond JSON Schema
 * (trimming, custom checks).
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
  paths[CAPTURE_PATH] = Object.fromEntries(
    CAPTURE_METHODS.map((method) => [method.toLowerCase(), captureOperation(method)]),
  );
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
          description:
            'An access token (JWT) or an API token (`hr_…`). An operation names the scope that ' +
            'an API token needs, or `session` if it needs the access token of a login.',
        },
      },
      schemas: { Error: jsonSchema(errorSchema, 'output') },
    },
  };
}

function operation(route: Route): object {
  return {
    operationId: operationId(route.method, route.path),
    summary: route.summary,
    tags: [route.tag],
    // A role of the bearer: a scope of API tokens, or `session` if the call needs a login.
    security: route.access === 'public' ? [] : [{ bearer: [route.scope ?? 'session'] }],
    parameters: [
      ...pathParameters(route.path),
      ...parametersOf(route.query, 'query'),
      ...parametersOf(route.headers, 'header'),
    ],
    ...(route.body && {
      requestBody: {
        // A missing body counts as an empty object.
        required: !v.is(route.body, {}),
        content: { 'application/json': { schema: bodySchema(route.body, route.method) } },
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
      default: ERROR,
    },
  };
}

const ERROR = {
  description: 'Error',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
};

function captureOperation(method: string): object {
  return {
    operationId: operationId(method, CAPTURE_PATH),
    summary: 'Capture a request at this path or any path below it',
    description:
      'Stores any method except CONNECT and TRACE, and any body, unchanged. ' +
      'An endpoint’s own `response` replaces the answer below.',
    tags: ['capture'],
    security: [],
    parameters: pathParameters(CAPTURE_PATH),
    ...(BODY_METHODS.includes(method) && { requestBody: { content: { '*/*': {} } } }),
    responses: {
      200: {
        description: 'Stored on disk, with its deliveries',
        headers: { 'x-hookrelay-event-id': { schema: { type: 'string' } } },
        content: {
          ...json(capturedSchema),
          // The challenge of a provider that verifies the URL.
          'text/plain': {},
        },
      },
      default: ERROR,
    },
  };
}

/** The operation's id, unique because it comes from the path: `get_api_endpoints_id_events`. */
function operationId(method: string, path: string): string {
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

function parametersOf(schemas: v.GenericSchema | undefined, place: 'query' | 'header'): object[] {
  if (!schemas) return [];
  const { properties = {} } = jsonSchema(schemas, 'input');
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: place,
    required: false,
    // A query's `from=` counts as absent.
    ...(place === 'query' && { allowEmptyValue: true }),
    schema,
  }));
}

/** In a PATCH, a missing member keeps its value, so it has no default. */
function bodySchema(body: v.GenericSchema, method: Route['method']): JsonSchema {
  const schema = jsonSchema(body, 'input');
  if (method !== 'PATCH') return schema;
  for (const member of Object.values(schema.properties ?? {})) {
    if (typeof member === 'object') delete member.default;
  }
  return schema;
}

function json(schema: v.GenericSchema): object {
  return { 'application/json': { schema: jsonSchema(schema, 'output') } };
}

function jsonSchema(schema: v.GenericSchema, typeMode: 'input' | 'output'): JsonSchema {
  // `$defs` holds what lazy schemas refer to; `alternatives` replaces these references.
  const {
    $schema: _,
    $defs: __,
    ...rest
  } = toJsonSchema(schema, {
    errorMode: 'ignore',
    typeMode,
    overrideSchema: ({ valibotSchema }) => alternatives(valibotSchema, typeMode),
  });
  return rest;
}

/** The alternatives of a lazy schema that names them. */
function alternatives(
  schema: object & { type: string; options?: unknown },
  typeMode: 'input' | 'output',
): JsonSchema | null {
  if (schema.type !== 'lazy' || !Array.isArray(schema.options)) return null;
  return { anyOf: schema.options.map((one: v.GenericSchema) => jsonSchema(one, typeMode)) };
}
