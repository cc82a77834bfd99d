import type { Plan, Session, User } from '../../core/model.ts';

/** Counts the tries of a key in a window that starts with its first try. */
export interface AllowanceStore {
  /** Returns null if the key has no tries, or if its window has ended. */
  read(key: string, now: number): Promise<AllowanceUse | null>;
  /** Adds `points` to the key's use, and returns the new use. Negative points give tries back. */
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
  /** Returns null if no account has this email. */
  findUserByEmail(email: string): Promise<(User & { passwordHash: string }) | null>;
  /** Returns false if there is no such account. */
  setPlan(email: string, plan: Plan): Promise<boolean>;
  countUsers(): Promise<number>;

  /**
   * Creates a session. The account keeps the `most` sessions that it used last, including the new
   * one. This ends all others.
   *
   * Returns false, and creates nothing, if `passwordHash` is given but the account has another one
   * by now. Otherwise a sign-in with a replaced password could still start a session.
   */
  createSession(session: Session, most: number, passwordHash?: string): Promise<boolean>;
  /**
   * Moves a session from `generation` to the next one, atomically.
   *
   * - `rotated`: returns the session with the next generation.
   * - `repeated`: `generation` is the previous one, and was rotated at most `graceMs` ago. Nothing
   *   changes. The caller hands out the same successor again.
   * - `reused`: an older token came back. This deletes the session.
   * - `gone`: the session is unknown, revoked or expired (idle or absolute). This deletes an
   *   expired session.
   */
  rotateSession(rotation: SessionRotation): Promise<SessionRotationResult>;
  /** Returns the account of a session, or null if the session has ended. Doesn't check expiry. */
  findSessionUser(sessionId: string): Promise<User | null>;
  /** Returns the first 100 live sessions of the account, last used first. */
  listSessions(userId: string, limits: SessionLimits, now: number): Promise<Session[]>;
  /**
   * Replaces the password and ends all other sessions of the account, in one commit. Returns false,
   * and changes nothing, if the password is no longer `from`.
   */
  changePassword(
    userId: string,
    change: { from: string; to: string; sessionId: string },
  ): Promise<boolean>;
  /** Returns false if the account has no such session. */
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
