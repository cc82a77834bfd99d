import type { Plan, User } from '../../core/model.ts';

/**
 * The operator's commands on stored data. A command runs in its own process, beside a running
 * server. It opens the data only when it needs the data.
 *
 * If the schema is older than this program's, a method first upgrades the schema. If a server or
 * another command works on the data then, the method throws `data_dir_locked` instead. Methods that
 * accept any schema don't upgrade it. All methods throw `data_dir_unusable` (no data, or no access
 * to it), `database_unusable` and `schema_newer`.
 */
export interface AdminStore {
  readonly users: UserAdmin;
  /**
   * Counts the events received before `before`. `open` is how many of them have an open delivery.
   */
  countOlder(before: number): Promise<{ events: number; open: number }>;
  /**
   * Deletes the events that were received before `before` and have no open delivery. Returns how
   * many it deleted. It pauses between short transactions, so that a server on the same data keeps
   * working. After an interruption, the events deleted so far stay deleted.
   */
  prune(before: number, onProgress?: (removed: number) => void): Promise<number>;
  /**
   * Writes a consistent copy of all data, including everything committed before the call. The copy
   * gets the name `file` only when it is complete and fsynced. Accepts any schema. May block the
   * thread until the copy is done.
   *
   * Throws `storage_full` if the disk is full, or if the copy would leave too little room for a
   * server on the same disk.
   */
  backup(file: string, options?: DatabaseCopyOptions): Promise<BackupSummary>;
  /**
   * Returns the check value of the server's secret, or null if no server has recorded one yet.
   * Accepts any schema.
   */
  secretCheck(): Promise<string | null>;
  /** Describes the stored data, as far as that is possible without a write. Never throws. */
  inspect(now: number): Promise<Inspection>;
  /** Lists the faults of the stored data. `full` finds more and takes longer. */
  checkIntegrity(full: boolean): Promise<string[]>;
  /**
   * Locks the data for work that no other process may disturb. Throws `data_dir_locked` while
   * another process holds the data. With `make`, creates the data directory if it is missing.
   */
  exclusive(options: { make: boolean }): Promise<ExclusiveAdmin>;
  close(): Promise<void>;
}

/** Accounts as an operator sees them. */
export interface UserAdmin {
  /** Returns all accounts, oldest first. */
  list(): Promise<UserOverview[]>;
  /** Creates the database if there is none. Throws `email_taken`. */
  create(user: User & { passwordHash: string; createdAt: number }): Promise<void>;
  /**
   * Sets the plan and adds an entry to the account's audit, in one commit. A running server applies
   * the plan from its next request on. Returns false if there is no such account.
   */
  setPlan(email: string, plan: Plan, now: number): Promise<boolean>;
  /**
   * Replaces the password, ends every session and adds an entry to the account's audit, in one
   * commit. API tokens stay valid; `apiTokens` is their number. Returns null if there is no such
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
  /** The last use of one of its sessions or API tokens; null if it has none. */
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
  /** Null if the schema isn't this program's. */
  events: number | null;
}

/** Exclusive access to the data, until `release`. */
export interface ExclusiveAdmin {
  /** Brings the schema up to date. `from` is 0 for a new database. */
  migrate(): Promise<{ from: number; to: number }>;
  /**
   * Rebuilds the search index from the events, and returns how many events it indexed. Deletes the
   * learned types of events, which the next server learns again. After an interruption, searches
   * still return exact results, and the next run or server completes the index.
   */
  reindex(onProgress?: (progress: { done: number; total: number }) => void): Promise<number>;
  /**
   * Replaces the data with a backup, and upgrades the backup's schema. Keeps the former data beside
   * the new data. Nothing changes until the backup is checked and in place.
   *
   * The new data has no sessions, because the backup may contain sessions that have ended since. It
   * has a new generation, so live streams start over and the search index is rebuilt.
   *
   * Throws `database_unusable` if the file isn't a sound backup, `schema_newer` and `storage_full`.
   */
  restore(file: string, options?: Pick<DatabaseCopyOptions, 'onBegin'>): Promise<RestoreSummary>;
  /**
   * Completes a restore that the database's own program has made. The result is the same as after
   * `restore`: a new generation, no sessions and the newest schema. Throws `not_implemented` if the
   * backend's `restore` does everything.
   */
  completeRestore(): Promise<void>;
  release(): Promise<void>;
}

export interface RestoreSummary extends BackupSummary {
  events: number;
  /** The schema of the backup itself. */
  backupSchema: number;
  newestEventAt: number | null;
  /**
   * How many deliveries are open. A server attempts them when it starts. It may repeat an attempt
   * that was made after the backup.
   */
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
  /** Whether the owner is the user who owns the data directory. */
  ownerMatches: boolean;
}

/** A server or command that works on the data. */
export interface Holder {
  /** Null when unknown. */
  pid: number | null;
  /**
   * A server's URL on this machine. Null for a command, and for a server that doesn't listen yet.
   */
  url: string | null;
}

export interface Inspection {
  /** Name and version of the database engine. */
  engine: string;
  /** Null if there is no data directory, or if this process can't read it. */
  directory: StoredFile | null;
  files: StoredFile[];
  /** Capture stops when the free space falls below the reserve. Null if the system doesn't say. */
  disk: { freeBytes: number; reserveBytes: number } | null;
  /** Who works on the data; null when nobody does. */
  holder: Holder | null;
  /**
   * The names of the nodes that are connected to the database server. Absent if the data is in a
   * directory.
   */
  nodes?: string[];
  database: DatabaseFacts;
}

export type DatabaseFacts =
  /** `lost`: other files show that there was a database. */
  | { state: 'missing'; lost: boolean }
  | { state: 'unusable'; reason: string }
  | {
      state: 'readable';
      schema: number;
      newestSchema: number;
      bytes: number;
      walBytes: number;
      /** Null if this program can't work with the schema. */
      content: ContentFacts | null;
    };

export interface ContentFacts {
  events: number;
  newestEventAt: number | null;
  secretCheck: string | null;
  /** See `StoreStats`. */
  queue: { pending: number; due: number; oldestDueMs: number };
  /**
   * - `stale`: the index belongs to another database, or has an older format.
   * - `lag`: how many events the index hasn't reached yet.
   * - `lacking`: how many earlier events are missing in the index. Only a fault causes this.
   */
  index:
    | { state: 'current'; lag: number; lacking: number }
    | { state: 'missing' | 'stale' | 'unusable'; lag: number };
}

/** Moves all data of a data directory to a database server, and then compares both sides. */
export interface DataMove {
  /** The check value of the server's secret. A server on the new database needs the same secret. */
  readonly secretCheck: string | null;
  /**
   * Runs the move, or continues an interrupted one. It only reads the data directory. No server may
   * run on the data directory meanwhile.
   *
   * Throws `data_dir_locked`, `storage_unavailable`, and `database_unusable` if the database
   * already has other data, or if both sides differ at the end.
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
  /**
   * The moved tables. Each is equal on both sides. `sha256` is a hash over the rows in key order.
   */
  tables: { name: string; rows: number; sha256: string }[];
  /** Whether this run continued an earlier one. */
  resumed: boolean;
  /** Whether an earlier run had completed the move. This run then only compared both sides. */
  wasDone: boolean;
}
