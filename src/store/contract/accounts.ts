import type { Plan, Session, User } from '../../core/model.ts';

/** Counts tries for a key in a window that starts with the first try. */
export interface AllowanceStore {
  /** Null when no try is counted, or the window has ended. */
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
   * Keeps the account's `most` last used sessions, the new one included, and ends the
   * others. With `passwordHash`, creates nothing and returns false if the account's
   * password has changed: a password that was just replaced starts no session.
   */
  createSession(session: Session, most: number, passwordHash?: string): Promise<boolean>;
  /**
   * Moves a session from `generation` to the next, atomically.
   *
   * - `rotated`: the session has the next generation, and is returned with it.
   * - `repeated`: `generation` is the one before the current and was rotated at
   *   most `graceMs` ago. Nothing changed; the caller hands out the same successor.
   * - `reused`: an older token came back. The whole session is deleted.
   * - `gone`: the session is unknown, revoked, or expired (idle or absolute). An
   *   expired session is deleted.
   */
  rotateSession(rotation: SessionRotation): Promise<SessionRotationResult>;
  /** The account of a session; null once the session has ended. Doesn't check expiry. */
  findSessionUser(sessionId: string): Promise<User | null>;
  /** The account's live sessions, last used first; the first 100. */
  listSessions(userId: string, limits: SessionLimits, now: number): Promise<Session[]>;
  /**
   * Replaces the password and ends all sessions of the account but `sessionId`, in one
   * commit. False when the password isn't `from` any more.
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
