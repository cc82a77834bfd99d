import * as v from 'valibot';
import { about } from '../about.ts';
import type { Calls } from '../contract.ts';
import { isoTimeSchema } from '../iso-time.ts';

export const sessionSchema = v.object({
  id: v.string(),
  created_at: isoTimeSchema,
  last_used_at: isoTimeSchema,
  expires_at: about(isoTimeSchema, 'Expiry of the session if it is not used.'),
  address: v.nullable(v.string()),
  user_agent: v.nullable(v.string()),
  current: about(v.boolean(), 'Whether this request belongs to the session.'),
});

const session = { tag: 'sessions', access: 'session' } as const;

export const SESSION_CALLS = {
  'GET /api/sessions': {
    ...session,
    summary: "List the account's sessions, last used first",
    response: v.array(sessionSchema),
  },
  'DELETE /api/sessions/{sessionId}': {
    ...session,
    summary: 'End a session: its refresh token stops working',
    audit: 'session.delete',
    status: 204,
  },
} as const satisfies Calls;
