import type { Plan, Session, User } from '../../core/model.ts';

/** Counts of tries by key. A key's window starts with its first try. */
export interface AllowanceStore {
  /** Returns null if the key has no tries in a current window. */
  read(key: string, now: number): Promise<AllowanceUse | null>;
  /** Adds `points` and returns the key's use. Negative points give tries back. */
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
  /** Returns false if the account doesn't exist. */
  setPlan(email: string, plan: Plan): Promise<boolean>;
  countUsers(): Promise<number>;

  /**
   * Creates a session. The account keeps the `most` sessions that it used last, including the new
   * one. The other sessions end.
   *
   * Returns false, and creates nothing, if `passwordHash` is given and is no longer the account's
   * hash. Otherwise a sign-in with a replaced password could still start a session.
   */
  createSession(session: Session, most: number, passwordHash?: string): Promise<boolean>;
  /**
   * Replaces the session's `generation` with the next one, atomically.
   *
   * - `rotated`: returns the session with the next generation.
   * - `repeated`: `generation` is the previous one, rotated at most `graceMs` ago. Nothing
   *   changes. The caller issues the same token again.
   * - `reused`: `generation` is older. This deletes the session.
   * - `gone`: the session is unknown, revoked or expired. This deletes an expired session.
   */
  rotateSession(rotation: SessionRotation): Promise<SessionRotationResult>;
  /** Returns the session's account, or null if the session has ended. Doesn't check expiry. */
  findSessionUser(sessionId: string): Promise<User | null>;
  /** Returns at most 100 live sessions of the account, last used first. */
  listSessions(userId: string, limits: SessionLimits, now: number): Promise<Session[]>;
  /**
   * Replaces the password and ends the account's other sessions, in one commit. Returns false, and
   * changes nothing, if the password is no longer `from`.
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
