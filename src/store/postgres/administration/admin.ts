import { setTimeout as sleep } from 'node:timers/promises';
import { HookrelayError } from '../../../core/errors.ts';
import type { Logger } from '../../../core/runtime.ts';
import type {
  AdminStore,
  BackupSummary,
  ExclusiveAdmin,
  Inspection,
  UserAdmin,
} from '../../contract/admin-store.ts';
import { beginHistory, openHistories } from '../cluster/histories.ts';
import { Horizons } from '../cluster/tickets.ts';
import { Database } from '../connection/database.ts';
import { migrate, newestSchema, schemaOf } from '../connection/migrate.ts';
import { checkServer, explainStart } from '../connection/server-facts.ts';
import { Indexer } from '../reading/indexer.ts';
import { PostgresTypes } from '../types/types.ts';
import { LaneMarks } from '../writing/lane-marks.ts';
import { Rounds } from '../writing/rounds.ts';
import { PostgresUpkeep } from '../writing/upkeep.ts';
import { checkIntegrity, inspect, secretCheckOf } from './admin-inspect.ts';
import { PostgresUserAdmin } from './admin-users.ts';

const PRUNE_SLICE_EVENTS = 200;
/** Pause between two slices, ms: the nodes come first. */
const PRUNE_PAUSE_MS = 5;
const SILENT: Logger = { debug() {}, info() {}, warn() {}, error() {} };

/** The work of local commands on a PostgreSQL database, beside any number of nodes. */
export class PostgresAdmin implements AdminStore {
  readonly users: UserAdmin;
  readonly #url: string;
  #db: Database | undefined;
  #current = false;

  constructor(url: string) {
    this.#url = url;
    this.users = new PostgresUserAdmin((options) => this.#open(options));
  }

  async countOlder(before: number): Promise<{ events: number; open: number }> {
    const db = await this.#open();
    const [row] = await db.rows<{ events: number; open: number }>(
      `SELECT count(*) AS events, count(*) FILTER (WHERE EXISTS (SELECT 1 FROM open_deliveries v
         WHERE v.endpoint_key = e.endpoint_key AND v.event_seq = e.seq)) AS open
       FROM endpoints p JOIN events e ON e.endpoint_key = p.key AND e.received_at < $1`,
      [before],
    );
    return row as { events: number; open: number };
  }

  async prune(before: number, onProgress: (removed: number) => void = () => {}): Promise<number> {
    const upkeep = new PostgresUpkeep(await this.#open(), new Rounds(new LaneMarks()));
    let removed = 0;
    for (;;) {
      const slice = await upkeep.retireInTurn(before, PRUNE_SLICE_EVENTS);
      removed += slice.removed;
      onProgress(removed);
      if (!slice.more) return removed;
      await sleep(PRUNE_PAUSE_MS);
    }
  }

  async backup(): Promise<BackupSummary> {
    throw new HookrelayError(
      'not_implemented',
      'PostgreSQL has its own backup program; hookrelay backs up only SQLite',
      {
        hint: 'pg_dump --format=custom --file=hookrelay.dump "$HOOKRELAY_DATABASE" (and keep HOOKRELAY_SECRET_KEY separately)',
      },
    );
  }

  async secretCheck(): Promise<string | null> {
    return secretCheckOf(await this.#connect());
  }

  inspect(now: number): Promise<Inspection> {
    return inspect(() => this.#connect(), now);
  }

  async checkIntegrity(full: boolean): Promise<string[]> {
    return checkIntegrity(await this.#connect(), full);
  }

  /** Doesn't lock anything: this work is safe beside nodes of this version. */
  async exclusive({ make }: { make: boolean }): Promise<ExclusiveAdmin> {
    const db = await this.#connect();
    if (!make && (await schemaOf(db)) === 0) throw noData();
    return {
      migrate: () => db.transaction(migrate),
      reindex: (onProgress) => this.#reindex(onProgress),
      async restore() {
        throw new HookrelayError(
          'not_implemented',
          'PostgreSQL has its own restore program; hookrelay restores only SQLite',
          {
            hint: 'stop every node; then: pg_restore --clean --if-exists --dbname="$HOOKRELAY_DATABASE" hookrelay.dump; then: hookrelay restore, without a file',
          },
        );
      },
      completeRestore: () =>
        db.transaction(async (sql) => {
          await migrate(sql);
          await beginHistory(sql);
          await sql.run('DELETE FROM sessions');
        }),
      async release() {},
    };
  }

  async #reindex(
    onProgress: (progress: { done: number; total: number }) => void = () => {},
  ): Promise<number> {
    const db = await this.#open();
    await db.transaction(async (sql) => {
      await sql.run('TRUNCATE event_texts');
      await sql.run("UPDATE meta SET value = '0' WHERE name = 'search_watermark'");
    });
    const [row] = await db.rows<{ total: number }>('SELECT count(*) AS total FROM event_contents');
    const total = row?.total ?? 0;
    // A running node may index some events too. The work ends when all are indexed.
    const horizons = new Horizons(db, await openHistories(db, SILENT));
    await new PostgresTypes(db, horizons).relearn();
    const indexer = new Indexer(db, horizons, SILENT);
    for (;;) {
      const more = await indexer.slice();
      const [texts] = await db.rows<{ done: number }>('SELECT count(*) AS done FROM event_texts');
      const done = texts?.done ?? 0;
      onProgress({ done, total });
      if (!more && done >= total) return done;
      if (!more) await sleep(PRUNE_PAUSE_MS);
    }
  }

  async close(): Promise<void> {
    await this.#db?.close();
    this.#db = undefined;
  }

  async #connect(): Promise<Database> {
    if (this.#db) return this.#db;
    let db: Database;
    try {
      db = new Database({ url: this.#url, applicationName: 'hookrelay command' });
    } catch (error) {
      throw explainStart(error);
    }
    try {
      await checkServer(db);
    } catch (error) {
      await db.close();
      throw error;
    }
    this.#db = db;
    return db;
  }

  /**
   * Opens a database with this program's schema. `migrate` or a node's start upgrades an
   * older one.
   */
  async #open({ make = false }: { make?: boolean } = {}): Promise<Database> {
    const db = await this.#connect();
    if (this.#current) return db;
    const schema = await schemaOf(db);
    if (schema === 0 && !make) throw noData();
    if (schema !== newestSchema()) {
      if (schema !== null && schema > 0 && schema < newestSchema()) {
        throw new HookrelayError(
          'data_dir_locked',
          `the database has schema ${schema}; this hookrelay needs schema ${newestSchema()}`,
          { hint: 'stop nodes of the older version, then: hookrelay migrate' },
        );
      }
      await db.transaction(migrate);
    }
    this.#current = true;
    return db;
  }
}

function noData(): HookrelayError {
  return new HookrelayError('data_dir_unusable', 'the database is empty: no node has used it yet', {
    hint: 'check --database (HOOKRELAY_DATABASE); hookrelay serve or hookrelay migrate creates the tables',
  });
}
