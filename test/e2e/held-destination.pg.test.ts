import { test } from 'vitest';
import { tempMigratedDatabase } from '../fixtures/postgres-database.ts';
import {
  breakerOpensAndCloses,
  pauseAndResume,
  QUICK_BREAKER_FLAGS,
  rateHolds,
} from './held-destination.ts';
import { NodeCluster } from './node-cluster.ts';

test('two nodes have one breaker, one ramp and one rate', { timeout: 240_000 }, async () => {
  const nodes = new NodeCluster((await tempMigratedDatabase()).url, QUICK_BREAKER_FLAGS);
  const both = [await nodes.start(0), await nodes.start(1)];
  await breakerOpensAndCloses(both);
  await pauseAndResume(both);
  await rateHolds(both);
});
