import type * as v from 'valibot';
import { type Accounts, SESSION_LIMITS } from '../../accounts/accounts.ts';
import type { Session } from '../../core/model.ts';
import { isoTime } from '../iso-time.ts';
import { type Route, routesOf } from '../route.ts';
import { SESSION_CALLS, type sessionSchema } from './session-calls.ts';

/** Routes of the account's logins. */
export function sessionRoutes(accounts: Accounts): Route[] {
  return routesOf(SESSION_CALLS, {
    'GET /api/sessions': async ({ principal }) => {
      const sessions = await accounts.listSessions(principal.user.id);
      return sessions.map((session) => sessionView(session, principal.sessionId));
    },
    async 'DELETE /api/sessions/{sessionId}'({ principal, params, record }) {
      const id = params.sessionId;
      await accounts.endSession(principal.user.id, id);
      record({ target: { type: 'session', id, name: null } });
    },
  });
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
