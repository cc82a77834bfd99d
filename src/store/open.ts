import { HookrelayError } from '../core/errors.ts';
import type { AdminStore } from './admin-store.ts';
import { SqliteAdmin } from './sqlite/admin.ts';
import type { StoreThreadOptions } from './sqlite/store-thread.ts';
import { openThreadedStore } from './sqlite/threaded-store.ts';
import type { Store } from './store.ts';

export interface OpenStoreOptions extends StoreThreadOptions {
  /** A `postgres://` URL, or null for SQLite in the data directory. */
  database: string | null;
}

/** Opens the configured backend with its schema up to date. */
export function openStore({ database, ...options }: OpenStoreOptions): Promise<Store> {
  refusePostgres(database);
  return openThreadedStore(options);
}

/** The configured backend, for local commands. Opens nothing yet. */
export function openAdmin(options: { database: string | null; dataDir: string }): AdminStore {
  refusePostgres(options.database);
  return new SqliteAdmin(options.dataDir);
}

function refusePostgres(database: string | null): void {
  if (database === null) return;
  throw new HookrelayError('config_invalid', 'this hookrelay has no PostgreSQL backend yet', {
    hint: 'leave --database (HOOKRELAY_DATABASE) out to store in the data directory',
  });
}
