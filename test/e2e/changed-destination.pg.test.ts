import { test } from 'vitest';
import { tempMigratedDatabase } from '../fixtures/postgres-database.ts';
import { changeWhileDeliveriesWait } from './changed-destination.ts';
import { NodeCluster } from './node-cluster.ts';

test('a change at one node applies to deliveries that wait at another', {
  timeout: 120_000,
}, async () => {
  const nodes = new NodeCluster((await tempMigratedDatabase()).url);
  const holder = await nodes.start(0);
  const changer = await nodes.start(1);
  await changeWhileDeliveriesWait(holder, changer);
});
