import { expect, inject, test } from 'vitest';
import { capture, register } from '../fixtures/account.ts';
import { crashRun, random } from '../fixtures/crash-run.ts';
import { checkDatabase, tempDir } from '../fixtures/running-server.ts';
import { serveIn, spawnServe } from '../fixtures/served-process.ts';
import { report } from './report.ts';

const { crashSeeds, creationKills } = inject('scale');

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

test('kill -9 while the data directory is made: the next start makes it', async () => {
  const next = random(7);
  let early = 0;
  for (let i = 0; i < creationKills; i++) {
    const dataDir = tempDir();
    const first = spawnServe(['--port', '0', '--data-dir', dataDir]);
    const at = performance.now() + 100 + next() * 500;
    while (performance.now() < at && first.url === '') await new Promise(setImmediate);
    if (first.url === '') early++;
    first.kill('SIGKILL');
    await first.exited();
    const second = await serveIn(dataDir);
    await capture((await (await register(second)).createEndpoint()).capture_url);
    second.kill('SIGTERM');
    expect(await second.exited()).toEqual({ code: 0, signal: null });
    checkDatabase(dataDir);
  }
  report('killed at creation', { kills: creationKills, before_ready: early, refused_after: 0 });
});
