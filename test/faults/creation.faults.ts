import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { capture, register } from '../fixtures/account.ts';
import { seededRandom } from '../fixtures/random.ts';
import { checkDatabase, tempDir } from '../fixtures/running-server.ts';
import { serveIn, spawnServe } from '../fixtures/served-process.ts';
import { report } from './report.ts';

const { creationKills } = inject('scale');

test('kill -9 while the data directory is created: the next start completes it', async () => {
  const next = seededRandom(7);
  const landed = { before_the_database: 0, in_its_creation: 0, before_the_secret: 0, later: 0 };
  for (let i = 0; i < creationKills; i++) {
    const dataDir = tempDir();
    const has = (name: string) => existsSync(join(dataDir, name));
    const first = spawnServe(['--port', '0', '--data-dir', dataDir]);
    // Kills at turns of the event loop: the creation takes some milliseconds.
    const [begun, withinMs] = i % 2 === 0 ? ['hookrelay.db.new', 5] : ['lock.db', 40];
    while (!has(begun) && !has('hookrelay.db') && !first.exit) await new Promise(setImmediate);
    const at = performance.now() + next() ** 2 * withinMs;
    while (performance.now() < at) await new Promise(setImmediate);
    first.kill('SIGKILL');
    expect(await first.exited()).toEqual({ code: null, signal: 'SIGKILL' });
    if (has('hookrelay.db.new')) landed.in_its_creation++;
    else if (!has('hookrelay.db')) landed.before_the_database++;
    else if (!has('secret.key')) landed.before_the_secret++;
    else landed.later++;
    const second = await serveIn(dataDir);
    await capture((await (await register(second)).createEndpoint()).capture_url);
    second.kill('SIGTERM');
    expect(await second.exited()).toEqual({ code: 0, signal: null });
    checkDatabase(dataDir);
  }
  report('killed at creation', { kills: creationKills, ...landed, refused_after: 0 });
  expect(landed.in_its_creation).toBeGreaterThan(0);
});
