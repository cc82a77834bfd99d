import type { Plan, User } from '../../core/model.ts';

/**
 * The operator's commands on stored data. A command runs in its own process, beside a running
 * server. It opens the data only when it needs the data.
 *
 * Methods first upgrade an older schema, except where "Accepts any schema" is noted. The upgrade
 * throws `data_dir_locked` if a server or another command uses the data. Every method may throw
 * `data_dir_unusable` (missing or inaccessible data), `database_unusable` and `schema_newer`.
 */
export interface AdminStore {
  readonly users: UserAdmin;
  /** Counts the events received before `before`. `open` of them have an open delivery. */
  countOlder(before: number): Promise<{ events: number; open: number }>;
  /**
   * Deletes the events received before `before` that have no open delivery. Returns how many it
   * deleted. Pauses between short transactions, so that a running server keeps working. After an
   * interruption, the deleted events stay deleted.
   */
  prune(before: number, onProgress?: (removed: number) => void): Promise<number>;
  /**
   * Writes a consistent copy of all data committed before the call. The copy gets the name `file`
   * only when it is complete and fsynced. Accepts any schema. May block the thread until the copy
   * is done.
   *
   * Throws `storage_full` if the copy doesn't fit, or would leave too little room for a server.
   */
  backup(file: string, options?: DatabaseCopyOptions): Promise<BackupSummary>;
  /**
   * Returns the check value of the server's secret. Returns null if no server has recorded it yet.
   * Accepts any schema.
   */
  secretCheck(): Promise<string | null>;
  /** Describes the stored data without writing. Never throws. */
  inspect(now: number): Promise<Inspection>;
  /** Returns the faults of the stored data. With `full`, finds more and takes longer. */
  checkIntegrity(full: boolean): Promise<string[]>;
  /**
   * Locks the data for exclusive work. Throws `data_dir_locked` if another process has the lock.
   * With `make`, creates a missing data directory.
   */
  exclusive(options: { make: boolean }): Promise<ExclusiveAdmin>;
  close(): Promise<void>;
}

export interface UserAdmin {
  /** Returns all accounts, oldest first. */
  list(): Promise<UserOverview[]>;
  /** Creates an account, and the database if there is none. Throws `email_taken`. */
  create(user: User & { passwordHash: string; createdAt: number }): Promise<void>;
  /**
   * Sets the plan and adds an audit entry, in one commit. A running server applies the plan from
   * its next request on. Returns false if the account doesn't exist.
   */
  setPlan(email: string, plan: Plan, now: number): Promise<boolean>;
  /**
   * Replaces the password, ends every session and adds an audit entry, in one commit. API tokens
   * stay valid. Their number is `apiTokens`. Returns null if the account doesn't exist.
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
  /** The last use of a session or API token of the account; null if it has none. */
  lastSeenAt: number | null;
}

export interface DatabaseCopyOptions {
  /** Whether to replace an existing file. Otherwise an existing file is an error. */
  overwrite?: boolean;
  /** Called before the copy starts. `file` grows to about `expectedBytes`. */
  onBegin?: (copy: { file: string; expectedBytes: number }) => void;
}

export interface BackupSummary {
  bytes: number;
  schema: number;
  /** Null if this program doesn't support the schema. */
  events: number | null;
}

/** Exclusive access to the data, until `release`. */
export interface ExclusiveAdmin {
  /** Upgrades the schema to the newest version. `from` is 0 for a new database. */
  migrate(): Promise<{ from: number; to: number }>;
  /**
   * Rebuilds the search index and returns how many events it indexed. Also deletes the learned
   * types of events. The next server learns these again. After an interruption, searches still
   * return exact results. The next run or server completes the index.
   */
  reindex(onProgress?: (progress: { done: number; total: number }) => void): Promise<number>;
  /**
   * Replaces the data with a backup and upgrades the backup's schema. Keeps the former data beside
   * the new data. Changes nothing until the backup is checked and in place.
   *
   * Deletes all sessions, because the backup may contain sessions that have ended since. Sets a new
   * generation, so that live streams start over and the search index is rebuilt.
   *
   * Throws `database_unusable` if the file isn't a sound backup, `schema_newer` and `storage_full`.
   */
  restore(file: string, options?: Pick<DatabaseCopyOptions, 'onBegin'>): Promise<RestoreSummary>;
  /**
   * Completes a restore that was made with the database's own tool. As after `restore`, the data
   * has a new generation, no sessions and the newest schema. Throws `not_implemented` if the
   * backend's `restore` does everything.
   */
  completeRestore(): Promise<void>;
  /** Lists what only the server's secret opens. */
  sealed(): Promise<SealedData>;
  /**
   * Gives up what the lost secret sealed, and records the new secret. One transaction, so an
   * interruption changes nothing.
   *
   * Destinations lose their secrets and headers, and pause, so that none of their requests leaves
   * without them. Sources lose their secrets and verify nobody. Channels stay, and fail until their
   * URL or secret is set again. All sessions end. API tokens stay valid: they are hashed.
   */
  dropSealed(seal: NewSeal): Promise<void>;
  release(): Promise<void>;
}

