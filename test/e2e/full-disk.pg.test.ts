import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { callApi, register } from '../fixtures/account.ts';
import { canMount } from '../fixtures/machine.ts';
import { PostgresCluster, unprivileged } from '../fixtures/postgres-cluster.ts';
import { tempDir } from '../fixtures/running-server.ts';
import { until } from '../fixtures/until.ts';
import { NodeCluster } from './node-cluster.ts';

const MIB = 1024 ** 2;
const isMountable = canMount();

/**
 * A database whose tables are on a tmpfs of their own, at `at`, in a cluster of its own: a
 * full disk fails the checkpoints of all.
 */
async function databaseOnDisk(mib: number) {
  const at = tempDir();
  const { uid = 0, gid = 0 } = unprivileged() ?? {};
  const options = `size=${mib}m,mode=0700,uid=${uid},gid=${gid}`;
  spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', at]);
  onTestFinished(() => void spawnSync('umount', ['-l', at]));
  const cluster = await PostgresCluster.start();
  onTestFinished(() => cluster.destroy());
  await cluster.query(`CREATE TABLESPACE disk LOCATION '${at}'`);
  await cluster.query('CREATE DATABASE events TABLESPACE disk');
  return {
    at,
    url: cluster.url('events'),
    query: (sql: string) => cluster.query(sql, [], 'events'),
  };
}

/** Writes a file until the disk takes no more. */
function fill(path: string): void {
  const file = openSync(path, 'w');
  for (let bytes = MIB; bytes >= 1; ) {
    try {
      writeSync(file, Buffer.alloc(bytes));
    } catch {
      bytes /= 2;
    }
  }
  closeSync(file);
}

test.skipIf(!isMountable)(
  'on a full disk of PostgreSQL a node is not ready, as captures are refused, and both come back',
  async () => {
    const { url, at, query } = await databaseOnDisk(64);
    const nodes = new NodeCluster(url);
    const node = await nodes.start(0);
    const account = await register(nodes.entry);
    const endpoint = await account.createEndpoint();
    const path = `/in/${endpoint.public_token}`;
    const send = async (bytes: number) => {
      const { status, json } = await callApi(node, 'POST', path, randomBytes(bytes));
      return status === 200 ? 'stored' : `${status} ${json.error.code}`;
    };
    const ready = async () => {
      const { status, json } = await callApi(node, 'GET', '/readyz');
      return status === 200 ? 'ready' : `${status} ${json.error.code}`;
    };
    expect([await send(64 * 1024), await ready()]).toEqual(['stored', 'ready']);

    const ballast = join(at, 'ballast');
    fill(ballast);
    const full = '503 storage_full';
    await until('captures are refused', async () => (await send(64 * 1024)) === full);
    expect(await ready()).toBe(full);
    expect((await account.list(endpoint)).total).toBeGreaterThan(0);

    rmSync(ballast);
    expect([await send(64 * 1024), await ready()]).toEqual(['stored', 'ready']);

    // Deleted events leave room in the tables, though the disk is full.
    await query('DELETE FROM event_contents');
    await query('VACUUM (TRUNCATE false) event_contents');
    fill(ballast);
    expect([await send(1024), await ready()]).toEqual(['stored', 'ready']);
    expect(statfsSync(at).bavail).toBe(0);
  },
);
