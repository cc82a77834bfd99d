import type { Plan, User } from '../../core/model.ts';

/**
 * An operator's work on stored data, by commands. A command runs in its own process, beside
 * a running server. It opens nothing before it needs it.
 *
 * If the schema is older than this program's, methods first bring it up to date, except
 * those that accept any schema. If a server or another command works on the data, they
 * throw `data_dir_locked` instead. All methods throw `data_dir_unusable` (no data, or no
 * access to it), `database_unusable` and `schema_newer`.
 */
export interface AdminStore {
  readonly users: UserAdmin;
  /** Counts the events received before `before`. `open`: those with an open delivery. */
  countOlder(before: number): Promise<{ events: number; open: number }>;
  /**
   * Deletes the events received before `before` that have no open delivery, and returns
   * their number. It pauses between short transactions, so that a server on the same data
   * keeps working. If it is interrupted, what it deleted until then stays deleted.
   */
  prune(before: number, onProgress?: (removed: number) => void): Promise<number>;
  /**
   * Writes a consistent copy of all data, with everything committed before the call. The
   * copy is complete and fsynced before it gets the name `file`. Accepts any schema. May
   * block the thread until the copy is done.
   *
   * Throws `storage_full`, also if the copy would leave too little room for a server on
   * the same disk.
   */
  backup(file: string, options?: DatabaseCopyOptions): Promise<BackupSummary>;
  /**
   * The check value of the server's secret; null until a server records it. Accepts any
   * schema.
   */
  secretCheck(): Promise<string | null>;
  /** Describes the stored data, as far as possible without a write. Never throws. */
  inspect(now: number): Promise<Inspection>;
  /** Lists the faults of the stored data. `full` finds more and takes longer. */
  checkIntegrity(full: boolean): Promise<string[]>;
  /**
   * Locks the data for work that needs it alone. Throws `data_dir_locked` while another
   * process holds it. With `make`, creates the data directory if it is missing.
   */
  exclusive(options: { make: boolean }): Promise<ExclusiveAdmin>;
  close(): Promise<void>;
}

/** Accounts as an operator sees them. */
export interface UserAdmin {
  /** Oldest first. */
  list(): Promise<UserOverview[]>;
  /** Creates the database if there is none. Throws `email_taken`. */
  create(user: User & { passwordHash: string; createdAt: number }): Promise<void>;
  /**
   * Sets the plan and adds an entry to the account's audit, in one commit. A server applies
   * the plan from its next request on. False when there is no such account.
   */
  setPlan(email: string, plan: Plan, now: number): Promise<boolean>;
  /**
   * Replaces the password, ends every session and adds an entry to the account's audit, in
   * one commit. API tokens stay; `apiTokens` is their number. Null when there is no such
   * account.
   */
  setPassword(
    email: string,
    passwordHash: string,
    now: number,
  ): Promise<{ sessionsEnded: number; apiTokens: number } | null>;
}

export interface UserOverview extends User {
  createdAt: number;
  endpoints: number;
  events: number;
  /** When one of its sessions or API tokens was last used; null when it has none. */
  lastSeenAt: number | null;
}

export interface DatabaseCopyOptions {
  /** Whether to replace an existing file of that name. Otherwise such a file is an error. */
  overwrite?: boolean;
  /** Called before the copy starts. `file` grows to about `expectedBytes`. */
  onBegin?: (copy: { file: string; expectedBytes: number }) => void;
}

export interface BackupSummary {
  bytes: number;
  schema: number;
  /** Null for another schema than this program's. */
  events: number | null;
}

