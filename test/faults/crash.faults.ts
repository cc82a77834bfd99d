import { expect, inject, test } from 'vitest';
import { crashRun } from '../fixtures/crash-run.ts';
import { report } from './report.ts';

const { crashSeeds } = inject('scale');

test('kill -9 under capture and delivery load, many seeds', async () => {
  const sums = { kills: 0, acknowledged: 0, stored: 0, attempts: 0 };
  for (let seed = 1; seed <= crashSeeds; seed++) {
    const run = await crashRun(seed, 2).catch((error: unknown) => {
      throw new Error(`seed ${seed}`, { cause: error });
    });
    for (const name of Object.keys(sums) as (keyof typeof sums)[]) sums[name] += run[name];
  }
  expect(sums.kills).toBe(2 * crashSeeds);
  report('crash', { seeds: crashSeeds, ...sums, lost: 0, doubled: 0 });
});
