import type { Plan, User } from '../../core/model.ts';

/**
 * What an operator does to stored data from a command line: in a process of its
 * own, beside a running server. Nothing is opened before it is needed.
 *
 * Methods throw `data_dir_unusable` where there is no data or no access to it,
 * `database_unusable`, `schema_newer`, and `data_dir_locked` where the schema is
 * older than this program's and somebody works on the data. An older schema
 * that nobody works on is brought up to date first, except where a method says
 * that it takes any.
 */
export interface AdminStore {
  readonly users: UserAdmin;
  /** Events received before `before`, and how many of them still have an open delivery. */
  countOlder(before: number): Promise<{ events: number; open: number }>;
  /**
   * Deletes events received before `before` that have no open delivery, in short
   * transactions with pauses, so that a server beside goes on. Ended half-way it
   * has deleted some of them. Returns how many.
   */
  prune(before: number, onProgress?: (removed: number) => void): Promise<number>;
  /**
   * Writes a consistent copy of all data, complete and fsynced when it takes the
   * name `file`, which it never does half: everything committed before the call
   * is in it. Takes any schema. May block the thread for as long as it takes.
   *
   * Throws `storage_full`, also where the copy would leave too little room for a
   * server on the same disk.
   */
  backup(file: string, options?: CopyOptions): Promise<BackupSummary>;
  /**
   * The check value of the secret that the data was written with; null before
   * the first server noted it. Takes any schema.
   */
  secretCheck(): Promise<string | null>;
  /** What there is, as far as it can be told without writing anything. Never throws. */
  inspect(now: number): Promise<Inspection>;
  /** What is wrong with the stored bytes; empty when nothing is. `full` takes longer. */
  checkIntegrity(full: boolean): Promise<string[]>;
  /**
   * Takes the data for itself, for what can't be done beside a server. Throws
   * `data_dir_locked` while anybody else has it. With `make`, where there is
   * nothing yet, makes the place for it.
   */
  exclusive(options: { make: boolean }): Promise<ExclusiveAdmin>;
  close(): Promise<void>;
}

/** Accounts as an operator sees them. */
export interface UserAdmin {
  /** Oldest first. */
  list(): Promise<UserOverview[]>;
  /** Makes the database where there is none. Throws `email_taken`. */
  create(user: User & { passwordHash: string; createdAt: number }): Promise<void>;
  /** A server follows at its next request. False when there is no such account. */
  setPlan(email: string, plan: Plan): Promise<boolean>;
  /**
   * Replaces the password and ends every session in the same commit. API tokens
   * stay; their number is returned. Null when there is no such account.
   */
  setPassword(
    email: string,
    passwordHash: string,
  ): Promise<{ sessionsEnded: number; apiTokens: number } | null>;
}

export interface UserOverview extends User {
  createdAt: number;
  endpoints: number;
  events: number;
  /** When a session or an API token of it was last used; null when there is none. */
  lastSeenAt: number | null;
}

export interface CopyOptions {
  /** Replaces a file of that name, where there is one; else it throws. */
  overwrite?: boolean;
  /** Called before the long part: `file` grows to about `expectedBytes`. */
  onBegin?: (copy: { file: string; expectedBytes: number }) => void;
}

export interface BackupSummary {
  bytes: number;
  schema: number;
  /** Null for another schema than this program's. */
  events: number | null;
}

/** The sole right to the data, until `release`. */
export interface ExclusiveAdmin {
  /** Brings the schema up to date; `from` is 0 for a database just made. */
  migrate(): Promise<{ from: number; to: number }>;
  /**
   * Builds the search index anew from the events. Broken off, the next server
   * goes on with it.
   */
  reindex(onProgress?: (progress: { done: number; total: number }) => void): Promise<number>;
  /**
   * Puts a backup in the place of the data, with a new generation (live streams
   * are told to start over, the search index is built anew), without sessions
   * (those ended since would be live again), and with the schema up to date. The
   * data that was there is kept beside it. Until the backup has proved sound and
   * is in place, nothing changes.
   *
   * Throws `database_unusable` for what isn't a sound backup, `schema_newer`,
   * `storage_full`.
   */
  restore(file: string, options?: Pick<CopyOptions, 'onBegin'>): Promise<RestoreSummary>;
  /**
   * Completes a restore that the database's own program made: a new generation,
   * no sessions, and the schema up to date, as `restore` leaves them. Throws
   * `not_implemented` where `restore` does it all.
   */
  completeRestore(): Promise<void>;
  release(): Promise<void>;
}

export interface RestoreSummary extends BackupSummary {
  events: number;
  /** The schema of the backup itself. */
  backupSchema: number;
  newestEventAt: number | null;
  /** They are attempted, perhaps again, when a server starts. */
  openDeliveries: number;
  secretCheck: string | null;
  /** The directory that the former data was moved to; null when there was none. */
  kept: string | null;
}

/** A file or directory that the data is made of. */
export interface StoredFile {
  path: string;
  /** Permission bits; null where the system has none. */
  mode: number | null;
  /** Whether this process may read and write it. */
  usable: boolean;
  /** Whether it belongs to the user that the data directory belongs to. */
  ownerMatches: boolean;
}

/** A server or command that works on the data. */
export interface Holder {
  /** Null where it is not known. */
  pid: number | null;
  /** Where a server is reached from this machine; null before it listens, and for a command. */
  url: string | null;
}

export interface Inspection {
  /** Name and version of what stores the data. */
  engine: string;
  /** Null when there is none, or it can't be looked at. */
  directory: StoredFile | null;
  files: StoredFile[];
  /** Below the reserve, capture stops. Null where the system doesn't say. */
  disk: { freeBytes: number; reserveBytes: number } | null;
  /** Who works on the data; null when nobody does. */
  holder: Holder | null;
  /**
   * Names of the nodes at work on a database server; absent where the data is in
   * a directory of this machine.
   */
  nodes?: string[];
  database: DatabaseFacts;
}

export type DatabaseFacts =
  /** `lost`: other files tell that there was one. */
  | { state: 'missing'; lost: boolean }
  | { state: 'unusable'; reason: string }
  | {
      state: 'readable';
      schema: number;
      newestSchema: number;
      bytes: number;
      walBytes: number;
      /** Null for another schema than this program's. */
      content: ContentFacts | null;
    };

export interface ContentFacts {
  events: number;
  newestEventAt: number | null;
  secretCheck: string | null;
  /** As in `StoreStats`. */
  queue: { pending: number; due: number; oldestDueMs: number };
  /** `stale`: of another database, or an older make. `lag`: events not in it. */
  index: { state: 'current' | 'missing' | 'stale' | 'unusable'; lag: number };
}

/** Moves all data of a data directory into a database server, and compares. */
export interface DataMove {
  /** Of the secret that the data was written with; it needs the same one there. */
  readonly secretCheck: string | null;
  /**
   * Goes on where it was broken off. Nothing is changed where the data comes
   * from, and no server may run there. Throws `data_dir_locked`,
   * `database_unusable` where the other side has data of its own or, in the end,
   * isn't the same; and `storage_unavailable`.
   */
  run(onProgress?: (progress: MoveProgress) => void): Promise<MoveSummary>;
  close(): Promise<void>;
}

export interface MoveProgress {
  phase: 'copying' | 'comparing';
  table: string;
  done: number;
  total: number;
}

export interface MoveSummary {
  /** As both sides have them: rows, and a hash over them in the order of their key. */
  tables: { name: string; rows: number; sha256: string }[];
  /** An earlier run had come some of the way. */
  resumed: boolean;
  /** It had been finished before: this time it was compared only. */
  wasDone: boolean;
}
