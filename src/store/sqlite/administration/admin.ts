import type {
  AdminStore,
  BackupSummary,
  DatabaseCopyOptions,
  ExclusiveAdmin,
  Inspection,
  UserAdmin,
} from '../../contract/admin-store.ts';
import { tracesOfDatabase } from '../files/lost-database.ts';
import { type AdminConnection, explained, openCurrent } from './admin-connection.ts';
import { takeDataDir } from './admin-lock.ts';
import { backup } from './backup.ts';
import { SqliteExclusiveAdmin } from './exclusive-admin.ts';
import { checkIntegrity, inspect, readSecretCheck } from './inspect.ts';
import { countOlder, prune } from './prune.ts';
import { sqliteUserAdmin } from './user-admin.ts';

/** Executes local commands on a data directory. */
export class SqliteAdmin implements AdminStore {
  readonly users: UserAdmin;
  readonly #dataDir: string;
  #connection: AdminConnection | undefined;

  constructor(dataDir: string) {
    // SQLite creates its files with the process's umask, and they contain all users' payloads.
    process.umask(0o077);
    this.#dataDir = dataDir;
    this.users = sqliteUserAdmin((work, options) => this.#onConnection(work, options));
  }

  countOlder(before: number): Promise<{ events: number; open: number }> {
    return this.#onConnection((connection) => countOlder(connection, before));
  }

  prune(before: number, onProgress: (removed: number) => void = () => {}): Promise<number> {
    return this.#onConnection((connection) => prune(connection, before, onProgress));
  }

  backup(file: string, options: DatabaseCopyOptions = {}): Promise<BackupSummary> {
    return explained(this.#dataDir, () => backup(this.#dataDir, file, options));
  }

  secretCheck(): Promise<string | null> {
    return explained(this.#dataDir, () => readSecretCheck(this.#dataDir));
  }

  inspect(now: number): Promise<Inspection> {
    return inspect(this.#dataDir, now);
  }

  checkIntegrity(full: boolean): Promise<string[]> {
    return explained(this.#dataDir, () => checkIntegrity(this.#dataDir, full));
  }

  exclusive(options: { make: boolean }): Promise<ExclusiveAdmin> {
    return explained(this.#dataDir, () => {
      const traces = tracesOfDatabase(this.#dataDir);
      const lock = takeDataDir(this.#dataDir, options);
      return new SqliteExclusiveAdmin(this.#dataDir, traces, lock);
    });
  }

  async close(): Promise<void> {
    this.#connection?.close();
    this.#connection = undefined;
  }

  #onConnection<T>(
    work: (connection: AdminConnection) => T | Promise<T>,
    options = { make: false },
  ): Promise<T> {
    return explained(this.#dataDir, () => {
      this.#connection ??= openCurrent(this.#dataDir, options);
      return work(this.#connection);
    });
  }
}
