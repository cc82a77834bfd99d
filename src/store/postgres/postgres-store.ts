import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { type Logger, systemClock } from '../../core/runtime/runtime.ts';
import type { CpuCharges } from '../../core/turns/cpu-use.ts';
import type { ClusterStore } from '../contract/cluster.ts';
import type { Store, StoreStats } from '../contract/store.ts';
import { postgresAccounts } from './accounts/accounts.ts';
import { postgresApiTokens } from './accounts/api-tokens.ts';
import { postgresAudit } from './accounts/audit.ts';
import { refuseUnfinishedMove } from './administration/move-target.ts';
import { PostgresAllowances } from './cluster/allowances.ts';
import { type Histories, openHistories } from './cluster/histories.ts';
import { connectionName } from './cluster/node-name.ts';
import { SchemaWatch } from './cluster/schema-watch.ts';
import { Signals } from './cluster/signals.ts';
import { Horizons } from './cluster/tickets.ts';
import { checkWritable } from './connection/check-writable.ts';
import { Database } from './connection/database.ts';
import { DatabaseClock } from './connection/database-clock.ts';
import { migrate } from './connection/migrate.ts';
import { checkServer } from './connection/server-facts.ts';
import { PostgresDeliveries } from './deliveries/deliveries.ts';
import { PostgresDestinations } from './destinations/destinations.ts';
import { PostgresEndpoints } from './endpoints/endpoints.ts';
import { PostgresEvents } from './events/events.ts';
import { postgresChannels } from './issues/channels.ts';
import { postgresIssues } from './issues/issues.ts';
import { readOpenIssues } from './issues/open-issues.ts';
import { EventJudge } from './judging/event-judge.ts';
import { PostgresFeed } from './live/feed.ts';
import { PostgresLive } from './live/live.ts';
import { readStats } from './overview/stats.ts';
import { LaneMarks } from './queue/lane-marks.ts';
import { LaneSweeps } from './queue/lane-sweeps.ts';
import { PostgresQueue } from './queue/queue.ts';
import { Rounds } from './queue/rounds.ts';
import { PostgresRejected } from './rejected/rejected.ts';
import { postgresReplays } from './replays/replays.ts';
import { EventSearch } from './search/event-search.ts';
import { Indexer } from './search-index/indexer.ts';
import { postgresTypes } from './types/types.ts';
import { PostgresUpkeep } from './upkeep/upkeep.ts';

/** The number of connections outside of the pools: one, for signals. */
const SIGNAL_CONNECTIONS = 1;

export interface PostgresStoreOptions {
  /** A `postgres://` URL. */
  database: string;
  log: Logger;
  /** Charges accounts for the CPU time of their searches. */
  cpu?: CpuCharges;
}

/**
 * Opens the store in a PostgreSQL database and upgrades the schema. Any number of nodes may open
 * the same database.
 *
 * Throws `storage_unavailable`, `database_unusable`, `schema_newer`, `overloaded` and
 * `config_invalid`.
 */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<PostgresStore> {
  // The name is unique even among nodes on one machine. PostgreSQL cuts names at 63 bytes.
  const node = `${hostname().slice(0, 30)}-${randomBytes(4).toString('hex')}`;
  const db = new Database({ url: options.database, applicationName: connectionName(node) });
  try {
    const { version } = await checkServer(db, db.size + SIGNAL_CONNECTIONS);
    const { to: schema } = await migrate(db, options.log);
    await refuseUnfinishedMove(db);
    const clock = new DatabaseClock(db, systemClock);
    const marks = new LaneMarks();
    const signals = new Signals(db, node, marks, options.log);
    const watch = new SchemaWatch(signals, schema, options.log, (error) =>
      signals.tell({ kind: 'outdated', error }),
    );
    const histories = await openHistories(db, options.log);
    const generation = await generationOf(db);
    await clock.start();
    await signals.start();
    db.explain = (error) => watch.explain(error);
    watch.start();
    options.log.info('joined the cluster as a node', { node, postgresql: version });
    const { log } = options;
    const judge = new EventJudge(options.cpu);
    const parts = { db, node, clock, signals, watch, marks, histories, generation, judge, log };
    return new PostgresStore(parts);
  } catch (error) {
    await db.close();
    throw error;
  }
}

interface Parts {
  db: Database;
  node: string;
  clock: DatabaseClock;
  signals: Signals;
  watch: SchemaWatch;
  marks: LaneMarks;
  histories: Histories;
  generation: string;
  judge: EventJudge;
  log: Logger;
}

