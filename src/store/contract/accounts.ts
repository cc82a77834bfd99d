import type { ApiToken, Plan, Session, User } from '../../core/model.ts';

/** Counts tries for a key in a window that starts with the first of them. */
export interface AllowanceStore {
  /** Null when nothing is counted, or the window has ended. */
  read(key: string, now: number): Promise<AllowanceUse | null>;
  /** Adds `points` (negative ones give back) and returns what is used then. */
  add(key: string, points: number, windowMs: number, now: number): Promise<AllowanceUse>;
  clear(key: string): Promise<void>;
}

export interface AllowanceUse {
  used: number;
  expiresAt: number;
}

export interface AccountStore {
  /** Throws `email_taken`. */
  createUser(user: User & { passwordHash: string; createdAt: number }): Promise<void>;
  /** Null when unknown. */
  findUserByEmail(email: string): Promise<(User & { passwordHash: string }) | null>;
  /** False when no such account. */
  setPlan(email: string, plan: Plan): Promise<boolean>;
  countUsers(): Promise<number>;

  /** Ends those sessions of the account that were unused for longest, past `most`. */
  createSession(session: Session, most: number): Promise<void>;
  /**
   * Moves a session from `generation` to the next, atomically.
   *
   * - `rotated`: done; the session is returned as it is now.
   * - `repeated`: `generation` is the one before the current and was rotated at
   *   most `graceMs` ago. Nothing changed; the caller hands out the same successor.
   * - `reused`: an older token came back. The whole session is deleted.
   * - `gone`: unknown, expired (idle or absolute, then deleted), or revoked.
   */
  rotateSession(rotation: SessionRotation): Promise<SessionRotationResult>;
  /** The account that a session is of; null once it has ended. Expiry isn't looked at. */
  findSessionUser(sessionId: string): Promise<User | null>;
  /** Live ones, last used first; the first 100. */
  listSessions(userId: string, limits: SessionLimits, now: number): Promise<Session[]>;
  /** False when the account has no such session. */
  deleteSession(userId: string, sessionId: string): Promise<boolean>;

  /** Throws `limit_reached` where the account has `most` tokens. */
  createApiToken(
    token: ApiToken & { userId: string; hash: Uint8Array },
    most: number,
  ): Promise<void>;
  /** Newest first; the first 100. */
  listApiTokens(userId: string): Promise<ApiToken[]>;
  deleteApiToken(userId: string, tokenId: string): Promise<boolean>;
  /**
   * The account that a token stands for; null when unknown. Notes its use, to
   * the minute, if that can be written: a full disk must not keep anyone out.
   */
  useApiToken(hash: Uint8Array, now: number): Promise<{ tokenId: string; user: User } | null>;
}

export interface SessionLimits {
  idleMs: number;
  absoluteMs: number;
}

export interface SessionRotation extends SessionLimits {
  id: string;
  generation: number;
  graceMs: number;
  now: number;
  address: string | null;
  userAgent: string | null;
}

export type SessionRotationResult =
  | { outcome: 'rotated' | 'repeated'; session: Session }
  | { outcome: 'reused' | 'gone' };
