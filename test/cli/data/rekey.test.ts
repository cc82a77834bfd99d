import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lockDataDir } from '../../../src/store/sqlite/files/data-lock.ts';
import { DataDir } from '../local-server.ts';
import { playLostSecret } from './rekeyed-data.ts';

test('a lost secret.key: rekey goes on with the rest', async () => {
  const data = new DataDir();
  const file = join(data.path, 'secret.key');
  await playLostSecret(data, {}, () => {
    rmSync(file);
    return {};
  });
  expect(existsSync(file)).toBe(true);
});

test('rekey leaves a secret that fits, and refuses while another process works on the data', async () => {
  const data = new DataDir();
  await data.fill((world) => world.endpoint());
  const before = readFileSync(join(data.path, 'secret.key'), 'utf8');
  expect(await data.json('rekey', '--drop-sealed', '--yes')).toEqual({ rekeyed: false });
  expect(readFileSync(join(data.path, 'secret.key'), 'utf8')).toBe(before);
  rmSync(join(data.path, 'secret.key'));
  const lock = lockDataDir(data.path);
  const outcome = await data.run(['rekey', '--drop-sealed', '--yes']);
  lock.release();
  expect(outcome.stderr).toContain('another hookrelay works on');
  expect(existsSync(join(data.path, 'secret.key'))).toBe(false);
});
