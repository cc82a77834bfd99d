import type { Database, Statement } from 'better-sqlite3';
import { HookrelayError } from '../../../core/errors.ts';

interface Operation {
  run: () => unknown;
  resolve: (value: never) => void;
  reject: (error: unknown) => void;
}

/** State in memory that is rolled back together with the database. */
export interface TransactionalMemory {
  /** Returns the number of changes so far. The first call also starts to record changes. */
  mark(): number;
  undoTo(mark: number): void;
  /** Call it after the commit. The changes stay. */
  keep(): void;
}

const NOTHING: TransactionalMemory = { mark: () => 0, undoTo() {}, keep() {} };

/**
 * The only writer. Operations of one turn of the event loop share a transaction and its fsync. Each
 * promise resolves after that fsync. If an operation throws, only that operation is rolled back.
 *
 * If a commit fails, all of its operations reject. After a failed fsync nobody knows what is on
 * disk, because the kernel may have dropped the dirty pages. `onFatal` must then end the process.
 */
export class Writer {
  readonly #db: Database;
  readonly #statements: Record<
    'begin' | 'commit' | 'rollback' | 'save' | 'undo' | 'release',
    Statement<[]>
  >;
  readonly #memory: TransactionalMemory;
  readonly #onFatal: (error: Error) => void;
  readonly #onCommit: () => void;
  #queue: Operation[] = [];
  #scheduled = false;
  #idle: (() => void)[] = [];

  constructor(
    db: Database,
    onFatal: (error: Error) => void,
    memory: TransactionalMemory = NOTHING,
    onCommit: () => void = () => {},
  ) {
    this.#db = db;
    this.#memory = memory;
    this.#statements = {
      begin: db.prepare('BEGIN IMMEDIATE'),
      commit: db.prepare('COMMIT'),
      rollback: db.prepare('ROLLBACK'),
      save: db.prepare('SAVEPOINT operation'),
      undo: db.prepare('ROLLBACK TO operation'),
      release: db.prepare('RELEASE operation'),
    };
    this.#onFatal = onFatal;
    this.#onCommit = onCommit;
  }

  write<T>(run: () => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#queue.push({ run, resolve, reject });
      if (this.#scheduled) return;
      this.#scheduled = true;
      setImmediate(this.#flush);
    });
  }

  /** Resolves when no operation is waiting. */
  settled(): Promise<void> {
    if (!this.#scheduled) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  readonly #flush = (): void => {
    const batch = this.#queue;
    this.#queue = [];
    this.#scheduled = false;
    try {
      this.#commit(batch);
    } catch (error) {
      const failure = this.#explain(error);
      for (const operation of batch) operation.reject(failure);
    }
    for (const resolve of this.#idle.splice(0)) resolve();
  };

  #commit(batch: Operation[]): void {
    const { begin, commit, rollback } = this.#statements;
    begin.run();
    const done: (() => void)[] = [];
    try {
      for (const operation of batch) done.push(this.#runAlone(operation, done.length === 0));
      commit.run();
    } catch (error) {
      if (this.#db.inTransaction) rollback.run();
      this.#memory.undoTo(0);
      throw error;
    }
    this.#memory.keep();
    for (const answer of done) answer();
    this.#onCommit();
  }

  /**
   * Runs one operation. Returns the function that settles the operation's promise after the commit.
   *
   * The first operation needs no savepoint, because a rollback of the transaction undoes only that
   * operation. With a savepoint, SQLite copies every page that the operation changes.
   */
  #runAlone({ run, resolve, reject }: Operation, isFirst: boolean): () => void {
    const { begin, rollback, save, undo, release } = this.#statements;
    // An operation caught an error that ended the transaction. A savepoint would begin another.
    if (!this.#db.inTransaction) throw new Error('the transaction ended before its operations did');
    const mark = this.#memory.mark();
    if (!isFirst) save.run();
    try {
      const value = run();
      if (!isFirst) release.run();
      return () => resolve(value as never);
    } catch (error) {
      // Some errors, such as a full disk, end the whole transaction.
      if (!this.#db.inTransaction) throw error;
      if (isFirst) {
        rollback.run();
        begin.run();
      } else {
        undo.run();
        release.run();
      }
      this.#memory.undoTo(mark);
      return () => reject(this.#explain(error));
    }
  }

  #explain(error: unknown): unknown {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (code === 'SQLITE_IOERR_FSYNC' || code === 'SQLITE_IOERR_DIR_FSYNC') {
      this.#onFatal(error as Error);
    }
    if (code === 'SQLITE_FULL' || code.startsWith('SQLITE_IOERR')) {
      return new HookrelayError('storage_full', 'the storage took no more data', {
        hint:
          code === 'SQLITE_FULL'
            ? 'free disk space; capture goes on by itself'
            : "free disk space, or check the system's log for a read-only or failing disk",
        retryAfterS: 30,
        cause: error,
      });
    }
    if (code.startsWith('SQLITE_BUSY')) {
      return new HookrelayError('overloaded', 'the database is busy', {
        retryAfterS: 1,
        cause: error,
      });
    }
    return error;
  }
}
