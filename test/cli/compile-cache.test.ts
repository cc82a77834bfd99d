import { spawnSync } from 'node:child_process';
import { existsSync, globSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { tempDir } from '../fixtures/running-server.ts';

/* Compiled code is kept between runs: a help to every command, and never a hindrance. */

const CACHE_MODULE = String(new URL('../../bin/user-cache.mjs', import.meta.url));
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

test('the cache is kept, and can be turned off', () => {
  const home = tempDir();
  const off = { HOME: home, NODE_DISABLE_COMPILE_CACHE: '1' };
  expect(printVersion(off)).toEqual(printed);
  expect(kept(join(home, '.cache'))).toEqual([]);
  expect(printVersion({ HOME: home })).toEqual(printed);
  expect(kept(join(home, '.cache')).length).toBeGreaterThan(10);
});

test('commands run without a writable cache', () => {
  // On a file system that takes no entries, Node's own mkdir never ends.
  expect(printVersion({ HOME: '/proc/nope' })).toEqual(printed);
});

describe('the user’s cache folder', () => {
  const userCache = async (home: string, cache?: string): Promise<string> => {
    vi.stubEnv('HOME', home);
    vi.stubEnv('XDG_CACHE_HOME', cache);
    return (await import(CACHE_MODULE)).userCache();
  };
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  test('is below the home, or where XDG_CACHE_HOME says', async () => {
    const [home, cache] = [tempDir(), tempDir()];
    expect(await userCache(home, cache)).toBe(join(cache, 'hookrelay'));
    expect(await userCache(home)).toBe(join(home, '.cache', 'hookrelay'));
    expect(existsSync(join(home, '.cache', 'hookrelay'))).toBe(true);
  });

  test('is below the home for a relative XDG_CACHE_HOME, as its specification says', async () => {
    const home = tempDir();
    expect(await userCache(home, 'cache')).toBe(join(home, '.cache', 'hookrelay'));
  });

  test('is an error where it cannot be made', async () => {
    const file = join(tempDir(), 'file');
    writeFileSync(file, '');
    await expect(userCache(join(file, 'home'))).rejects.toThrow('ENOTDIR');
    await expect(userCache('/proc/nope')).rejects.toThrow('ENOENT');
  });
});
