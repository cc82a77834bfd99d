import type { Database } from 'better-sqlite3';
import { INTERNAL_USER } from '../../../core/channels/channel.ts';
import { HookrelayError } from '../../../core/errors.ts';
import type { Plan, Session, User } from '../../../core/model.ts';
import type {
  AccountStore,
  SessionLimits,
  SessionRotation,
  SessionRotationResult,
} from '../../contract/accounts.ts';
import { isExpired, SESSION, SESSION_USE, USER } from '../../shared/accounts/account-rows.ts';
import type { Writer } from '../files/writer.ts';

/** Whether a row of `users` is an account of a person. */
export const IS_PERSON = `id <> '${INTERNAL_USER.id}'`;

/** Most sessions in one list. */
const MAX_LISTED = 100;

const SESSIONS = `SELECT ${SESSION.read('s')} FROM sessions s`;

export class SqliteAccounts implements AccountStore {
  readonly #db: Database;
  readonly #writer: Writer;

  constructor(db: Database, writer: Writer) {
    this.#db = db;
    this.#writer = writer;
  }

  createUser(user: User & { passwordHash: string; createdAt: number }): Promise<void> {
    const insert = this.#db.prepare(`
      INSERT INTO users (${USER.names}) VALUES (${USER.marks}) ON CONFLICT (email) DO NOTHING`);
    return this.#writer.write(() => {
      if (insert.run(USER.values(user)).changes === 0) {
        throw new HookrelayError('email_taken', 'an account with this email exists already', {
          hint: 'log in instead',
        });
      }
    });
  }

  async findUserByEmail(email: string) {
    const row = this.#db
      .prepare<[string], User & { passwordHash: string }>(
        `SELECT id, email, plan, password_hash AS passwordHash FROM users
        WHERE email = ? AND ${IS_PERSON}`,
      )
      .get(email);
    return row ?? null;
  }

  setPlan(email: string, plan: Plan): Promise<boolean> {
    const update = this.#db.prepare(`UPDATE users SET plan = ? WHERE email = ? AND ${IS_PERSON}`);
    return this.#writer.write(() => update.run(plan, email).changes > 0);
  }

  async countUsers(): Promise<number> {
    return this.#db
      .prepare(`SELECT count(*) FROM users WHERE ${IS_PERSON}`)
      .pluck()
      .get() as number;
  }

  createSession(session: Session, most: number, passwordHash?: string): Promise<boolean> {
    const present = this.#db
      .prepare<[string], string>('SELECT password_hash FROM users WHERE id = ?')
      .pluck();
    const insert = this.#db.prepare(`
      INSERT INTO sessions (${SESSION.names}) VALUES (${SESSION.marks})`);
    const endOthers = this.#db.prepare(`
      DELETE FROM sessions WHERE id IN (
        SELECT id FROM sessions WHERE user_id = ? AND id <> ?
        ORDER BY last_used_at DESC, id DESC LIMIT -1 OFFSET ?)`);
    return this.#writer.write(() => {
      if (passwordHash !== undefined && present.get(session.userId) !== passwordHash) return false;
      insert.run(SESSION.values(session));
      endOthers.run(session.userId, session.id, most - 1);
      return true;
    });
  }

  changePassword(
    userId: string,
    { from, to, sessionId }: { from: string; to: string; sessionId: string },
  ): Promise<boolean> {
    const update = this.#db.prepare(
      'UPDATE users SET password_hash = ? WHERE id = ? AND password_hash = ?',
    );
    const endOthers = this.#db.prepare('DELETE FROM sessions WHERE user_id = ? AND id <> ?');
    return this.#writer.write(() => {
      if (update.run(to, userId, from).changes === 0) return false;
      endOthers.run(userId, sessionId);
      return true;
    });
  }

  rotateSession(rotation: SessionRotation): Promise<SessionRotationResult> {
    const db = this.#db;
    const find = db.prepare<[string], Session>(`${SESSIONS} WHERE s.id = ?`);
    const remove = db.prepare('DELETE FROM sessions WHERE id = ?');
    const advance = db.prepare(`
      UPDATE sessions SET generation = generation + 1, (${SESSION_USE.names}) = (${SESSION_USE.marks})
      WHERE id = ?`);
    return this.#writer.write((): SessionRotationResult => {
      const { id, generation, now } = rotation;
      const session = find.get(id);
      if (!session) return { outcome: 'gone' };
      if (isExpired(session, rotation, now)) {
        remove.run(id);
        return { outcome: 'gone' };
      }
      if (session.generation === generation) {
        advance.run(SESSION_USE.values({ ...rotation, lastUsedAt: now }), id);
        return { outcome: 'rotated', session: find.get(id) as Session };
      }
      if (session.generation === generation + 1 && now - session.lastUsedAt <= rotation.graceMs) {
        return { outcome: 'repeated', session };
      }
      remove.run(id);
      return { outcome: 'reused' };
    });
  }

  async findSessionUser(sessionId: string): Promise<User | null> {
    const row = this.#db
      .prepare<[string], User>(`
        SELECT u.id, u.email, u.plan FROM sessions s JOIN users u ON u.id = s.user_id
        WHERE s.id = ?`)
      .get(sessionId);
    return row ?? null;
  }

  async listSessions(userId: string, limits: SessionLimits, now: number): Promise<Session[]> {
    return this.#db
      .prepare<[string], Session>(
        `${SESSIONS} WHERE s.user_id = ?
        ORDER BY s.last_used_at DESC, s.id DESC LIMIT ${MAX_LISTED}`,
      )
      .all(userId)
      .filter((session) => !isExpired(session, limits, now));
  }

  deleteSession(userId: string, sessionId: string): Promise<boolean> {
    const remove = this.#db.prepare('DELETE FROM sessions WHERE user_id = ? AND id = ?');
    return this.#writer.write(() => remove.run(userId, sessionId).changes > 0);
  }
}
