import * as v from 'valibot';
import type { Calls } from '../contract.ts';

const page = { tag: 'page', access: 'public', mediaType: 'text/html' } as const;

export const CONFIRM_CALLS = {
  'GET /confirm': {
    ...page,
    summary: 'Ask whether an address wants alerts',
    query: v.object({ token: v.optional(v.string(), '') }),
  },
  'POST /confirm': {
    ...page,
    summary: 'Confirm that an address wants alerts',
    audit: { unaudited: 'nobody is signed in: the entry names the address' },
  },
} as const satisfies Calls;
