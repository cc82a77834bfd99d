import * as v from 'valibot';
import type { Calls } from '../contract.ts';
import {
  endpointPatchSchema,
  endpointSchema,
  newEndpointSchema,
  savedEndpointSchema,
} from './endpoint-schema.ts';

export const ENDPOINT_CALLS = {
  'GET /api/endpoints': {
    summary: 'List the account’s endpoints, newest first',
    tag: 'endpoints',
    access: 'account-part',
    scope: 'read',
    response: v.array(endpointSchema),
  },
  'POST /api/endpoints': {
    summary: 'Create an endpoint',
    tag: 'endpoints',
    access: 'account',
    scope: 'write',
    audit: 'endpoint.create',
    body: newEndpointSchema,
    status: 201,
    response: savedEndpointSchema,
  },
  'GET /api/endpoints/{id}': {
    summary: 'Get an endpoint',
    tag: 'endpoints',
    access: 'endpoint',
    scope: 'read',
    response: endpointSchema,
  },
  'PATCH /api/endpoints/{id}': {
    summary:
      'Change an endpoint: its name, state, answer to senders, retention, expectation, source, dedupe or what it does with events that filters cannot judge',
    tag: 'endpoints',
    access: 'endpoint',
    scope: 'write',
    audit: 'endpoint.update',
    body: endpointPatchSchema,
    response: savedEndpointSchema,
  },
  'DELETE /api/endpoints/{id}': {
    summary: 'Delete an endpoint and all its events for good',
    tag: 'endpoints',
    access: 'endpoint',
    scope: 'write',
    audit: 'endpoint.delete',
    status: 204,
  },
} as const satisfies Calls;
