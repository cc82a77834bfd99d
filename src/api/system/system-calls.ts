import * as v from 'valibot';
import type { Calls } from '../contract.ts';
import { systemSchema } from './system-schema.ts';

const ok = v.object({ status: v.string() });

const open = { tag: 'system', access: 'public' } as const;

export const SYSTEM_CALLS = {
  'GET /healthz': {
    ...open,
    summary: 'Check that the process is up',
    response: ok,
  },
  'GET /readyz': {
    ...open,
    summary: 'Check that the server can store events now',
    response: ok,
  },
  'GET /metrics': {
    ...open,
    summary: 'Get metrics for Prometheus',
    mediaType: 'text/plain',
  },
  'GET /api/system': {
    summary: 'Get the server’s versions, its disk and its index, and what is wrong with them',
    tag: 'system',
    access: 'account',
    scope: 'read',
    response: systemSchema,
  },
  'GET /api/openapi.json': {
    ...open,
    summary: 'Get the OpenAPI document of this API',
    mediaType: 'application/json',
  },
} as const satisfies Calls;
