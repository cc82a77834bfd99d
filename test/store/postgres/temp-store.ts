import type { Logger } from '../../../src/core/runtime/runtime.ts';
import {
  openPostgresStore,
  type PostgresStore,
} from '../../../src/store/postgres/postgres-store.ts';
import { makeMigratedDatabase } from '../../fixtures/postgres-database.ts';
import type { OpenedStore } from '../conformance/world.ts';

/** A log whose warnings and errors fail the test. */
const refuse = (message: string, fields?: { error?: unknown }) => {
  throw new Error(`logged: ${message}`, { cause: fields?.error });
};
export const strictLog: Logger = { debug() {}, info() {}, warn: refuse, error: refuse };

/** Opens a node on a database. The caller closes it. */
export function openNode(url: string, log: Logger = strictLog): Promise<PostgresStore> {
  return openPostgresStore({ database: url, log });
}

/** Opens a store for the conformance suite. */
export async function openInTempDatabase(): Promise<OpenedStore> {
  const database = await makeMigratedDatabase();
  let open: PostgresStore | undefined = await openNode(database.url);
  return {
    store: open,
    async reopen() {
      await open?.close();
      open = undefined;
      open = await openNode(database.url);
      return open;
    },
    async close() {
      await open?.close();
      await database.drop();
    },
  };
}
