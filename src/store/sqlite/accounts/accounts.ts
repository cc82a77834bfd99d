import type { Database } from 'better-sqlite3';
import { HookrelayError } from '../../../core/errors.ts';
import { INTERNAL_USER } from '../../../core/issues/channel.ts';
import type { Plan, Session, User } from '../../../core/model.ts';
import type {
  AccountStore,
  SessionLimits,
  SessionRotation,
  SessionRotationResult,
} from '../../contract/accounts.ts';
import type { Writer } from '../writing/writer.ts';

/** Whether a row of `users` is an account of a person. */
export const IS_PERSON = `id <> '${INTERNAL_USER.id}'`;

/** Most sessions in one list. */
const MAX_LISTED = 100;

interface SessionRow {
  id: string;
  user_id: string;
  generation: number;
  created_at: number;
  last_used_at: number;
  address: string | null;
  user_agent: string | null;
}

export class SqliteAccounts implements AccountStore {
  readonly #db: Database;
  readonly #writer: Writer;

  constructor(db: Database, writer: Writer) {
    this.#db = db;
    this.#writer = writer;
  }

  createUser(user: User & { passwordHash: string; createdAt: number }): Promise<void> {
    const insert = this.#db.prepare(`
      INSERT INTO users (id, email, password_hash, plan, created_at) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (email) DO NOTHING`);
    return this.#writer.write(() => {
      const { changes } = insert.run(
        user.id,
        user.email,
        user.passwordHash,
        user.plan,
        user.createdAt,
      );
      if (changes === 0) {
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
      INSERT INTO sessions (id, user_id, generation, created_at, last_used_at, address, user_agent)
      VALUES (?, ?, ?, ?, ?, ?, ?)`);
    const endOthers = this.#db.prepare(`
      DELETE FROM sessions WHERE id IN (
        SELECT id FROM sessions WHERE user_id = ? AND id <> ?
        ORDER BY last_used_at DESC, id DESC LIMIT -1 OFFSET ?)`);
    return this.#writer.write(() => {
      if (passwordHash !== undefined && present.get(session.userId) !== passwordHash) return false;
      insert.run(
        session.id,
        session.userId,
        session.generation,
        session.createdAt,
        session.lastUsedAt,
        session.address,
        session.userAgent,
      );
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
    const find = db.prepare<[string], SessionRow>('SELECT * FROM sessions WHERE id = ?');
    const remove = db.prepare('DELETE FROM sessions WHERE id = ?');
    const advance = db.prepare(`
      UPDATE sessions SET generation = generation + 1, last_used_at = ?, address = ?, user_agent = ?
      WHERE id = ?`);
    return this.#writer.write((): SessionRotationResult => {
      const { id, generation, now } = rotation;
      const row = find.get(id);
      if (!row) return { outcome: 'gone' };
      if (isExpired(row, rotation, now)) {
        remove.run(id);
        return { outcome: 'gone' };
      }
      if (row.generation === generation) {
        advance.run(now, rotation.address, rotation.userAgent, id);
        return {
          outcome: 'rotated',
          session: sessionOf(find.get(id) as SessionRow),
        };
      }
      if (row.generation === generation + 1 && now - row.last_used_at <= rotation.graceMs) {
        return { outcome: 'repeated', session: sessionOf(row) };
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
      .prepare<[string], SessionRow>(
        `SELECT * FROM sessions WHERE user_id = ?
        ORDER BY last_used_at DESC, id DESC LIMIT ${MAX_LISTED}`,
      )
      .all(userId)
      .filter((row) => !isExpired(row, limits, now))
      .map(sessionOf);
  }

  deleteSession(userId: string, sessionId: string): Promise<boolean> {
    const remove = this.#db.prepare('DELETE FROM sessions WHERE user_id = ? AND id = ?');
    return this.#writer.write(() => remove.run(userId, sessionId).changes > 0);
  }
}

export function isExpired(
  session: { created_at: number; last_used_at: number },
  limits: SessionLimits,
  now: number,
): boolean {
  return now - session.last_used_at > limits.idleMs || now - session.created_at > limits.absoluteMs;
}

function sessionOf(row: SessionRow): Session {
  return {
    id: row.id,
    userId: row.user_id,
    generation: row.generation,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    address: row.address,
    userAgent: row.user_agent,
  };
}
