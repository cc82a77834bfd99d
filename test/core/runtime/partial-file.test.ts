import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { partialOf, removeAbandoned } from '../../../src/core/runtime/partial-file.ts';
import { tempDir } from '../../fixtures/running-server.ts';

const HOUR_S = 3600;

/** The id of a process that has ended. */
const deadPid = (): number => spawnSync(process.execPath, ['-e', '']).pid;

/** `name` with the ending of another process's partial file. */
function partialBy(pid: number, name: string): string {
  return partialOf(name).replace(`-${process.pid}-`, `-${pid}-`);
}

/** The same for a process on another machine. */
const elsewhere = (pid: number, name: string) => `${name}.partial-${pid}-1`;

/** The files that still exist. */
function leftOf(names: string[], idleS = 0): string[] {
  const directory = tempDir();
  for (const name of names) {
    const path = join(directory, name);
    writeFileSync(path, 'x');
    const at = Date.now() / 1000 - idleS;
    utimesSync(path, at, at);
  }
  removeAbandoned(directory);
  return readdirSync(directory).sort();
}

describe('removeAbandoned', () => {
  test('removes files of killed processes, whatever they were for', () => {
    const pid = deadPid();
    const names = [partialBy(pid, 'a.db'), partialBy(pid, 'b.db.key')];
    expect(leftOf([...names, `${names[0]}-journal`, `${names[0]}-wal`, 'a.db'])).toEqual(['a.db']);
  });

  test('leaves a living process’s file, however old', () => {
    const names = [partialOf('a.db'), partialBy(process.ppid, 'b.db'), partialBy(1, 'c.db')];
    expect(leftOf(names, 48 * HOUR_S)).toEqual(names.sort());
  });

  test('leaves another machine’s file until it is idle for a day', () => {
    const names = [elsewhere(deadPid(), 'a.db'), `${elsewhere(2, 'b.db')}-journal`];
    expect(leftOf(names, 23 * HOUR_S)).toEqual(names.sort());
    expect(leftOf(names, 25 * HOUR_S)).toEqual([]);
  });

  test('leaves similar names', () => {
    const pid = deadPid();
    const names = [
      ...[`a.db.partial-${pid}`, `a.db.partial-${pid}-x`, `a.db-partial-${pid}-1`, 'partial'],
      ...[`${partialBy(pid, 'a.db')}.gz`, `${elsewhere(pid, 'a.db')}-old`, 'a.partial--1'],
    ];
    expect(leftOf(names, 48 * HOUR_S)).toEqual(names.sort());
  });

  test('leaves directories, and the targets of links', () => {
    const directory = tempDir();
    const pid = deadPid();
    writeFileSync(join(directory, 'precious'), 'x');
    mkdirSync(join(directory, partialBy(pid, 'directory')));
    symlinkSync('precious', join(directory, partialBy(pid, 'link')));
    removeAbandoned(directory);
    expect(readdirSync(directory).sort()).toEqual([partialBy(pid, 'directory'), 'precious']);
  });

  test('accepts a missing directory', () => {
    removeAbandoned(join(tempDir(), 'none'));
  });
});
