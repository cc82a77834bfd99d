import { join } from 'node:path';
import { types } from 'node:util';
import type { Database } from 'better-sqlite3';
import { onTestFinished } from 'vitest';
import { systemClock } from '../../../src/core/runtime/runtime.ts';
import { lockDataDir } from '../../../src/store/sqlite/files/data-lock.ts';
import { openDatabase } from '../../../src/store/sqlite/files/database.ts';
import { migrate } from '../../../src/store/sqlite/files/migrate.ts';
import { eachRead, type Reads } from '../../../src/store/sqlite/reader-thread/reads.ts';
import { prepareForSearch } from '../../../src/store/sqlite/search/content-condition.ts';
import { openSearchIndex } from '../../../src/store/sqlite/search-index/search-index.ts';
import { SqliteStore } from '../../../src/store/sqlite/sqlite-store.ts';
import { World } from '../conformance/world.ts';
import { strictLog, tempDir } from './temp-store.ts';

/** A scan of a table that grows with every event, by name or alias. */
export const GROWING =
  /^SCAN (e|events|c|event_contents|v|deliveries|o|open_deliveries|a|attempts|d|destinations|event_counts|first_events|r|rejected_requests|i|issues|channels|t|event_types)\b/;

/** An index with few rows: open deliveries and issues, destinations with a flow, deleted endpoints. */
const PARTIAL =
  /USING (COVERING )?INDEX (open_deliveries_due|destinations_held|endpoints_deleted|issues_open)/;

export interface Noted {
  db: Database;
  /** The plans of the statements prepared since the last call. */
  plans(): Map<string, string[]>;
}

/** Records every statement that is prepared on a connection. */
function noting(db: Database): Noted {
  const prepare = db.prepare.bind(db);
  const statements = new Set<string>();
  Object.assign(db, {
    prepare(sql: string) {
      statements.add(sql);
      return prepare(sql);
    },
  });
  const planOf = (sql: string): string[] => {
    const values = (sql.match(/\?/g) ?? []).map(() => null);
    const names = [...sql.matchAll(/@(\w+)/g)].map(([, name]) => [name, null]);
    const named = names.length > 0 ? [Object.fromEntries(names)] : [];
    return prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
      .all(...values, ...named)
      .map(({ detail }) => detail);
  };
  return {
    db,
    plans() {
      const plans = new Map([...statements].map((sql) => [sql, planOf(sql)]));
      statements.clear();
      return plans;
    },
  };
}

export const scansIn = (plans: Map<string, string[]>) =>
  [...plans.values()].flat().filter((step) => GROWING.test(step) && !PARTIAL.test(step));

export const sortsIn = (steps: string[]) => steps.filter((step) => step.includes('TEMP B-TREE'));

/** Runs a generator to its end and returns its result. */
export function resultOf<T>(steps: Generator<unknown, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** A store whose statements are recorded. */
export function notingStore(): Noted & { world: World } {
  const dataDir = tempDir();
  const lock = lockDataDir(dataDir);
  const noted = noting(openDatabase(join(dataDir, 'hookrelay.db')));
  migrate(noted.db);
  const options = { dataDir, clock: systemClock, log: strictLog(), onFatal: () => {} };
  const store = new SqliteStore(options, noted.db, lock);
  onTestFinished(() => store.close());
  const world = new World({ store, reopen: async () => store, close: () => store.close() });
  return { ...noted, world };
}

/** A database like that of the reader's thread, whose statements are recorded. */
export function notingReader(): Noted {
  const directory = tempDir();
  const db = openDatabase(join(directory, 'hookrelay.db'));
  onTestFinished(() => {
    db.close();
  });
  migrate(db);
  const searchFile = join(directory, 'search.db');
  openSearchIndex(searchFile, 'generation').close();
  db.prepare('ATTACH ? AS idx').run(searchFile);
  db.prepare('UPDATE idx.state SET watermark = 1000').run();
  // Enough events for a page not to be empty and for searches to use the index.
  db.exec('INSERT INTO event_counts VALUES (1, 0, 1000), (1, 1, 1000), (1, 2, 1000)');
  prepareForSearch(db);
  return noting(db);
}

/** The reads, on this connection. */
export const readsOn = (db: Database): Reads =>
  eachRead(async (read, args) => {
    const answer = read.run({ db, index: null }, ...args);
    return types.isGeneratorObject(answer) ? resultOf(answer as Generator<void>) : answer;
  });
