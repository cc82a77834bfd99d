import { expect, test } from 'vitest';
import { SystemFacts } from '../../../src/api/system/system-facts.ts';
import { HookrelayError } from '../../../src/core/errors.ts';
import { expectStatus, register } from '../../fixtures/account.ts';
import { runServer } from '../../fixtures/running-server.ts';

test('the server tells its versions, its disk and its index', async () => {
  const server = await runServer();
  const account = await register(server);
  const answer = await account.call('GET', '/api/system');
  const system = expectStatus(200, answer);
  expect(system).toMatchObject({
    node_version: process.versions.node,
    store: 'SQLite',
    index: { behind: expect.any(Number) },
    checks: [
      { name: 'storage', state: 'ok', hint: null },
      { name: 'disk space' },
      { name: 'search index', state: 'ok' },
    ],
  });
  expect(system.disk.free_bytes).toBeLessThanOrEqual(system.disk.total_bytes);
  expect(system.database_bytes).toBeGreaterThan(0);
  expect(Date.parse(system.started_at)).toBeLessThanOrEqual(Date.now());
  expect(JSON.stringify(system)).not.toContain(server.dataDir);
});

test('a store that takes no events fails its check, and a look serves for 10 s', async () => {
  let now = 0;
  let looks = 0;
  const clock = { now: () => now, monotonic: () => now };
  const facts = new SystemFacts({
    clock,
    dataDir: null,
    async checkReady() {
      throw new HookrelayError('storage_full', 'the disk is full', { hint: 'free some' });
    },
    async stats() {
      looks++;
      return { databaseBytes: 1, indexLag: 20_000 };
    },
  });
  const { disk, store, checks } = await facts.facts();
  expect([disk, store]).toEqual([null, 'PostgreSQL']);
  expect(checks).toEqual([
    { name: 'storage', state: 'fail', text: 'the disk is full', hint: 'free some' },
    expect.objectContaining({ name: 'search index', state: 'warn' }),
  ]);
  now = 9999;
  await facts.facts();
  expect(looks).toBe(1);
  now = 10_000;
  await facts.facts();
  expect(looks).toBe(2);
});
