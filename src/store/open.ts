import type { AdminStore, DataMove, Holder } from './contract/admin-store.ts';
import type { Store } from './contract/store.ts';
import type { StoreThreadOptions } from './sqlite/thread/store-thread.ts';

/** Opens a backend with its schema up to date. */
export type OpenStore = (options: StoreThreadOptions) => Promise<Store>;

/**
 * What opens the configured backend. Loads its driver and no other's.
 *
 * @param database a `postgres://` URL, or null for SQLite in the data directory
 */
export async function loadStore(database: string | null): Promise<OpenStore> {
  if (database === null)
    return (await import('./sqlite/thread/threaded-store.ts')).openThreadedStore;
  const { openPostgresStore } = await import('./postgres/postgres-store.ts');
  return (options) => openPostgresStore({ ...options, database });
}

/** The configured backend, for local commands. Opens nothing yet. */
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

/** Who works on a data directory, or null. Throws what keeps that from being told. */
export async function dataDirHolder(dataDir: string): Promise<Holder | null> {
  const { lockHolder } = await import('./sqlite/administration/admin-lock.ts');
  return lockHolder(dataDir);
}

/** Takes a data directory, to move what is in it to a PostgreSQL database. */
export async function openMove({
  dataDir,
  to,
}: {
  dataDir: string;
  to: string;
}): Promise<DataMove> {
  const { openMoveSource } = await import('./sqlite/administration/move-source.ts');
  const { PostgresMove } = await import('./postgres/administration/move-target.ts');
  const source = openMoveSource(dataDir);
  try {
    return new PostgresMove(source, to);
  } catch (error) {
    source.close();
    throw error;
  }
}
