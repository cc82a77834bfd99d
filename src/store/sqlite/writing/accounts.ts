import type { Database } from 'better-sqlite3';
import { HookrelayError } from '../../../core/errors.ts';
import { limitReached } from '../../../core/limits.ts';
import type { ApiToken, Plan, Session, User } from '../../../core/model.ts';
import type {
  AccountStore,
  SessionLimits,
  SessionRotation,
  SessionRotationResult,
} from '../../contract/accounts.ts';
import type { Writer } from './writer.ts';

/** Shortest time between two records of an API token's use, ms: a read should not cost a write. */
const TOKEN_USE_GRAIN_MS = 60_000;
/** Most sessions or tokens in one list. */
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
        'SELECT id, email, plan, password_hash AS passwordHash FROM users WHERE email = ?',
      )
      .get(email);
    return row ?? null;
  }

  setPlan(email: string, plan: Plan): Promise<boolean> {
    const update = this.#db.prepare('UPDATE users SET plan = ? WHERE email = ?');
    return this.#writer.write(() => update.run(plan, email).changes > 0);
  }

  async countUsers(): Promise<number> {
    return this.#db.prepare('SELECT count(*) FROM users').pluck().get() as number;
  }

  async createSession(session: Session, most: number): Promise<void> {
    const insert = this.#db.prepare(`
      INSERT INTO sessions (id, user_id, generation, created_at, last_used_at, address, user_agent)
      VALUES (?, ?, ?, ?, ?, ?, ?)`);
    const endOthers = this.#db.prepare(`
      DELETE FROM sessions WHERE id IN (
        SELECT id FROM sessions WHERE user_id = ? AND id <> ?
        ORDER BY last_used_at DESC, id DESC LIMIT -1 OFFSET ?)`);
    await this.#writer.write(() => {
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

  async createApiToken(
    token: ApiToken & { userId: string; hash: Uint8Array },
    most: number,
  ): Promise<void> {
    const count = this.#db
      .prepare<[string], number>('SELECT count(*) FROM api_tokens WHERE user_id = ?')
      .pluck();
    const insert = this.#db.prepare(`
      INSERT INTO api_tokens (id, user_id, name, hash, created_at) VALUES (?, ?, ?, ?, ?)`);
    await this.#writer.write(() => {
      if (Number(count.get(token.userId)) >= most) throw limitReached('tokens', most);
      insert.run(token.id, token.userId, token.name, token.hash, token.createdAt);
    });
  }

  async listApiTokens(userId: string): Promise<ApiToken[]> {
    return this.#db
      .prepare<[string], ApiToken>(`
        SELECT id, name, created_at AS createdAt, last_used_at AS lastUsedAt
        FROM api_tokens WHERE user_id = ? ORDER BY id DESC LIMIT ${MAX_LISTED}`)
      .all(userId);
  }

  deleteApiToken(userId: string, tokenId: string): Promise<boolean> {
    const remove = this.#db.prepare('DELETE FROM api_tokens WHERE user_id = ? AND id = ?');
    return this.#writer.write(() => remove.run(userId, tokenId).changes > 0);
  }

  async useApiToken(hash: Uint8Array, now: number) {
    const row = this.#db
      .prepare<[Uint8Array], User & { tokenId: string; lastUsedAt: number | null }>(`
        SELECT u.id, u.email, u.plan, t.id AS tokenId, t.last_used_at AS lastUsedAt
        FROM api_tokens t JOIN users u ON u.id = t.user_id WHERE t.hash = ?`)
      .get(hash);
    if (!row) return null;
    const { tokenId, lastUsedAt, ...user } = row;
    if (lastUsedAt === null || now - lastUsedAt >= TOKEN_USE_GRAIN_MS) {
      const touch = this.#db.prepare('UPDATE api_tokens SET last_used_at = ? WHERE id = ?');
      await this.#writer.write(() => touch.run(now, tokenId)).catch(() => {});
    }
    return { tokenId, user };
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