export class PostgresStore implements Store {
  readonly generation: string;
  readonly clock: DatabaseClock;
  readonly accounts: Store['accounts'];
  readonly apiTokens: Store['apiTokens'];
  readonly audit: Store['audit'];
  readonly endpoints: PostgresEndpoints;
  readonly destinations: PostgresDestinations;
  readonly deliveries: PostgresDeliveries;
  readonly events: PostgresEvents;
  readonly rejected: PostgresRejected;
  readonly replays: Store['replays'];
  readonly live: PostgresLive;
  readonly issues: Store['issues'];
  readonly channels: Store['channels'];
  readonly types: Store['types'];
  readonly queue: PostgresQueue;
  readonly upkeep: PostgresUpkeep;
  readonly cluster: ClusterStore;
  readonly #db: Database;
  readonly #signals: Signals;
  readonly #watch: SchemaWatch;
  readonly #histories: Histories;
  readonly #indexer: Indexer;
  readonly #sweeps: LaneSweeps;
  readonly #judge: EventJudge;

  constructor(parts: Parts) {
    const { db, node, clock, signals, watch, marks, histories, generation, judge, log } = parts;
    this.#db = db;
    this.#judge = judge;
    this.#signals = signals;
    this.#watch = watch;
    this.#histories = histories;
    this.generation = generation;
    this.clock = clock;
    const horizons = new Horizons(db, histories);
    const rounds = new Rounds(marks);
    const indexer = new Indexer(db, horizons, log);
    const searches = new EventSearch(db, judge, (keys) => indexer.report(keys));
    this.#indexer = indexer;
    this.accounts = postgresAccounts(db);
    this.apiTokens = postgresApiTokens(db);
    this.audit = postgresAudit(db);
    this.endpoints = new PostgresEndpoints(db);
    this.destinations = new PostgresDestinations(db, rounds, marks);
    this.deliveries = new PostgresDeliveries(db, rounds, marks);
    this.events = new PostgresEvents(db, rounds, searches, indexer, watch);
    this.rejected = new PostgresRejected(db);
    this.replays = postgresReplays({ db, rounds, searches, judge, log });
    this.live = new PostgresLive(db, horizons, histories, judge);
    this.issues = postgresIssues(db, horizons);
    this.channels = postgresChannels(db, rounds, marks);
    this.types = postgresTypes(db, horizons);
    const sweeps = new LaneSweeps(db, marks, (destinationKeys) =>
      signals.tell({ kind: 'due', destinationKeys }),
    );
    this.#sweeps = sweeps;
    // Subscribe before the scheduler does, because its next poll must start the requested sweep.
    signals.subscribe((signal) => {
      const isVague = signal.kind === 'due' && signal.destinationKeys === null;
      if (isVague || signal.kind === 'resumed') sweeps.request();
    });
    this.queue = new PostgresQueue(db, node, { marks, sweeps }, (destinationKeys) =>
      signals.send({ kind: 'due', destinationKeys }),
    );
    this.upkeep = new PostgresUpkeep(db, rounds);
    this.cluster = {
      node,
      feed: new PostgresFeed(db, horizons),
      allowances: new PostgresAllowances(db),
      subscribe(listener) {
        const ends = [
          signals.subscribe(listener),
          histories.subscribe((horizon) => listener({ kind: 'history', horizon })),
        ];
        if (watch.newer) listener({ kind: 'outdated', error: watch.newer });
        return () => {
          for (const end of ends) end();
        };
      },
      send: (signal) => signals.send(signal),
      giveSlotsBack: (kept) => this.queue.giveSlotsBack(kept),
    };
    indexer.start();
  }

  get history(): string {
    return this.#histories.current;
  }

  async claimSecret(checkValue: string): Promise<boolean> {
    const [noted] = await this.#db.rows<{ value: string }>(
      `INSERT INTO meta (name, value) VALUES ('secret_check', $1)
       ON CONFLICT (name) DO UPDATE SET value = meta.value RETURNING value`,
      [checkValue],
    );
    return noted?.value === checkValue;
  }

  async hasSecret(): Promise<boolean> {
    const noted = await this.#db.rows("SELECT value FROM meta WHERE name = 'secret_check'");
    return noted.length > 0;
  }

  async announce(): Promise<void> {}

  async checkWritable(): Promise<void> {
    if (this.#watch.newer) throw this.#watch.newer;
    await checkWritable(this.#db);
  }

  stats(now: number): Promise<StoreStats> {
    return this.#db.snapshot(async (sql) => ({
      ...(await readStats(sql, now)),
      openIssues: await readOpenIssues(sql),
    }));
  }

  async close(): Promise<void> {
    this.clock.stop();
    this.#watch.stop();
    await this.#sweeps.close();
    await this.#judge.close();
    await this.#indexer.close();
    await this.#signals.close();
    await this.#db.close();
  }
}

/** Returns the generation. The first migration and each restore write a new one. */
async function generationOf(db: Database): Promise<string> {
  const [row] = await db.rows<{ value: string }>(
    "SELECT value FROM meta WHERE name = 'generation'",
  );
  return row?.value ?? '';
}
