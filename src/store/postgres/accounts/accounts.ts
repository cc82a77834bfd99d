import { HookrelayError } from '../../../core/errors.ts';
import { INTERNAL_USER } from '../../../core/issues/channel.ts';
import type { Plan, Session, User } from '../../../core/model.ts';
import type {
  AccountStore,
  SessionLimits,
  SessionRotation,
  SessionRotationResult,
} from '../../contract/accounts.ts';
import type { Database } from '../connection/database.ts';
import { lockAccount } from '../connection/locks.ts';
import { storable } from '../connection/storable.ts';

/** Leaves out the account of internal endpoints, which nobody has. */
export const IS_PERSON = `id <> '${INTERNAL_USER.id}'`;

/** Most sessions in one list. */
const MAX_LISTED = 100;

const SESSION_COLUMNS = `id, user_id AS "userId", generation, created_at AS "createdAt",
  last_used_at AS "lastUsedAt", address, user_agent AS "userAgent"`;

export class PostgresAccounts implements AccountStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async createUser(user: User & { passwordHash: string; createdAt: number }): Promise<void> {
    const made = await this.#db.run(
      `INSERT INTO users (id, email, password_hash, plan, created_at) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (email) DO NOTHING`,
      [user.id, user.email, user.passwordHash, user.plan, user.createdAt],
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
        `INSERT INTO sessions
           (id, user_id, generation, created_at, last_used_at, address, user_agent)
         VALUES ($1, $2, $3, $4, $5, $6, $7)`,
        [
          session.id,
          session.userId,
          session.generation,
          session.createdAt,
          session.lastUsedAt,
          session.address,
          storable(session.userAgent),
        ],
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
      const [session] = await sql.rows<Session>(
        `SELECT ${SESSION_COLUMNS} FROM sessions WHERE id = $1 FOR UPDATE`,
        [id],
      );
      if (!session) return { outcome: 'gone' };
      const remove = () => sql.run('DELETE FROM sessions WHERE id = $1', [id]);
      if (isExpired(session, rotation, now)) {
        await remove();
        return { outcome: 'gone' };
      }
      if (session.generation === generation) {
        const [rotated] = await sql.rows<Session>(
          `UPDATE sessions
           SET generation = generation + 1, last_used_at = $1, address = $2, user_agent = $3
           WHERE id = $4 RETURNING ${SESSION_COLUMNS}`,
          [now, rotation.address, storable(rotation.userAgent), id],
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
      `SELECT ${SESSION_COLUMNS} FROM sessions WHERE user_id = $1
       ORDER BY last_used_at DESC, id DESC LIMIT ${MAX_LISTED}`,
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

function isExpired(session: Session, limits: SessionLimits, now: number): boolean {
  return now - session.lastUsedAt > limits.idleMs || now - session.createdAt > limits.absoluteMs;
}
