import type { Plan, Session, User } from '../../core/model.ts';

/** Counts the tries of a key in a window that starts with its first try. */
export interface AllowanceStore {
  /** Null if the key has no try, or its window has ended. */
  read(key: string, now: number): Promise<AllowanceUse | null>;
  /** Adds `points` (negative points give back) and returns the use after that. */
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
  /** False when there is no such account. */
  setPlan(email: string, plan: Plan): Promise<boolean>;
  countUsers(): Promise<number>;

  /**
   * Creates a session. The account keeps its `most` last used sessions, including the new
   * one; the others end. If `passwordHash` is given and is no longer the account's, it
   * creates nothing and returns false: a replaced password starts no session.
   */
  createSession(session: Session, most: number, passwordHash?: string): Promise<boolean>;
  /**
   * Moves a session from `generation` to the next one, atomically.
   *
   * - `rotated`: returns the session with the next generation.
   * - `repeated`: `generation` is the previous one, and was rotated at most `graceMs` ago.
   *   Nothing changes. The caller hands out the same successor again.
   * - `reused`: an older token came back. This deletes the session.
   * - `gone`: the session is unknown, revoked or expired (idle or absolute). This deletes
   *   an expired session.
   */
  rotateSession(rotation: SessionRotation): Promise<SessionRotationResult>;
  /** The account of a session; null if the session has ended. Doesn't check expiry. */
  findSessionUser(sessionId: string): Promise<User | null>;
  /** The account's live sessions, last used first; the first 100. */
  listSessions(userId: string, limits: SessionLimits, now: number): Promise<Session[]>;
  /**
   * Replaces the password and ends all other sessions of the account, in one commit.
   * False if the password is no longer `from`.
   */
  changePassword(
    userId: string,
    change: { from: string; to: string; sessionId: string },
  ): Promise<boolean>;
  /** False when the account has no such session. */
  deleteSession(userId: string, sessionId: string): Promise<boolean>;
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
