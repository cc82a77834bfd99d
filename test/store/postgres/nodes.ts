import { onTestFinished } from 'vitest';
import type { Logger } from '../../../src/core/runtime/runtime.ts';
import type { PostgresStore } from '../../../src/store/postgres/postgres-store.ts';
import { type TestDatabase, tempMigratedDatabase } from '../../fixtures/postgres-database.ts';
import { World } from '../conformance/world.ts';
import { openNode } from './temp-store.ts';

export interface Nodes {
  database: TestDatabase;
  stores: PostgresStore[];
  /** A world on the first node. */
  world: World;
}

/** Opens `count` nodes on one new database, and closes them when the test ends. */
export async function openNodes(count: number, log?: Logger): Promise<Nodes> {
  const database = await tempMigratedDatabase();
  const stores: PostgresStore[] = [];
  onTestFinished(async () => {
    await Promise.all(stores.map((store) => store.close()));
  });
  for (let i = 0; i < count; i++) stores.push(await openNode(database.url, log));
  const store = stores[0] as PostgresStore;
  const world = new World({ store, reopen: async () => store, close: async () => {} });
  return { database, stores, world };
}
