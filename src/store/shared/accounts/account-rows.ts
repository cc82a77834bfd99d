import { INTERNAL_USER } from '../../../core/channels/channel.ts';
import { HookrelayError } from '../../../core/errors.ts';
import type { Session } from '../../../core/model.ts';
import type { SessionLimits, SessionRotation } from '../../contract/accounts.ts';
import { Columns } from '../columns.ts';

/**
 * SQL condition: a row of `users` is a person's account. One account owns the internal endpoints.
 */
export const IS_PERSON = `id <> '${INTERNAL_USER.id}'`;

/** The largest number of sessions or API tokens in one list. */
export const MAX_LISTED = 100;

export const USER = new Columns({
  id: 'text',
  email: 'text',
  passwordHash: 'text',
  plan: 'text',
  createdAt: 'bigint',
});

/** Selects `UserOverview`s of all people's accounts, oldest first. */
export const USER_OVERVIEWS = `
  SELECT u.id, u.email, u.plan, u.created_at AS "createdAt",
    (SELECT count(*) FROM endpoints p WHERE p.user_id = u.id AND p.deleted_at IS NULL)
      AS endpoints,
    (SELECT CAST(coalesce(sum(c.count), 0) AS bigint) FROM endpoints p
      JOIN event_counts c ON c.endpoint_key = p.key
      WHERE p.user_id = u.id AND p.deleted_at IS NULL) AS events,
    (SELECT max(at) FROM (
      SELECT last_used_at AS at FROM sessions s WHERE s.user_id = u.id
      UNION ALL SELECT last_used_at FROM api_tokens t WHERE t.user_id = u.id) uses)
      AS "lastSeenAt"
  FROM users u WHERE ${IS_PERSON} ORDER BY u.id`;

export const SESSION = new Columns({
  id: 'text',
  userId: 'text',
  generation: 'integer',
  createdAt: 'bigint',
  lastUsedAt: 'bigint',
  address: 'text?',
  userAgent: 'text?',
});
/** The columns that each use of a session changes. */
export const SESSION_USE = SESSION.only('lastUsedAt', 'address', 'userAgent');

export const SESSIONS = `SELECT ${SESSION.read('s')} FROM sessions s`;

export function isExpired(session: Session, limits: SessionLimits, now: number): boolean {
  return now - session.lastUsedAt > limits.idleMs || now - session.createdAt > limits.absoluteMs;
}

/** Returns the outcome of a rotation. See `AccountStore.rotateSession`. */
export function rotationOutcome(
  session: Session | undefined,
  rotation: SessionRotation,
): 'rotated' | 'repeated' | 'reused' | 'gone' {
  const { generation, graceMs, now } = rotation;
  if (!session || isExpired(session, rotation, now)) return 'gone';
  if (session.generation === generation) return 'rotated';
  const isRecent = now - session.lastUsedAt <= graceMs;
  return session.generation === generation + 1 && isRecent ? 'repeated' : 'reused';
}

export function emailTaken(): HookrelayError {
  return new HookrelayError('email_taken', 'an account with this email already exists', {
    hint: 'log in instead',
  });
}
