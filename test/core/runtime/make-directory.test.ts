import { spawnSync } from 'node:child_process';
import { existsSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeDirectory } from '../../../src/core/runtime/make-directory.ts';
import { tempDir } from '../../fixtures/running-server.ts';

const codeOf = (directory: string) => {
  try {
    makeDirectory(directory);
    return null;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code;
  }
};

test('it makes missing directories for their owner alone, and leaves existing ones', () => {
  const top = tempDir();
  const deep = join(top, 'a', 'b', 'c');
  makeDirectory(deep);
  makeDirectory(deep);
  for (const path of [deep, join(top, 'a', 'b'), join(top, 'a')]) {
    expect(statSync(path).mode & 0o777).toBe(0o700);
  }
});

test('it throws when a directory cannot be made', () => {
  const top = tempDir();
  const file = join(top, 'file');
  writeFileSync(file, '');
  symlinkSync(join(top, 'gone', 'gone'), join(top, 'dangling'));
  expect(codeOf(file)).toBe('EEXIST');
  expect(codeOf(join(file, 'below'))).toBe('EEXIST');
  expect(codeOf(join(top, 'dangling', 'below'))).toBe('EEXIST');
});

// In its own process: a fault here would never return.
test.skipIf(!existsSync('/proc/self'))('it throws below /proc, where mkdir -p never ends', () => {
  const file = new URL('../../../src/core/runtime/make-directory.ts', import.meta.url);
  const code = `import { makeDirectory } from '${file}'; makeDirectory('/proc/nope/below');`;
  const args = ['--input-type=module', '--eval', code];
  const { status, signal, stderr } = spawnSync(process.execPath, args, {
    timeout: 20_000,
    encoding: 'utf8',
  });
  expect({ status, signal }).toEqual({ status: 1, signal: null });
  expect(stderr).toContain("ENOENT: no such file or directory, mkdir '/proc/nope'");
});
