import { setTimeout as sleep } from 'node:timers/promises';
import { HookrelayError } from '../../../core/errors.ts';
import { SILENT_LOG } from '../../../core/runtime/silent-log.ts';
import type {
  AdminStore,
  BackupSummary,
  ExclusiveAdmin,
  Inspection,
  UserAdmin,
} from '../../contract/admin-store.ts';
import { beginHistory, openHistories } from '../cluster/histories.ts';
import { connectedNodes } from '../cluster/node-name.ts';
import { Horizons } from '../cluster/tickets.ts';
import { Database, type Sql } from '../connection/database.ts';
import { migrate } from '../connection/migrate.ts';
import { newestSchema } from '../connection/migrations.ts';
import { knownSchema } from '../connection/schema.ts';
import { checkServer, explainStart } from '../connection/server-facts.ts';
import { LaneMarks } from '../queue/lane-marks.ts';
import { Rounds } from '../queue/rounds.ts';
import { countTexts, WATERMARK, writeTextsAgain } from '../search-index/event-texts.ts';
import { Indexer } from '../search-index/indexer.ts';
import { relearn } from '../types/saved-types.ts';
import { PostgresUpkeep } from '../upkeep/upkeep.ts';
import { dropSealed, readSealed } from './drop-sealed.ts';
import { checkIntegrity, inspect, secretCheckOf } from './inspect.ts';
import { postgresUserAdmin } from './user-admin.ts';

const PRUNE_SLICE_EVENTS = 200;
/** The pause between two slices, ms. Nodes can write during the pause. */
const PRUNE_PAUSE_MS = 5;

/** Runs the operator's commands on a PostgreSQL database. Nodes may use the database meanwhile. */
export class PostgresAdmin implements AdminStore {
  readonly users: UserAdmin;
  readonly #url: string;
  #db: Database | undefined;
  #current = false;

  constructor(url: string) {
    this.#url = url;
    this.users = postgresUserAdmin((options) => this.#open(options));
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

  /** Takes no lock, because the work is safe while nodes of this version run. */
  async exclusive({ make }: { make: boolean }): Promise<ExclusiveAdmin> {
    const db = await this.#connect();
    if (!make && (await knownSchema(db)).number === 0) throw noData();
    return {
      migrate: () => migrate(db, SILENT_LOG),
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
      async completeRestore() {
        await migrate(db, SILENT_LOG);
        await db.transaction(async (sql) => {
          await beginHistory(sql);
          await sql.run('DELETE FROM sessions');
        });
      },
      sealed: async () => readSealed(await this.#open()),
      dropSealed: async (seal) => {
        const opened = await this.#open();
        const [node] = await connectedNodes(opened);
        if (node !== undefined) {
          throw new HookrelayError('data_dir_locked', `the node ${node} uses the database`, {
            hint: 'stop every node first: they have the former secret',
          });
        }
        await dropSealed(opened, seal);
      },
      async release() {},
    };
  }

  /**
   * Rebuilds the indexes of `event_texts`, then writes each missing or wrong text. Returns the
   * number of texts. Searches stay fast and exact meanwhile, because no text is removed.
   */
  async #reindex(
    onProgress: (progress: { done: number; total: number }) => void = () => {},
  ): Promise<number> {
    const db = await this.#open();
    await db.alone(rebuildIndexes);
    // Write texts only up to the watermark, which indexers alone advance. Otherwise nodes of older
    // versions would find later events twice.
    const [row] = await db.rows<{ total: number; watermark: number }>(
      `SELECT count(*) AS total, ${WATERMARK} AS watermark FROM event_contents`,
    );
    const { total, watermark } = row ?? { total: 0, watermark: 0 };
    const horizons = new Horizons(db, await openHistories(db, SILENT_LOG));
    await db.transaction(relearn);
    let done = 0;
    await writeTextsAgain(db, { after: 0, upTo: watermark }, (events) => {
      done += events;
      onProgress({ done, total });
    });
    await db.transaction(countTexts);
    // If a node holds the `indexing` duty, that node indexes the rest.
    const indexer = new Indexer(db, horizons, SILENT_LOG);
    while (await indexer.slice());
    const [texts] = await db.rows<{ count: number }>('SELECT count(*) FROM event_texts');
    return texts?.count ?? 0;
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
   * Opens a database whose schema this program can use. Throws `data_dir_locked` if the schema is
   * older. Throws `data_dir_unusable` if the database is empty and `make` is false.
   */
  async #open({ make = false }: { make?: boolean } = {}): Promise<Database> {
    const db = await this.#connect();
    if (this.#current) return db;
    const { number } = await knownSchema(db);
    if (number === 0 && !make) throw noData();
    if (number > 0 && number < newestSchema()) {
      throw new HookrelayError(
        'data_dir_locked',
        `the database has schema ${number}; this hookrelay needs schema ${newestSchema()}`,
        { hint: 'bring it up to date: hookrelay migrate' },
      );
    }
    await migrate(db, SILENT_LOG);
    this.#current = true;
    return db;
  }
}

/**
 * Rebuilds the indexes of `event_texts` while nodes run. First drops invalid indexes of interrupted
 * runs.
 */
async function rebuildIndexes(sql: Sql): Promise<void> {
  const broken = await sql.rows<{ name: string }>(`
    SELECT indexrelid::regclass AS name FROM pg_index
    WHERE indrelid = 'event_texts'::regclass AND NOT indisvalid`);
  for (const { name } of broken) await sql.run(`DROP INDEX CONCURRENTLY ${name}`);
  // REINDEX may wait long for older transactions, but no transaction waits for REINDEX.
  await sql.run('SET lock_timeout = 0');
  await sql.run('REINDEX TABLE CONCURRENTLY event_texts');
}

function noData(): HookrelayError {
  return new HookrelayError('data_dir_unusable', 'the database is empty: no node has used it yet', {
    hint: 'check --database (HOOKRELAY_DATABASE); hookrelay serve or hookrelay migrate creates the tables',
  });
}
