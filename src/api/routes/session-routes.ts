import * as v from 'valibot';
import { type Accounts, SESSION_LIMITS } from '../../accounts/accounts.ts';
import type { Session } from '../../core/model.ts';
import { type Route, route } from '../route.ts';
import { isoTime, isoTimeSchema } from '../views.ts';

const sessionSchema = v.object({
  id: v.string(),
  created_at: isoTimeSchema,
  last_used_at: isoTimeSchema,
  expires_at: v.pipe(isoTimeSchema, v.description('Expiry of the session if it is not used.')),
  address: v.nullable(v.string()),
  user_agent: v.nullable(v.string()),
  current: v.pipe(v.boolean(), v.description('Whether this request belongs to the session.')),
});

/** Routes of the account's logins. */
export function sessionRoutes(accounts: Accounts): Route[] {
  const tag = 'sessions';
  return [
    route({
      method: 'GET',
      path: '/api/sessions',
      summary: "List the account's sessions, last used first",
      tag,
      access: 'session',
      status: 200,
      response: v.array(sessionSchema),
      handle: async ({ principal }) => {
        const sessions = await accounts.listSessions(principal.user.id);
        return sessions.map((session) => sessionView(session, principal.sessionId));
      },
    }),
    route({
      method: 'DELETE',
      path: '/api/sessions/{sessionId}',
      summary: 'End a session: its refresh token stops working',
      tag,
      access: 'session',
      audit: 'session.delete',
      status: 204,
      async handle({ principal, params, record }) {
        const id = params.sessionId as string;
        await accounts.endSession(principal.user.id, id);
        record({ target: { type: 'session', id, name: null } });
      },
    }),
  ];
}

function sessionView(
  session: Session,
  currentId: string | null,
): v.InferOutput<typeof sessionSchema> {
  const { createdAt, lastUsedAt } = session;
  const { idleMs, absoluteMs } = SESSION_LIMITS;
  return {
    id: session.id,
    created_at: isoTime(createdAt),
    last_used_at: isoTime(lastUsedAt),
    expires_at: isoTime(Math.min(lastUsedAt + idleMs, createdAt + absoluteMs)),
    address: session.address,
    user_agent: session.userAgent,
    current: session.id === currentId,
  };
}
