import { HookrelayError } from '../core/errors.ts';
import { openSqliteStore, type SqliteStoreOptions } from './sqlite/sqlite-store.ts';
import type { Store } from './store.ts';

export interface OpenStoreOptions extends SqliteStoreOptions {
  /** A `postgres://` URL, or null for SQLite in the data directory. */
  database: string | null;
}

/** Opens the configured backend with its schema up to date. */
export function openStore({ database, ...options }: OpenStoreOptions): Promise<Store> {
  if (database !== null) {
    throw new HookrelayError('config_invalid', 'this hookrelay has no PostgreSQL backend yet', {
      hint: 'leave --database (HOOKRELAY_DATABASE) out to store in the data directory',
    });
  }
  return openSqliteStore(options);
}
