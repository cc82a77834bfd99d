import { test } from 'vitest';
import { tempMigratedDatabase } from '../fixtures/postgres-database.ts';
import { changeFilterBetweenCaptures, compareAmounts } from './filters.ts';
import { NodeCluster } from './node-cluster.ts';

test('every capture after the answer of another node is judged by the new filter', {
  timeout: 120_000,
}, async () => {
  const nodes = new NodeCluster((await tempMigratedDatabase()).url);
  const holder = await nodes.start(0);
  const changer = await nodes.start(1);
  await changeFilterBetweenCaptures(holder, changer);
  await compareAmounts(holder);
});
