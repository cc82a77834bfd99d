import type { Database, Statement } from 'better-sqlite3';

/** How many numbers a reservation has. A start after a kill skips at most as many. */
const RESERVED = 1000;

/**
 * Gives attempts their sequence numbers. SQLite would write the highest one with each commit, a
 * page of its own. So the store reserves numbers: SQLite writes only those that exceed the
 * reservation. All runs in the writer's transaction. If that is rolled back, its numbers are lost.
 */
export class AttemptNumbers {
  #last: number;
  #reserved: number;
  readonly #raise: Statement<[number]>;
  readonly #insert: Statement<[number]>;

  constructor(db: Database) {
    const read = db.prepare<[], number>("SELECT seq FROM sqlite_sequence WHERE name = 'attempts'");
    this.#last = read.pluck().get() ?? 0;
    this.#reserved = this.#last;
    this.#raise = db.prepare("UPDATE sqlite_sequence SET seq = ? WHERE name = 'attempts'");
    this.#insert = db.prepare("INSERT INTO sqlite_sequence (name, seq) VALUES ('attempts', ?)");
  }

  /** The last number given out. After a start, the last one that may have been. */
  get last(): number {
    return this.#last;
  }

  next(): number {
    if (this.#last === this.#reserved) {
      this.#reserved += RESERVED;
      if (this.#raise.run(this.#reserved).changes === 0) this.#insert.run(this.#reserved);
    }
    return ++this.#last;
  }

  /** Gives the unused part of the reservation back, when the store closes. */
  close(): void {
    if (this.#last < this.#reserved) this.#raise.run(this.#last);
  }
}
