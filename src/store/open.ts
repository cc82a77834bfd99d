import type { AdminStore, DataMove, Holder } from './contract/admin-store.ts';
import type { Store } from './contract/store.ts';
import type { StoreThreadOptions } from './sqlite/store-thread/store-thread.ts';

/** Opens a backend and brings its schema up to date. */
export type OpenStore = (options: StoreThreadOptions) => Promise<Store>;

/**
 * Returns the function that opens the configured backend. Loads only that backend's driver.
 *
 * @param database a `postgres://` URL, or null for SQLite in the data directory
 */
export async function loadStore(database: string | null): Promise<OpenStore> {
  if (database === null)
    return (await import('./sqlite/store-thread/threaded-store.ts')).openThreadedStore;
  const { openPostgresStore } = await import('./postgres/postgres-store.ts');
  return (options) => openPostgresStore({ ...options, database });
}

/**
 * Returns the configured backend for local commands. Opens the data only when a command needs it.
 */
export async function openAdmin(options: {
  database: string | null;
  dataDir: string;
}): Promise<AdminStore> {
  if (options.database === null) {
    const { SqliteAdmin } = await import('./sqlite/administration/admin.ts');
    return new SqliteAdmin(options.dataDir);
  }
  const { PostgresAdmin } = await import('./postgres/administration/admin.ts');
  return new PostgresAdmin(options.database);
}

/**
 * Returns the process that uses a data directory, or null if none does. Throws if the directory
 * can't be read.
 */
export async function dataDirHolder(dataDir: string): Promise<Holder | null> {
  const { lockHolder } = await import('./sqlite/administration/admin-lock.ts');
  return lockHolder(dataDir);
}

/** Locks a data directory, and returns the move of its data to a PostgreSQL database. */
export async function openMove({
  dataDir,
  to,
}: {
  dataDir: string;
  to: string;
}): Promise<DataMove> {
  const { openMoveSource } = await import('./sqlite/administration/move-source.ts');
  const { PostgresMoveTarget } = await import('./postgres/administration/move-target.ts');
  const source = openMoveSource(dataDir);
  try {
    return new PostgresMoveTarget(source, to);
  } catch (error) {
    source.close();
    throw error;
  }
}
