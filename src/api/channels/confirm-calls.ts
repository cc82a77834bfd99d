import * as v from 'valibot';
import type { Calls } from '../contract.ts';

export const CONFIRM_CALLS = {
  'GET /confirm': {
    summary: 'Ask whether an address wants alerts',
    tag: 'page',
    access: 'public',
    query: v.object({ token: v.optional(v.string(), '') }),
    status: 200,
    mediaType: 'text/html',
  },
  'POST /confirm': {
    summary: 'Confirm that an address wants alerts',
    tag: 'page',
    access: 'public',
    audit: { unaudited: 'nobody is signed in: the entry names the address' },
    status: 200,
    mediaType: 'text/html',
  },
} as const satisfies Calls;
