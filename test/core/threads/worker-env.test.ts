import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { expect, test } from 'vitest';
import { tempDir } from '../../fixtures/running-server.ts';

const WORKER_ENV = String(new URL('../../../src/core/threads/worker-env.ts', import.meta.url));

/** Prints the folders of compiled code of the main thread and of its worker. */
const PRINTING = `
  import module from 'node:module';
  import { Worker } from 'node:worker_threads';
  import { workerEnv } from '${WORKER_ENV}';
  if (process.argv[1]) module.enableCompileCache(process.argv[1]);
  const ofMain = module.getCompileCacheDir();
  const code =
    'import module from "node:module"; import { parentPort } from "node:worker_threads";' +
    'parentPort.postMessage(module.getCompileCacheDir())';
  new Worker(code, { eval: true, env: workerEnv() }).on('message', (ofWorker) => {
    const { NODE_COMPILE_CACHE: variable } = process.env;
    process.stdout.write(JSON.stringify({ ofMain, ofWorker, variable }));
  });
`;

function printed(...args: string[]): { ofMain?: string; ofWorker?: string; variable?: string } {
  const all = ['--input-type=module', '--eval', PRINTING, ...args];
  const env = { PATH: process.env.PATH };
  const { stdout, stderr } = spawnSync(process.execPath, all, { env, encoding: 'utf8' });
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}

test('a thread uses the compiled code of the main thread, which other processes don’t', () => {
  const folder = tempDir();
  const { ofMain, ofWorker, variable } = printed(folder);
  expect(ofWorker).toBe(ofMain);
  expect(ofMain).toMatch(folder);
  // All of it is in one folder of this Node version.
  expect(globSync('*', { cwd: folder })).toHaveLength(1);
  expect(variable).toBeUndefined();
});

test('a thread has no compiled code if the main thread has none', () => {
  expect(printed()).toEqual({});
});
