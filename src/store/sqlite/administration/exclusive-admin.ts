import type { Database } from 'better-sqlite3';
import { HookrelayError } from '../../../core/errors.ts';
import type {
  DatabaseCopyOptions,
  ExclusiveAdmin,
  NewSeal,
  RestoreSummary,
  SealedData,
} from '../../contract/admin-store.ts';
import { databaseFile, isThere } from '../files/data-files.ts';
import type { DataLock } from '../files/data-lock.ts';
import { createIfNew } from '../files/lost-database.ts';
import { explained, migrateFile, openPresent } from './admin-connection.ts';
import { noData } from './admin-lock.ts';
import { dropSealed, readSealed } from './drop-sealed.ts';
import { reindex } from './reindex.ts';
import { restore } from './restore.ts';

export class SqliteExclusiveAdmin implements ExclusiveAdmin {
  readonly #dataDir: string;
  readonly #traces: readonly string[];
  readonly #lock: DataLock;

  /**
   * @param traces traces of a lost database. Look for them before locking, because the lock creates
   * files
   */
  constructor(dataDir: string, traces: readonly string[], lock: DataLock) {
    this.#dataDir = dataDir;
    this.#traces = traces;
    this.#lock = lock;
  }

  migrate(): Promise<{ from: number; to: number }> {
    return explained(this.#dataDir, () => {
      const isNew = createIfNew(this.#dataDir, this.#traces);
      const { from, to } = migrateFile(this.#dataDir);
      return { from: isNew ? 0 : from, to };
    });
  }

  reindex(
    onProgress: (progress: { done: number; total: number }) => void = () => {},
  ): Promise<number> {
    return this.#onDatabase((db) => reindex(this.#dataDir, db, onProgress));
  }

  restore(
    file: string,
    options: Pick<DatabaseCopyOptions, 'onBegin'> = {},
  ): Promise<RestoreSummary> {
    return explained(this.#dataDir, () => restore(this.#dataDir, file, options));
  }

  async completeRestore(): Promise<void> {
    throw new HookrelayError('not_implemented', 'a restore needs a backup file', {
      hint: 'hookrelay restore FILE',
    });
  }

  sealed(): Promise<SealedData> {
    return this.#onDatabase((db) => readSealed(db));
  }

  dropSealed(seal: NewSeal): Promise<void> {
    return this.#onDatabase((db) => dropSealed(db, seal));
  }

  /** Upgrades the schema and runs `work`. */
  #onDatabase<T>(work: (db: Database) => T | Promise<T>): Promise<T> {
    return explained(this.#dataDir, async () => {
      if (!isThere(databaseFile(this.#dataDir))) throw noData(this.#dataDir);
      migrateFile(this.#dataDir);
      const db = openPresent(this.#dataDir);
      try {
        return await work(db);
      } finally {
        db.close();
      }
    });
  }

  async release(): Promise<void> {
    this.#lock.release();
  }
}