/** The part of `Keys` that the new secret seals with. */
export interface NewSeal {
  readonly checkValue: string;
  seal(plaintext: string, owner: string): Uint8Array;
}

/** What a lost secret makes unreadable. */
export interface SealedData {
  destinations: {
    id: string;
    endpointId: string;
    url: string;
    secret: boolean;
    headers: boolean;
  }[];
  sources: { endpointId: string; provider: string }[];
  channels: { id: string; url: string }[];
  sessions: number;
}

export interface RestoreSummary extends BackupSummary {
  events: number;
  /** The schema of the backup before its upgrade. */
  backupSchema: number;
  newestEventAt: number | null;
  /**
   * The number of open deliveries. A server attempts them when it starts. It may repeat an attempt
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
  /** Whether this process may read and write the file. */
  usable: boolean;
  /** Whether the file belongs to the owner of the data directory. */
  ownerMatches: boolean;
}

/** A server or command that uses the data. */
export interface Holder {
  /** Null when unknown. */
  pid: number | null;
  /**
   * The server's URL on this machine. Null for a command, and for a server that doesn't listen yet.
   */
  url: string | null;
}

export interface Inspection {
  /** The name and version of the database engine. */
  engine: string;
  /**
   * Null if the data directory is missing or unreadable, or if the data is in a database server.
   */
  directory: StoredFile | null;
  files: StoredFile[];
  /** Free disk space. Capture stops when it falls below the reserve. Null if unknown. */
  disk: { freeBytes: number; reserveBytes: number } | null;
  /** The process that uses the data; null if none does. */
  holder: Holder | null;
  /**
   * The names of the nodes that are connected to the database server. Not set for a data directory.
   */
  nodes?: string[];
  database: DatabaseFacts;
}

export type DatabaseFacts =
  /** `lost` is true if other files show that a database existed. */
  | { state: 'missing'; lost: boolean }
  | { state: 'unusable'; reason: string }
  | {
      state: 'readable';
      schema: number;
      newestSchema: number;
      bytes: number;
      walBytes: number;
      /** Null if this program doesn't support the schema. */
      content: ContentFacts | null;
    };

export interface ContentFacts {
  events: number;
  newestEventAt: number | null;
  secretCheck: string | null;
  /** See `StoreStats`. */
  queue: { pending: number; due: number; oldestDueMs: number };
  /** The destinations whose health is `refusing`, the oldest first. */
  refusing: { endpointId: string; destinationId: string }[];
  /**
   * - `stale`: the index belongs to another database or has an older format.
   * - `lag`: the number of events that the index hasn't reached yet.
   * - `lacking`: the number of earlier events that the index lacks. Only a fault causes this.
   */
  index:
    | { state: 'current'; lag: number; lacking: number }
    | { state: 'missing' | 'stale' | 'unusable'; lag: number };
}

/** Copies all data of a data directory to a database server, then compares both copies. */
export interface DataMove {
  /** The check value of the server's secret. A server on the new database needs the same secret. */
  readonly secretCheck: string | null;
  /**
   * Starts the move, or continues an interrupted one. Only reads the data directory. No server may
   * use the data directory meanwhile.
   *
   * Throws `data_dir_locked` and `storage_unavailable`. Throws `database_unusable` if the new
   * database already has other data, or if the copies differ at the end.
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
  /** The moved tables, equal on both sides. `sha256` is a hash over the rows in key order. */
  tables: { name: string; rows: number; sha256: string }[];
  /** Whether this run continued an earlier one. */
  resumed: boolean;
  /** Whether an earlier run had completed the move. This run then only compared the copies. */
  wasDone: boolean;
}
