import { randomUUID } from 'node:crypto';
import type { Logger } from '../../../core/runtime/runtime.ts';
import type { LivePosition } from '../../contract/live.ts';
import { SERVER } from '../connection/connections.ts';
import { type Database, inTransaction, type Sql } from '../connection/database.ts';
import { later, MARK, type Numbers, readNumbers } from './numbers.ts';

/*
 * Sequence numbers are unique within one history of a database. After a restore, or after a
 * failover that loses commits, other events get the same numbers. An old cursor would skip these
 * events. So each cursor names its history, and the database records where each history ended.
 *
 * A new history begins when the process of the database server has changed. That happens after a
 * restart, a failover, or the restore of a disk. The previous history ends at the last number then
 * in use. A cursor up to that number stays valid. A later cursor belongs to lost commits. A node
 * begins the new history before it uses a connection to the new process, so no transaction takes a
 * new number earlier.
 *
 * All previous histories become void in two cases: pg_restore has written another generation row,
 * or numbers went back although the server process is the same.
 *
 * Rejected: PostgreSQL's timeline. A failover changes the timeline even if nothing is lost. A
 * restored disk keeps the timeline. Some providers don't allow pg_control_checkpoint().
 */

/** The largest number of recorded ended histories. Cursors of older histories are reset. */
const MAX_ENDED = 100;

interface Noted {
  /** Identifies the generation's row (see `MARK`). It changes when pg_restore writes the row. */
  mark: string;
  /** The process of the database server that the current history belongs to (see `SERVER`). */
  server: string;
  current: string;
  ended: ({ id: string } & LivePosition)[];
}

/** Called when a new history begins. Everything up to `horizon` is readable. */
export type HistoryListener = (horizon: LivePosition) => void;

/** The database's histories, as one node knows them. */
export class Histories {
  readonly #log: Logger;
  readonly #listeners = new Set<HistoryListener>();
  #noted: Noted = { mark: '', server: '', current: '', ended: [] };
  /** The last known numbers of the current history. */
  #given: LivePosition = { eventSeq: 0, attemptSeq: 0 };

  constructor(log: Logger) {
    this.#log = log;
  }

  get current(): string {
    return this.#noted.current;
  }

  /**
   * Calls `listener` for each new history, before anybody reads from it. Returns a function that
   * ends the subscription.
   */
  subscribe(listener: HistoryListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Returns whether this database has reached that position of the history. */
  includes(history: string, { eventSeq, attemptSeq }: LivePosition): boolean {
    const end =
      history === this.current ? this.#given : this.#noted.ended.find(({ id }) => id === history);
    return end !== undefined && eventSeq <= end.eventSeq && attemptSeq <= end.attemptSeq;
  }

  /** Begins a new history if the server process has changed. Call it on each new connection. */
  async admit(sql: Sql, server: string): Promise<void> {
    if (server !== this.#noted.server) await this.#enter(sql, server, false);
  }

  /** Reads the numbers of the current history. Returns null if a new history began meanwhile. */
  async numbers(sql: Sql): Promise<Numbers | null> {
    const { current } = this;
    const before = this.#given;
    const numbers = await readNumbers(sql);
    if (current !== this.current) return null;
    const { mark, given } = numbers;
    const isBack = given.eventSeq < before.eventSeq || given.attemptSeq < before.attemptSeq;
    if (mark !== this.#noted.mark || isBack) {
      await this.#enter(sql, this.#noted.server, isBack);
      return null;
    }
    this.#given = later(this.#given, given);
    return numbers;
  }

  async #enter(sql: Sql, server: string, isBack: boolean): Promise<void> {
    const before = this.#noted;
    const { noted, numbers } = await inTransaction(sql, 'BEGIN', (own) =>
      enter(own, server, isBack ? before.current : null),
    );
    if (this.#noted !== before) return;
    this.#noted = noted;
    this.#given = numbers.given;
    if (before.current === '' || before.current === noted.current) return;
    if (noted.ended.length === 0) {
      this.#log.warn('the database was restored or rolled back: live streams start over');
    }
    for (const listener of this.#listeners) listener(numbers.horizon);
  }
}

/** Opens the histories. Each new connection then runs `Histories.admit` before its first use. */
export async function openHistories(db: Database, log: Logger): Promise<Histories> {
  const histories = new Histories(log);
  db.admit = (sql, server) => histories.admit(sql, server);
  await db.one(async (sql) => histories.admit(sql, await serverOf(sql)));
  return histories;
}

/** Begins a new history. All earlier cursors become invalid. */
export async function beginHistory(sql: Sql): Promise<Noted> {
  const current = randomUUID().replaceAll('-', '');
  await sql.run("UPDATE meta SET value = $1 WHERE name = 'generation'", [current]);
  const noted = { mark: await markOf(sql), server: await serverOf(sql), current, ended: [] };
  await write(sql, noted);
  return noted;
}

/**
 * Returns the current history. If a new one is necessary and no other node has begun it, begins it.
 *
 * @param backIn the history in which numbers went back, or null
 */
async function enter(
  sql: Sql,
  server: string,
  backIn: string | null,
): Promise<{ noted: Noted; numbers: Numbers }> {
  // Only one node at a time gets this row lock. The other nodes then read that node's record.
  const [row] = await sql.rows<{ value: string }>(
    "SELECT value FROM meta WHERE name = 'generation' FOR UPDATE",
  );
  const noted = await read(sql);
  const mark = await markOf(sql);
  const numbers = await readNumbers(sql);
  const become = async (next: Noted) => {
    await write(sql, next);
    return { noted: next, numbers };
  };
  if (!noted) return become({ mark, server, current: row?.value ?? '', ended: [] });
  if (noted.mark !== mark || noted.current === backIn) {
    return { noted: await beginHistory(sql), numbers };
  }
  if (noted.server === server) return { noted, numbers };
  const ended = [...noted.ended, { id: noted.current, ...numbers.given }];
  const current = randomUUID().replaceAll('-', '');
  return become({ mark, server, current, ended: ended.slice(-MAX_ENDED) });
}

async function serverOf(sql: Sql): Promise<string> {
  const [row] = await sql.rows<{ server: string }>(`SELECT ${SERVER} AS server`);
  return row?.server ?? '';
}

async function markOf(sql: Sql): Promise<string> {
  const [row] = await sql.rows<{ mark: string }>(
    `SELECT ${MARK} AS mark FROM meta WHERE name = 'generation'`,
  );
  return row?.mark ?? '';
}

async function read(sql: Sql): Promise<Noted | null> {
  const [row] = await sql.rows<{ value: string }>(
    "SELECT value FROM meta WHERE name = 'histories'",
  );
  return row ? (JSON.parse(row.value) as Noted) : null;
}

async function write(sql: Sql, noted: Noted): Promise<void> {
  await sql.run(
    `INSERT INTO meta (name, value) VALUES ('histories', $1)
     ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
    [JSON.stringify(noted)],
  );
}
