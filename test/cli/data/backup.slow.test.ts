import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { failOnLeaks } from '../../fixtures/leaks.ts';
import { until } from '../../fixtures/until.ts';
import { Terminal } from '../command-line.ts';
import { DataDir, filesLike, integrity, query, spawnProgram } from '../local-server.ts';
import { smallData } from './small-data.ts';

failOnLeaks();

const BODY_BYTES = 1024 * 1024;

/** A database that takes a while to copy. */
async function largeData(events: number): Promise<DataDir> {
  const data = new DataDir();
  await data.fill(async (world) => {
    const endpoint = await world.endpoint();
    for (let i = 0; i < events; i++) {
      await world.event(endpoint, { body: randomBytes(BODY_BYTES) });
    }
  });
  return data;
}

/** `kill -9` in the middle of a copy to a file. Returns the name of the partial file. */
async function killHalfWay(data: DataDir, args: string[], target: string): Promise<string> {
  const { child, partial } = await startCopy(data, args, target);
  child.kill('SIGKILL');
  await once(child, 'exit');
  return partial;
}

/** Starts a copy to a file, and returns the name under which it grows. */
async function startCopy(data: DataDir, args: string[], target: string) {
  const child = spawnProgram(data, [...args, '--data-dir', data.path]);
  const directory = dirname(target);
  const begun = () => {
    const names = filesLike(directory, `${basename(target)}.partial-`);
    const name = names.find((one) => /\d$/.test(one));
    return name && statSync(join(directory, name)).size > BODY_BYTES ? name : false;
  };
  return { child, partial: await until('the copy begins', begun) };
}

test('a backup and a restore, killed half-way, leave nothing half-done, and the next run clears up', async () => {
  const data = await largeData(64);
  const [monday, tuesday, wednesday] = ['monday.db', 'tuesday.db', 'wednesday.db'].map((name) =>
    join(data.home, name),
  ) as [string, string, string];
  const names = () => filesLike(data.home, '').filter((name) => name.includes('.db'));
  const killed = await killHalfWay(data, ['backup', monday], monday);
  expect(names()).toContain(killed);
  expect(existsSync(monday)).toBe(false);

  // A run clears up after a killed one beside it, and not after a running one.
  const { child, partial } = await startCopy(data, ['backup', tuesday], tuesday);
  child.kill('SIGSTOP');
  expect(names()).not.toContain(killed);
  const killedToo = await killHalfWay(data, ['backup', wednesday], wednesday);
  // At a terminal it shows its progress, and clears it.
  const args = ['backup', wednesday, '--data-dir', data.path];
  const terminal = new Terminal({ home: data.home }, args);
  expect(await terminal.ended()).toBe(0);
  expect(terminal.screen).toMatch(/copying: [\d.]+ of 6\d\.\d MB \(\d+ %\)/);
  expect(terminal.lines.some((line) => /^\s*events: 64$/.test(line))).toBe(true);
  expect(names()).toContain(partial);
  expect(names()).not.toContain(killedToo);
  const ended = once(child, 'exit');
  child.kill('SIGCONT');
  expect(await ended).toEqual([0, null]);
  expect(names()).toEqual(['tuesday.db', 'wednesday.db']);
  for (const file of [tuesday, wednesday]) expect(query(file, integrity)).toBe('ok');

  const other = await smallData();
  const before = other.snapshot();
  const half = await killHalfWay(other, ['restore', wednesday], other.database);
  for (const [name, bytes] of before) expect(other.snapshot().get(name) === bytes).toBe(true);
  expect(await other.json('restore', wednesday)).toMatchObject({ events: 64 });
  expect(filesLike(other.path, half)).toEqual([]);
  expect(query(other.database, integrity)).toBe('ok');
});
