import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { tempDir } from '../fixtures/running-server.ts';
import { serveIn } from '../fixtures/served-process.ts';
import { until } from '../fixtures/until.ts';

/* What `serve` says to its own process before it begins, so that it takes less memory. */

const BIN = fileURLToPath(new URL('../../bin/hookrelay.mjs', import.meta.url));

/** In every thread, as it begins: fills the space of young objects, and says how far it grew. */
const GREEDY = `
  import { isMainThread } from 'node:worker_threads';
  import { getHeapSpaceStatistics } from 'node:v8';
  let kept = [];
  for (let i = 0; i < 4_000_000; i++) {
    kept.push({ i });
    if (kept.length > 100_000) kept = [];
  }
  const { space_size } = getHeapSpaceStatistics().find((space) => space.space_name === 'new_space');
  const thread = isMainThread ? 'main' : 'worker';
  process.stderr.write(thread + ' thread: ' + Math.round(space_size / 2 ** 20) + ' MiB\\n');
`;

function serve(env: Record<string, string> = {}) {
  return serveIn(tempDir(), [], env);
}

function environmentOf(pid: number): Record<string, string> {
  const entries = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  return Object.fromEntries(entries.map((entry) => entry.split(/=(.*)/s)));
}

test('young objects and mallocs take less than they would', async () => {
  const greedy = join(tempDir(), 'greedy.mjs');
  writeFileSync(greedy, GREEDY);
  const server = await serve({ NODE_OPTIONS: `--import=${greedy}` });
  expect(environmentOf(server.pid)).toMatchObject({
    NODE_OPTIONS: `--import=${greedy} --max-semi-space-size=8`,
    MALLOC_ARENA_MAX: '2',
  });
  const sizesOf = (thread: string) =>
    [...server.stderr.matchAll(/^(\w+) thread: (\d+) MiB$/gm)]
      .filter(([, name]) => name === thread)
      .map(([, , size]) => Number(size));
  // The store's, and that of its index, which is given a quarter of it.
  await until('two threads have begun', () => sizesOf('worker').length >= 2);
  expect(Math.min(...sizesOf('worker'))).toBeLessThanOrEqual(4);
  // Before and after it was begun anew.
  const [before, after] = sizesOf('main');
  expect(before).toBeGreaterThan(32);
  expect(after).toBeLessThanOrEqual(16);
});

test.each([
  { NODE_OPTIONS: '--max-semi-space-size=32' },
  { NODE_OPTIONS: '--max_semi_space_size=32' },
])('what the operator says of young objects is kept: %j', async (said) => {
  const server = await serve(said);
  const env = environmentOf(server.pid);
  expect(env).toMatchObject(said);
  expect(env).not.toHaveProperty('MALLOC_ARENA_MAX');
});

test('what the operator says of mallocs is kept', async () => {
  const server = await serve({ MALLOC_ARENA_MAX: '7' });
  expect(environmentOf(server.pid)).toMatchObject({ MALLOC_ARENA_MAX: '7' });
});

test('a parent that talks to it keeps its channel', async () => {
  const child = fork(BIN, ['serve', '--port', '0', '--data-dir', tempDir(), '--json'], {
    execArgv: [],
    stdio: ['ignore', 'pipe', 'ignore', 'ipc'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout as NodeJS.ReadableStream, 'data');
  expect(child.connected).toBe(true);
  expect(environmentOf(child.pid as number)).not.toHaveProperty('MALLOC_ARENA_MAX');
});
