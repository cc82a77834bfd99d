import type { Calls } from '../contract.ts';
import { overviewQuerySchema, overviewSchema } from './overview-schema.ts';

export const OVERVIEW_CALLS = {
  'GET /api/overview': {
    summary: 'Get what arrived, was delivered, waits and is wrong at all endpoints',
    tag: 'stats',
    access: 'account-part',
    scope: 'read',
    query: overviewQuerySchema,
    response: overviewSchema,
  },
} as const satisfies Calls;