/** Exclusive access to the data, until `release`. */
export interface ExclusiveAdmin {
  /** Brings the schema up to date; `from` is 0 for a new database. */
  migrate(): Promise<{ from: number; to: number }>;
  /**
   * Rebuilds the search index from the events and returns their number. Forgets the types
   * of events, which the next server learns again. If it is interrupted, searches stay
   * exact, and the next run or server completes it.
   */
  reindex(onProgress?: (progress: { done: number; total: number }) => void): Promise<number>;
  /**
   * Replaces the data by a backup, and brings its schema up to date. The former data is
   * kept beside it. Nothing changes until the backup is checked and in place. The new data
   * has no sessions: those that ended since the backup would be live again. It has a new
   * generation: live streams start over, and the search index is rebuilt.
   *
   * Throws `database_unusable` if the file isn't a sound backup, `schema_newer`,
   * `storage_full`.
   */
  restore(file: string, options?: Pick<DatabaseCopyOptions, 'onBegin'>): Promise<RestoreSummary>;
  /**
   * Completes a restore that the database's own program has made: a new generation, no
   * sessions and the newest schema, as after `restore`. Throws `not_implemented` for a
   * backend whose `restore` does everything.
   */
  completeRestore(): Promise<void>;
  release(): Promise<void>;
}

export interface RestoreSummary extends BackupSummary {
  events: number;
  /** The schema of the backup itself. */
  backupSchema: number;
  newestEventAt: number | null;
  /** A server attempts them when it starts, some perhaps for the second time. */
  openDeliveries: number;
  secretCheck: string | null;
  /** The directory with the former data; null if there was none. */
  kept: string | null;
}

/** A file or directory of the data. */
export interface StoredFile {
  path: string;
  /** Permission bits; null if the system has none. */
  mode: number | null;
  /** Whether this process may read and write it. */
  usable: boolean;
  /** Whether it belongs to the user that the data directory belongs to. */
  ownerMatches: boolean;
}

/** A server or command that works on the data. */
export interface Holder {
  /** Null when unknown. */
  pid: number | null;
  /** A server's URL on this machine; null before it listens, and for a command. */
  url: string | null;
}

export interface Inspection {
  /** Name and version of the database engine. */
  engine: string;
  /** Null if there is none, or it can't be read. */
  directory: StoredFile | null;
  files: StoredFile[];
  /** Capture stops when less than the reserve is free. Null if the system doesn't say. */
  disk: { freeBytes: number; reserveBytes: number } | null;
  /** Who works on the data; null when nobody does. */
  holder: Holder | null;
  /**
   * Names of the nodes that are connected to the database server; absent for data in a
   * directory.
   */
  nodes?: string[];
  database: DatabaseFacts;
}

export type DatabaseFacts =
  /** `lost`: other files show that there was one. */
  | { state: 'missing'; lost: boolean }
  | { state: 'unusable'; reason: string }
  | {
      state: 'readable';
      schema: number;
      newestSchema: number;
      bytes: number;
      walBytes: number;
      /** Null if this program doesn't work with the schema. */
      content: ContentFacts | null;
    };

export interface ContentFacts {
  events: number;
  newestEventAt: number | null;
  secretCheck: string | null;
  /** As in `StoreStats`. */
  queue: { pending: number; due: number; oldestDueMs: number };
  /**
   * `stale`: the index of another database, or one in an older format. `lag`: events that
   * it hasn't reached yet. `lacking`: earlier events that are missing in it, which only a
   * fault causes.
   */
  index:
    | { state: 'current'; lag: number; lacking: number }
    | { state: 'missing' | 'stale' | 'unusable'; lag: number };
}

/** Moves all data of a data directory to a database server, and compares both sides. */
export interface DataMove {
  /** Check value of the server's secret. A server on the new database needs the same secret. */
  readonly secretCheck: string | null;
  /**
   * Runs the move, or continues an interrupted one. Only reads the data directory, on
   * which no server may run. Throws `data_dir_locked`, `storage_unavailable`, and
   * `database_unusable` if the database has other data, or differs at the end.
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
  /** The tables, which are equal on both sides. `sha256` is a hash over the rows in key order. */
  tables: { name: string; rows: number; sha256: string }[];
  /** Whether this run continued an earlier one. */
  resumed: boolean;
  /** Whether the move was complete before. This run then only compared. */
  wasDone: boolean;
}
