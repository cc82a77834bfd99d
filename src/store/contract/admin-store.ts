import type { Plan, User } from '../../core/model.ts';

/**
 * What an operator does to stored data from a command line: in a process of its
 * own, beside a running server. Nothing is opened before it is needed.
 *
 * Methods throw `data_dir_unusable` where there is no data or no access to it,
 * `database_unusable`, `schema_newer`, and `data_dir_locked` where the schema is
 * older than this program's and somebody works on the data. If nobody does, an older
 * schema is brought up to date first, except where a method says that it takes any.
 */
export interface AdminStore {
  readonly users: UserAdmin;
  /** Counts events received before `before`, and those among them with an open delivery. */
  countOlder(before: number): Promise<{ events: number; open: number }>;
  /**
   * Deletes events received before `before` that have no open delivery, in short
   * transactions with pauses, so that a server on the same data goes on. If it ends
   * half-way, it has deleted some of them. Returns how many.
   */
  prune(before: number, onProgress?: (removed: number) => void): Promise<number>;
  /**
   * Writes a consistent copy of all data: everything committed before the call is in
   * it. The copy is complete and fsynced before it gets the name `file`. Takes any
   * schema. May block the thread until the copy is done.
   *
   * Throws `storage_full`, also where the copy would leave too little room for a
   * server on the same disk.
   */
  backup(file: string, options?: DatabaseCopyOptions): Promise<BackupSummary>;
  /**
   * The check value of the secret that the data was written with; null before
   * the first server recorded it. Takes any schema.
   */
  secretCheck(): Promise<string | null>;
  /** Describes the stored data, as far as that works without a write. Never throws. */
  inspect(now: number): Promise<Inspection>;
  /** Lists what is wrong with the stored bytes; empty when nothing is. `full` takes longer. */
  checkIntegrity(full: boolean): Promise<string[]>;
  /**
   * Locks the data, for work that no server may run beside. Throws `data_dir_locked`
   * while another process holds it. With `make`, creates the place for the data if
   * there is none.
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
   * A server applies it from its next request. The account's audit gets an entry in the
   * same commit. False when there is no such account.
   */
  setPlan(email: string, plan: Plan, now: number): Promise<boolean>;
  /**
   * Replaces the password and ends every session in the same commit, which also adds an
   * entry to the account's audit. API tokens stay; their number is returned. Null when
   * there is no such account.
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
  /** Replaces an existing file of that name. Without it, an existing file is an error. */
  overwrite?: boolean;
  /** Called before the copying: `file` grows to about `expectedBytes`. */
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
  /** Brings the schema up to date; `from` is 0 for a new database. */
  migrate(): Promise<{ from: number; to: number }>;
  /**
   * Rebuilds the search index from the events, and lets the next server learn the types of
   * events from the oldest one on. If it is interrupted, searches stay exact, and the next
   * run or server completes it.
   */
  reindex(onProgress?: (progress: { done: number; total: number }) => void): Promise<number>;
  /**
   * Puts a backup in the place of the data, with a new generation (live streams
   * start over, the search index is rebuilt), without sessions (sessions ended since
   * the backup would be live again), and with the schema up to date. The former data
   * is kept beside it. Nothing changes until the backup is checked and in place.
   *
   * Throws `database_unusable` if the file isn't a sound backup, `schema_newer`,
   * `storage_full`.
   */
  restore(file: string, options?: Pick<DatabaseCopyOptions, 'onBegin'>): Promise<RestoreSummary>;
  /**
   * Completes a restore by the database's own program: a new generation, no sessions,
   * and the schema up to date, as after `restore`. Throws `not_implemented` for a
   * backend whose `restore` does it all.
   */
  completeRestore(): Promise<void>;
  release(): Promise<void>;
}

export interface RestoreSummary extends BackupSummary {
  events: number;
  /** The schema of the backup itself. */
  backupSchema: number;
  newestEventAt: number | null;
  /** A server attempts them when it starts, perhaps again. */
  openDeliveries: number;
  secretCheck: string | null;
  /** The directory that the former data was moved to; null when there was none. */
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
  /** Null when there is none or it can't be read. */
  directory: StoredFile | null;
  files: StoredFile[];
  /** Capture stops when less than the reserve is free. Null if the system doesn't say. */
  disk: { freeBytes: number; reserveBytes: number } | null;
  /** Who works on the data; null when nobody does. */
  holder: Holder | null;
  /**
   * Names of the nodes that are connected to the database server; absent if the data is
   * in a directory of this machine.
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
   * `stale`: of another database, or in an older format. `lag`: events that it has not
   * reached yet. `lacking`: events before those that it doesn't hold, by a count of its
   * rows. Only a fault makes some.
   */
  index:
    | { state: 'current'; lag: number; lacking: number }
    | { state: 'missing' | 'stale' | 'unusable'; lag: number };
}

/** Moves all data of a data directory to a database server, and compares both sides. */
export interface DataMove {
  /** Check value of the secret that the data was written with; it needs the same one there. */
  readonly secretCheck: string | null;
  /**
   * Runs the move, or continues an interrupted one. Changes nothing in the data
   * directory, where no server may run. Throws `data_dir_locked`; `storage_unavailable`;
   * and `database_unusable` if the database has data of its own, or differs at the end.
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
  /** Tables that are equal on both sides: the rows, and a hash over them in key order. */
  tables: { name: string; rows: number; sha256: string }[];
  /** Whether this run continued an earlier one. */
  resumed: boolean;
  /** Whether the move was finished before: this run only compared. */
  wasDone: boolean;
}
