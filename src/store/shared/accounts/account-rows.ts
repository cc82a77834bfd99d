import type { Session } from '../../../core/model.ts';
import type { SessionLimits } from '../../contract/accounts.ts';
import { Columns } from '../columns.ts';

export const USER = new Columns({
  id: 'text',
  email: 'text',
  passwordHash: 'text',
  plan: 'text',
  createdAt: 'bigint',
});

export const SESSION = new Columns({
  id: 'text',
  userId: 'text',
  generation: 'integer',
  createdAt: 'bigint',
  lastUsedAt: 'bigint',
  address: 'text?',
  userAgent: 'text?',
});
/** What the use of a session changes, beside its generation. */
export const SESSION_USE = SESSION.only('lastUsedAt', 'address', 'userAgent');

export function isExpired(session: Session, limits: SessionLimits, now: number): boolean {
  return now - session.lastUsedAt > limits.idleMs || now - session.createdAt > limits.absoluteMs;
}
