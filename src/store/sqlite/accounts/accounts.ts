import type { Database } from 'better-sqlite3';
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
import type { Writer } from '../files/writer.ts';

export function sqliteAccounts(db: Database, writer: Writer): AccountStore {
  return {
    createUser(user) {
      const insert = db.prepare(`
        INSERT INTO users (${USER.names}) VALUES (${USER.marks}) ON CONFLICT (email) DO NOTHING`);
      return writer.write(() => {
        if (insert.run(USER.values(user)).changes === 0) throw emailTaken();
      });
    },

    async findUserByEmail(email) {
      const row = db
        .prepare<[string], User & { passwordHash: string }>(`
          SELECT id, email, plan, password_hash AS passwordHash FROM users
          WHERE email = ? AND ${IS_PERSON}`)
        .get(email);
      return row ?? null;
    },

    setPlan(email, plan) {
      const update = db.prepare(`UPDATE users SET plan = ? WHERE email = ? AND ${IS_PERSON}`);
      return writer.write(() => update.run(plan, email).changes > 0);
    },

    async countUsers() {
      const count = db.prepare(`SELECT count(*) FROM users WHERE ${IS_PERSON}`).pluck();
      return count.get() as number;
    },

    createSession(session, most, passwordHash) {
      const present = db.prepare('SELECT password_hash FROM users WHERE id = ?').pluck();
      const insert = db.prepare(`
        INSERT INTO sessions (${SESSION.names}) VALUES (${SESSION.marks})`);
      const endOthers = db.prepare(`
        DELETE FROM sessions WHERE id IN (
          SELECT id FROM sessions WHERE user_id = ? AND id <> ?
          ORDER BY last_used_at DESC, id DESC LIMIT -1 OFFSET ?)`);
      return writer.write(() => {
        if (passwordHash !== undefined && present.get(session.userId) !== passwordHash)
          return false;
        insert.run(SESSION.values(session));
        endOthers.run(session.userId, session.id, most - 1);
        return true;
      });
    },

    changePassword(userId, { from, to, sessionId }) {
      const update = db.prepare(
        'UPDATE users SET password_hash = ? WHERE id = ? AND password_hash = ?',
      );
      const endOthers = db.prepare('DELETE FROM sessions WHERE user_id = ? AND id <> ?');
      return writer.write(() => {
        if (update.run(to, userId, from).changes === 0) return false;
        endOthers.run(userId, sessionId);
        return true;
      });
    },

    rotateSession(rotation) {
      const { id, now } = rotation;
      const find = db.prepare<[string], Session>(`${SESSIONS} WHERE s.id = ?`);
      const remove = db.prepare('DELETE FROM sessions WHERE id = ?');
      const advance = db.prepare(`
        UPDATE sessions SET generation = generation + 1, (${SESSION_USE.names}) = (${SESSION_USE.marks})
        WHERE id = ?`);
      return writer.write(() => {
        const session = find.get(id);
        const outcome = rotationOutcome(session, rotation);
        if (outcome === 'gone' || outcome === 'reused') {
          remove.run(id);
          return { outcome };
        }
        if (outcome === 'rotated') {
          advance.run(SESSION_USE.values({ ...rotation, lastUsedAt: now }), id);
        }
        return { outcome, session: find.get(id) as Session };
      });
    },

    async findSessionUser(sessionId) {
      const row = db
        .prepare<[string], User>(`
          SELECT u.id, u.email, u.plan FROM sessions s JOIN users u ON u.id = s.user_id
          WHERE s.id = ?`)
        .get(sessionId);
      return row ?? null;
    },

    listSessions: async (userId, limits, now) =>
      db
        .prepare<[string], Session>(`
          ${SESSIONS} WHERE s.user_id = ?
          ORDER BY s.last_used_at DESC, s.id DESC LIMIT ${MAX_LISTED}`)
        .all(userId)
        .filter((session) => !isExpired(session, limits, now)),

    deleteSession(userId, sessionId) {
      const remove = db.prepare('DELETE FROM sessions WHERE user_id = ? AND id = ?');
      return writer.write(() => remove.run(userId, sessionId).changes > 0);
    },
  };
}
