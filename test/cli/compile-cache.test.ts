import { spawnSync } from 'node:child_process';
import { globSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { tempDir } from '../fixtures/running-server.ts';

/* Compiled code is kept between runs: a help to every command, and never a hindrance. */

const BIN = fileURLToPath(new URL('../../bin/hookrelay.mjs', import.meta.url));

function printVersion(env: Record<string, string>) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [BIN, '--version'], {
    env,
    encoding: 'utf8',
    timeout: 20_000,
  });
  return { status, stdout, stderr };
}

const kept = (folder: string) => globSync('hookrelay/compiled/*/*', { cwd: folder });
const printed = { status: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+/), stderr: '' };

test('the cache is in the user’s cache folder', () => {
  const [home, cache] = [tempDir(), tempDir()];
  expect(printVersion({ HOME: home })).toEqual(printed);
  expect(kept(join(home, '.cache')).length).toBeGreaterThan(10);
  expect(printVersion({ HOME: home, XDG_CACHE_HOME: cache })).toEqual(printed);
  expect(kept(cache).length).toBeGreaterThan(10);
});

test('a relative XDG_CACHE_HOME is ignored, as its specification says', () => {
  const home = tempDir();
  expect(printVersion({ HOME: home, XDG_CACHE_HOME: 'cache' })).toEqual(printed);
  expect(kept(join(home, '.cache')).length).toBeGreaterThan(10);
});

test('commands run without a writable cache', () => {
  const file = join(tempDir(), 'file');
  writeFileSync(file, '');
  expect(printVersion({ HOME: join(file, 'home') })).toEqual(printed);
  // On a file system that takes no entries, Node's own mkdir never ends.
  expect(printVersion({ HOME: '/proc/nope' })).toEqual(printed);
});

test('the cache can be turned off', () => {
  const home = tempDir();
  expect(printVersion({ HOME: home, NODE_DISABLE_COMPILE_CACHE: '1' })).toEqual(printed);
  expect(kept(join(home, '.cache'))).toEqual([]);
});
