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
import type { Database } from '../connection/database.ts';
import { lockAccount } from '../connection/locks.ts';
import { storable, storableRow } from '../connection/storable.ts';

/** Leaves out the account of internal endpoints, which nobody has. */
export const IS_PERSON = `id <> '${INTERNAL_USER.id}'`;

/** Most sessions in one list. */
const MAX_LISTED = 100;

const SESSIONS = `SELECT ${SESSION.read('s')} FROM sessions s`;

export class PostgresAccounts implements AccountStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async createUser(user: User & { passwordHash: string; createdAt: number }): Promise<void> {
    const made = await this.#db.run(
      `INSERT INTO users (${USER.names}) VALUES (${USER.numbers()})
       ON CONFLICT (email) DO NOTHING`,
      USER.values(user),
    );
    if (made > 0) return;
    throw new HookrelayError('email_taken', 'an account with this email exists already', {
      hint: 'log in instead',
    });
  }

  async findUserByEmail(email: string) {
    const [row] = await this.#db.rows<User & { passwordHash: string }>(
      `SELECT id, email, plan, password_hash AS "passwordHash" FROM users
       WHERE email = $1 AND ${IS_PERSON}`,
      [storable(email)],
    );
    return row ?? null;
  }

  async setPlan(email: string, plan: Plan): Promise<boolean> {
    const changed = await this.#db.run(
      `UPDATE users SET plan = $1 WHERE email = $2 AND ${IS_PERSON}`,
      [plan, storable(email)],
    );
    return changed > 0;
  }

  async countUsers(): Promise<number> {
    const [row] = await this.#db.rows<{ users: number }>(
      `SELECT count(*) AS users FROM users WHERE ${IS_PERSON}`,
    );
    return row?.users ?? 0;
  }

  createSession(session: Session, most: number, passwordHash?: string): Promise<boolean> {
    return this.#db.transaction(async (sql) => {
      await lockAccount(sql, session.userId);
      if (passwordHash !== undefined) {
        const present = await sql.rows('SELECT 1 FROM users WHERE id = $1 AND password_hash = $2', [
          session.userId,
          passwordHash,
        ]);
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
    });
  }

  changePassword(
    userId: string,
    { from, to, sessionId }: { from: string; to: string; sessionId: string },
  ): Promise<boolean> {
    return this.#db.transaction(async (sql) => {
      const changed = await sql.run(
        'UPDATE users SET password_hash = $1 WHERE id = $2 AND password_hash = $3',
        [to, userId, from],
      );
      if (changed === 0) return false;
      await sql.run('DELETE FROM sessions WHERE user_id = $1 AND id <> $2', [userId, sessionId]);
      return true;
    });
  }

  /** The row's lock serializes concurrent rotations, also of several nodes. */
  rotateSession(rotation: SessionRotation): Promise<SessionRotationResult> {
    const { id, generation, now } = rotation;
    return this.#db.transaction(async (sql): Promise<SessionRotationResult> => {
      const [session] = await sql.rows<Session>(`${SESSIONS} WHERE s.id = $1 FOR UPDATE`, [id]);
      if (!session) return { outcome: 'gone' };
      const remove = () => sql.run('DELETE FROM sessions WHERE id = $1', [id]);
      if (isExpired(session, rotation, now)) {
        await remove();
        return { outcome: 'gone' };
      }
      if (session.generation === generation) {
        const [rotated] = await sql.rows<Session>(
          `UPDATE sessions s SET generation = generation + 1,
             (${SESSION_USE.names}) = (${SESSION_USE.numbers(2)})
           WHERE id = $1 RETURNING ${SESSION.read('s')}`,
          [id, ...SESSION_USE.values(storableRow({ ...rotation, lastUsedAt: now }))],
        );
        return { outcome: 'rotated', session: rotated as Session };
      }
      if (session.generation === generation + 1 && now - session.lastUsedAt <= rotation.graceMs) {
        return { outcome: 'repeated', session };
      }
      await remove();
      return { outcome: 'reused' };
    });
  }

  async findSessionUser(sessionId: string): Promise<User | null> {
    const [row] = await this.#db.rows<User>(
      `SELECT u.id, u.email, u.plan FROM sessions s JOIN users u ON u.id = s.user_id
       WHERE s.id = $1`,
      [storable(sessionId)],
    );
    return row ?? null;
  }

  async listSessions(userId: string, limits: SessionLimits, now: number): Promise<Session[]> {
    const sessions = await this.#db.rows<Session>(
      `${SESSIONS} WHERE s.user_id = $1
       ORDER BY s.last_used_at DESC, s.id DESC LIMIT ${MAX_LISTED}`,
      [userId],
    );
    return sessions.filter((session) => !isExpired(session, limits, now));
  }

  async deleteSession(userId: string, sessionId: string): Promise<boolean> {
    const removed = await this.#db.run('DELETE FROM sessions WHERE user_id = $1 AND id = $2', [
      userId,
      storable(sessionId),
    ]);
    return removed > 0;
  }
}
