import type { Session, User } from '../../../core/model.ts';
import type { AccountStore } from '../../contract/accounts.ts';
import {
  emailTaken,
  IS_PERSON,
  isExpired,
  MAX_LISTED,
  rotationOutcome,
  SESSION,
  SESSION_USE,
  SESSIONS,
  USER,
} from '../../shared/accounts/account-rows.ts';
import type { Database } from '../connection/database.ts';
import { lockAccount } from '../connection/locks.ts';
import { storable, storableRow } from '../connection/storable.ts';

export function postgresAccounts(db: Database): AccountStore {
  return {
    async createUser(user) {
      const made = await db.run(
        `INSERT INTO users (${USER.names}) VALUES (${USER.numbers()})
         ON CONFLICT (email) DO NOTHING`,
        USER.values(user),
      );
      if (made === 0) throw emailTaken();
    },

    async findUserByEmail(email) {
      const [row] = await db.rows<User & { passwordHash: string }>(
        `SELECT id, email, plan, password_hash AS "passwordHash" FROM users
         WHERE email = $1 AND ${IS_PERSON}`,
        [storable(email)],
      );
      return row ?? null;
    },

    async setPlan(email, plan) {
      const changed = await db.run(`UPDATE users SET plan = $1 WHERE email = $2 AND ${IS_PERSON}`, [
        plan,
        storable(email),
      ]);
      return changed > 0;
    },

    async countUsers() {
      const [row] = await db.rows<{ users: number }>(
        `SELECT count(*) AS users FROM users WHERE ${IS_PERSON}`,
      );
      return row?.users ?? 0;
    },

    createSession: (session, most, passwordHash) =>
      db.transaction(async (sql) => {
        await lockAccount(sql, session.userId);
        if (passwordHash !== undefined) {
          const present = await sql.rows(
            'SELECT 1 FROM users WHERE id = $1 AND password_hash = $2',
            [session.userId, passwordHash],
          );
          if (present.length === 0) return false;
        }
        await sql.run(
          `INSERT INTO sessions (${SESSION.names}) VALUES (${SESSION.numbers()})`,
          SESSION.values(storableRow(session)),
        );
        await sql.run(
          `DELETE FROM sessions WHERE id IN (
             SELECT id FROM sessions WHERE user_id = $1 AND id <> $2
             ORDER BY last_used_at DESC, id DESC OFFSET $3)`,
          [session.userId, session.id, most - 1],
        );
        return true;
      }),

    changePassword: (userId, { from, to, sessionId }) =>
      db.transaction(async (sql) => {
        const changed = await sql.run(
          'UPDATE users SET password_hash = $1 WHERE id = $2 AND password_hash = $3',
          [to, userId, from],
        );
        if (changed === 0) return false;
        await sql.run('DELETE FROM sessions WHERE user_id = $1 AND id <> $2', [userId, sessionId]);
        return true;
      }),

    // The lock on the row serializes concurrent rotations of the session on all nodes.
    rotateSession(rotation) {
      const { id, now } = rotation;
      return db.transaction(async (sql) => {
        const [session] = await sql.rows<Session>(`${SESSIONS} WHERE s.id = $1 FOR UPDATE`, [id]);
        const outcome = rotationOutcome(session, rotation);
        if (outcome === 'gone' || outcome === 'reused') {
          await sql.run('DELETE FROM sessions WHERE id = $1', [id]);
          return { outcome };
        }
        if (outcome === 'repeated') return { outcome, session: session as Session };
        const [rotated] = await sql.rows<Session>(
          `UPDATE sessions s SET generation = generation + 1,
             (${SESSION_USE.names}) = (${SESSION_USE.numbers(2)})
           WHERE id = $1 RETURNING ${SESSION.read('s')}`,
          [id, ...SESSION_USE.values(storableRow({ ...rotation, lastUsedAt: now }))],
        );
        return { outcome, session: rotated as Session };
      });
    },

    async findSessionUser(sessionId) {
      const [row] = await db.rows<User>(
        `SELECT u.id, u.email, u.plan FROM sessions s JOIN users u ON u.id = s.user_id
         WHERE s.id = $1`,
        [storable(sessionId)],
      );
      return row ?? null;
    },

    async listSessions(userId, limits, now) {
      const sessions = await db.rows<Session>(
        `${SESSIONS} WHERE s.user_id = $1
         ORDER BY s.last_used_at DESC, s.id DESC LIMIT ${MAX_LISTED}`,
        [userId],
      );
      return sessions.filter((session) => !isExpired(session, limits, now));
    },

    async deleteSession(userId, sessionId) {
      const removed = await db.run('DELETE FROM sessions WHERE user_id = $1 AND id = $2', [
        userId,
        storable(sessionId),
      ]);
      return removed > 0;
    },
  };
}
