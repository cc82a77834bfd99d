import { randomUUID } from 'node:crypto';
import type { Logger } from '../../../core/runtime/runtime.ts';
import type { LivePosition } from '../../contract/live.ts';
import { SERVER } from '../connection/connections.ts';
import { type Database, inTransaction, type Sql } from '../connection/database.ts';
import { later, MARK, type Numbers, readNumbers } from './numbers.ts';

/*
 * Sequence numbers are unique within one history of a database. After a restore, or a failover
 * that loses commits, other events get the same numbers, and an older cursor would skip them.
 * So each cursor names its history, and the database records where each history ended.
 *
 * A new history begins when the server process isn't the recorded one (restart, failover,
 * restored disk). The last number in use is the end of the previous history. A cursor up to
 * there stays valid; a cursor beyond it belongs to lost commits. Nobody takes a new number
 * earlier, because a node begins the history before it uses a connection to that process.
 *
 * All previous histories become void if pg_restore has written another generation row, or if
 * numbers went back under the same process.
 *
 * Rejected: the timeline. A failover that loses nothing changes it too, a restored disk keeps
 * it, and some providers don't allow pg_control_checkpoint().
 */

/** Most recorded histories that have ended. Cursors of older ones are reset. */
const MAX_ENDED = 100;

interface Noted {
  /** Distinguishes the generation's row from one that pg_restore wrote. */
  mark: string;
  /** The server process that the current history belongs to. */
  server: string;
  current: string;
  ended: ({ id: string } & LivePosition)[];
}

/** Called with the position up to which everything in the new history can be read. */
export type HistoryListener = (horizon: LivePosition) => void;

/** The database's histories, as one node knows them. */
export class Histories {
  readonly #log: Logger;
  readonly #listeners = new Set<HistoryListener>();
  #noted: Noted = { mark: '', server: '', current: '', ended: [] };
  /** The last numbers that this node knows of in the current history. */
  #given: LivePosition = { eventSeq: 0, attemptSeq: 0 };

  constructor(log: Logger) {
    this.#log = log;
  }

  /** Id of the current history. */
  get current(): string {
    return this.#noted.current;
  }

  /** Calls `listener` for each new history, before anybody reads from it. Returns its end. */
  subscribe(listener: HistoryListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Whether this database has reached a position of a history. */
  includes(history: string, { eventSeq, attemptSeq }: LivePosition): boolean {
    const end =
      history === this.current ? this.#given : this.#noted.ended.find(({ id }) => id === history);
    return end !== undefined && eventSeq <= end.eventSeq && attemptSeq <= end.attemptSeq;
  }

  /** Runs on each new connection before its first use. `server`: see `SERVER`. */
  async admit(sql: Sql, server: string): Promise<void> {
    if (server !== this.#noted.server) await this.#enter(sql, server, false);
  }

  /**
   * Reads the numbers of the current history, which every read in sequence needs. Null if a
   * new history began meanwhile.
   */
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

/** Opens the histories. From then on each new connection enters its history first. */
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

/** @param backIn the history in which numbers went back, or null */
async function enter(
  sql: Sql,
  server: string,
  backIn: string | null,
): Promise<{ noted: Noted; numbers: Numbers }> {
  // The row lock admits one node at a time: the others find its record.
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
