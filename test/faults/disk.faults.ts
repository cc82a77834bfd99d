import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { EndpointAnswer } from '../../src/api/endpoints/endpoint-answer.ts';
import { type Account, callApi, register } from '../fixtures/account.ts';
import { canMount, canMountImages, mountImage } from '../fixtures/machine.ts';
import { checkDatabase, tempDir } from '../fixtures/running-server.ts';
import { type ServedProcess, serveIn, spawnServe } from '../fixtures/served-process.ts';
import { storedIds } from '../fixtures/stored-ids.ts';
import { until } from '../fixtures/until.ts';
import { report } from './report.ts';

/*
 * A real disk that fills up: its own tmpfs. Mounting needs root. Without root these
 * tests are skipped, and test/store/sqlite/storage-full.test.ts simulates the full
 * disk by SQLite's own limit.
 */

const MIB = 1024 ** 2;
const RESERVE = 256 * MIB;

const isMountable = canMount();
const isImageMountable = canMountImages();

/** Path of a disk of this many MiB, unmounted when the test ends. */
function disk(mib: number): string {
  const at = tempDir();
  spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${mib}m,mode=0700`, 'tmpfs', at]);
  onTestFinished(() => void spawnSync('umount', ['-l', at]));
  return at;
}

const freeBytes = (at: string) => {
  const { bavail, bsize } = statfsSync(at);
  return bavail * bsize;
};

interface Filling {
  served: ServedProcess;
  account: Account;
  endpoint: EndpointAnswer;
  acknowledged: string[];
  refused: Map<string, number>;
  send(bytes: number): Promise<boolean>;
}

async function filling(dataDir: string, flags: string[] = []): Promise<Filling> {
  const served = await serveIn(dataDir, flags);
  const account = await register(served);
  const endpoint = await account.createEndpoint();
  const acknowledged: string[] = [];
  const refused = new Map<string, number>();
  return {
    served,
    account,
    endpoint,
    acknowledged,
    refused,
    async send(bytes) {
      const path = `/in/${endpoint.public_token}`;
      // Compressible bodies would take no space.
      const { status, json, headers } = await callApi(served, 'POST', path, randomBytes(bytes));
      if (status === 200) {
        acknowledged.push(json.event_id);
        return true;
      }
      expect([status, json.error.code]).toEqual([503, 'storage_full']);
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
      refused.set(json.error.message, (refused.get(json.error.message) ?? 0) + 1);
      return false;
    },
  };
}

/** Exactly the acknowledged events are stored, and the server never stopped. */
async function checkNoLie({ served, account, endpoint, acknowledged }: Filling, dataDir: string) {
  expect((await account.list(endpoint)).total).toBe(acknowledged.length);
  served.kill('SIGTERM');
  expect(await served.exited()).toEqual({ code: 0, signal: null });
  checkStored(acknowledged, dataDir);
}

function checkStored(acknowledged: string[], dataDir: string) {
  checkDatabase(dataDir);
  expect(storedIds(dataDir).sort()).toEqual(acknowledged.toSorted());
}

test.skipIf(!isMountable)(
  'capture stops at the reserve, and returns when there is space',
  async () => {
    const at = disk(400);
    const it = await filling(at);
    while (await it.send(MIB));
    const freeAtStop = freeBytes(at);
    // Free space goes below the reserve only by writes in the 100 ms between two
    // checks. Above it stays the part of the log into which the database's file may
    // grow.
    expect(freeAtStop).toBeGreaterThan(RESERVE - 64 * MIB);
    expect(freeAtStop).toBeLessThan(RESERVE + statSync(join(at, 'hookrelay.db-wal')).size);
    // A checkpoint that truncates the log could let captures in again just now, so
    // another file takes that space.
    writeFileSync(join(at, 'ballast'), Buffer.alloc(64 * MIB));
    await until('capture has stopped', async () => !(await it.send(MIB)));
    expect((await callApi(it.served, 'GET', '/healthz')).status).toBe(200);
    expect((await callApi(it.served, 'GET', '/readyz')).status).toBe(503);
    expect((await it.account.list(it.endpoint, '?limit=1')).total).toBe(it.acknowledged.length);
    expect((await it.account.list(it.endpoint, '?q=absent')).total).toBe(0);
    expect((await callApi(it.served, 'POST', '/api/auth/login', { ...it.account })).status).toBe(
      200,
    );

    spawnSync('mount', ['-o', 'remount,size=600m', at]);
    await until('capture is back', () => it.send(10));
    expect(await it.send(MIB)).toBe(true);
    report('disk filled to the reserve', {
      acknowledged: it.acknowledged.length,
      refused: [...it.refused.values()].reduce((a, b) => a + b, 0),
      free_mib_at_stop: Math.round(freeAtStop / MIB),
      lost: 0,
    });
    await checkNoLie(it, at);
  },
);

test.skipIf(!isMountable)('deleted events free space on the same full disk', async () => {
  const at = disk(400);
  const it = await filling(at);
  while (await it.send(MIB));
  const keep = await it.account.createEndpoint({ name: 'kept' });
  expect((await it.account.call('DELETE', `/api/endpoints/${it.endpoint.id}`)).status).toBe(204);
  const path = `/in/${keep.public_token}`;
  await until(
    'capture is back',
    async () => (await callApi(it.served, 'POST', path, 'x')).status === 200,
    30_000,
  );
  expect((await callApi(it.served, 'POST', path, Buffer.alloc(MIB))).status).toBe(200);
  it.served.kill('SIGTERM');
  await it.served.exited();
  checkDatabase(at);
});

test.skipIf(!isMountable)(
  'a disk that others fill to the last byte: no false answer, and it recovers',
  async () => {
    const at = disk(400);
    const it = await filling(at);
    for (let i = 0; i < 5; i++) expect(await it.send(MIB)).toBe(true);
    const ballast = join(at, 'ballast');
    spawnSync('dd', ['if=/dev/zero', `of=${ballast}`, 'bs=1M']);
    expect(freeBytes(at)).toBe(0);
    const refusals = () => [...it.refused.values()].reduce((a, b) => a + b, 0);
    // The last check of the disk was earlier: the write itself fails.
    expect(await it.send(24 * MIB)).toBe(false);
    expect([...it.refused.keys()]).toEqual(['the storage took no more data']);
    // Some captures still fit into the existing log file. They are stored and
    // acknowledged.
    for (let i = 0; i < 200 && refusals() < 20; i++) await it.send(256 * 1024);
    expect((await callApi(it.served, 'GET', '/healthz')).status).toBe(200);
    expect((await it.account.list(it.endpoint)).total).toBe(it.acknowledged.length);
    expect(refusals()).toBe(20);
    rmSync(ballast);
    await until('capture is back', () => it.send(10));
    expect(it.served.exit).toBeNull();
    report('disk filled by others', {
      acknowledged: it.acknowledged.length,
      refused: Object.fromEntries(it.refused),
      lost: 0,
    });
    await checkNoLie(it, at);
  },
);

test.skipIf(!isMountable)(
  'a read-only file system at the start: refused, and nothing changed',
  async () => {
    const at = disk(600);
    const it = await filling(at);
    expect(await it.send(1000)).toBe(true);
    it.served.kill('SIGTERM');
    await it.served.exited();
    spawnSync('mount', ['-o', 'remount,ro', at]);
    const before = readdirSync(at).sort();
    const refused = spawnServe(['--port', '0', '--data-dir', at]);
    expect((await refused.exited()).code).toBe(1);
    expect(refused.stderr).toMatch(/"hint":"./);
    expect(refused.stderr).not.toMatch(/^\s+at /m);
    expect(readdirSync(at).sort()).toEqual(before);
    spawnSync('mount', ['-o', 'remount,rw', at]);
    const again = await serveIn(at);
    expect((await callApi(again, 'GET', '/readyz')).status).toBe(200);
  },
);

test.skipIf(!isImageMountable)(
  'a file system that turns read-only under a server: capture fails with an error, reads go on',
  async () => {
    const at = tempDir();
    onTestFinished(() => rmSync(`${at}.img`, { force: true }));
    mountImage(at, 900);
    onTestFinished(() => void spawnSync('umount', ['-l', at]));
    const it = await filling(at);
    for (let i = 0; i < 20; i++) expect(await it.send(1000)).toBe(true);
    // The kernel does the same after a disk error, without regard to open files.
    expect(spawnSync('mount', ['-o', 'remount,abort', at]).status).toBe(0);
    for (let i = 0; i < 20; i++) expect(await it.send(1000)).toBe(false);
    expect((await callApi(it.served, 'GET', '/healthz')).status).toBe(200);
    const ready = await callApi(it.served, 'GET', '/readyz');
    expect([ready.status, ready.json.error.code]).toEqual([503, 'storage_full']);
    expect(ready.json.error.hint).toMatch(/read-only/);
    const [id = ''] = it.acknowledged;
    expect((await it.account.event(it.endpoint, id)).size).toBe(1000);
    expect((await it.account.list(it.endpoint)).total).toBe(20);
    it.served.kill('SIGTERM');
    expect(await it.served.exited()).toEqual({ code: 0, signal: null });
    expect(it.served.stderr).toContain('the write-ahead log could not be moved');

    expect(spawnSync('umount', [at]).status).toBe(0);
    expect(spawnSync('mount', ['-o', 'loop', `${at}.img`, at]).status).toBe(0);
    const served = await serveIn(at);
    expect((await callApi(served, 'GET', '/readyz')).status).toBe(200);
    served.kill('SIGTERM');
    await served.exited();
    checkStored(it.acknowledged, at);
  },
);

test('an overwritten page of the database: reported, and no start makes it worse', async () => {
  const dataDir = tempDir();
  const it = await filling(dataDir);
  for (let i = 0; i < 50; i++) await it.send(3000);
  it.served.kill('SIGTERM');
  await it.served.exited();
  const file = join(dataDir, 'hookrelay.db');
  const bytes = readFileSync(file);
  bytes.fill(0xff, 0, 4096);
  writeFileSync(file, bytes);
  const refused = spawnServe(['--port', '0', '--data-dir', dataDir]);
  expect((await refused.exited()).code).toBe(1);
  expect(refused.stderr).toMatch(/"hint":"./);
  expect(readFileSync(file).equals(bytes)).toBe(true);
});
