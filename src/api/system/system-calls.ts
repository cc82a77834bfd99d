import * as v from 'valibot';
import type { Calls } from '../contract.ts';
import { systemSchema } from './system-schema.ts';

const ok = v.object({ status: v.string() });

export const SYSTEM_CALLS = {
  'GET /healthz': {
    summary: 'Check that the process is up',
    tag: 'system',
    access: 'public',
    status: 200,
    response: ok,
  },
  'GET /readyz': {
    summary: 'Check that the server can store events now',
    tag: 'system',
    access: 'public',
    status: 200,
    response: ok,
  },
  'GET /metrics': {
    summary: 'Get metrics for Prometheus',
    tag: 'system',
    access: 'public',
    status: 200,
    mediaType: 'text/plain',
  },
  'GET /api/system': {
    summary: 'Get the server’s versions, its disk and its index, and what is wrong with them',
    tag: 'system',
    access: 'account',
    scope: 'read',
    status: 200,
    response: systemSchema,
  },
  'GET /api/openapi.json': {
    summary: 'Get the OpenAPI document of this API',
    tag: 'system',
    access: 'public',
    status: 200,
    mediaType: 'application/json',
  },
} as const satisfies Calls;
