import { spawnSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import http from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { expect, inject, onTestFinished, test } from 'vitest';
import { register } from '../fixtures/account.ts';
import { random } from '../fixtures/crash-run.ts';
import { request } from '../fixtures/http-request.ts';
import { httpReceiver } from '../fixtures/receiver.ts';
import { checkDatabase, tempDir } from '../fixtures/running-server.ts';
import { ServedProcess, serveIn } from '../fixtures/served-process.ts';
import { until } from '../fixtures/until.ts';
import { report } from './report.ts';
import { early, readTrace, STRACE_FLAGS, writeDisk } from './traced-disk.ts';

/*
 * A power cut, which no kill shows: what the kernel has, a killed process keeps.
 * strace tells what was written and what was synced; the server is killed under
 * load, the disk made as the worst cut would leave it, and a server started on it.
 */

const { powerCuts } = inject('scale');
const LAPTOP = ['--allow-private-destinations', '--log-format', 'json'];
const CONTROL = fileURLToPath(new URL('preload-synchronous-normal.mjs', import.meta.url));
const LOG = 'hookrelay.db-wal';
const hasStrace = spawnSync('strace', ['-V'], { stdio: 'ignore' }).status === 0;

interface Cut {
  acknowledged: Set<string>;
  /** Of those, how many left before their commit was on disk. */
  early: number;
  /** Of those, how many are gone after the cut. */
  lost: number;
  syncs: number;
}

async function cutPower(
  seed: number,
  options: { env?: Record<string, string>; enough?: number } = {},
): Promise<Cut> {
  const next = random(seed);
  const base = tempDir();
  const target = await httpReceiver();
  const first = await serveIn(base, LAPTOP);
  const account = await register(first);
  const endpoint = await account.createEndpoint();
  await account.addDestination(endpoint, target.url);
  first.kill('SIGTERM');
  await first.exited();

  const live = join(tempDir(), 'data');
  cpSync(base, live, { recursive: true });
  const traceFile = join(tempDir(), 'trace');
  const flags = ['--port', '0', '--data-dir', live, ...LAPTOP];
  const served = new ServedProcess(flags, options.env ?? {}, [
    'strace',
    ...STRACE_FLAGS,
    '-o',
    traceFile,
  ]);
  onTestFinished(async () => {
    if (served.exit) return;
    process.kill(served.tracedPid, 'SIGKILL');
    await served.exited(60_000);
  });
  await until('it is ready', () => served.url !== '' || served.exit !== null, 60_000);
  const acknowledged = new Set<string>();
  const enough = options.enough ?? 40 + Math.floor(next() * 200);
  const agent = new http.Agent({ keepAlive: true, maxSockets: 8 });
  const senders = Array.from({ length: 8 }, async () => {
    for (;;) {
      const body = Buffer.alloc(Math.floor(next() ** 3 * 20_000), 'x');
      const url = `${served.url}/in/${endpoint.public_token}`;
      const answer = await request(url, { method: 'POST', body, agent }).catch(() => null);
      if (!answer) return;
      if (answer.status === 200) acknowledged.add(answer.json.event_id);
    }
  });
  await until('enough is acknowledged', () => acknowledged.size >= enough, 120_000);
  // The server itself, strace's child: strace then ends with it, its trace whole.
  process.kill(served.tracedPid, 'SIGKILL');
  await served.exited(60_000);
  await Promise.all(senders);
  agent.destroy();

  const trace = readTrace(traceFile, base, ['hookrelay.db', LOG]);
  const disk = join(tempDir(), 'disk');
  writeDisk(base, disk, trace);
  const again = await serveIn(disk, LAPTOP);
  again.kill('SIGTERM');
  await again.exited();
  checkDatabase(disk);
  const db = new Database(join(disk, 'hookrelay.db'), { readonly: true });
  const stored = new Set(db.prepare<[], string>('SELECT id FROM events').pluck().all());
  db.close();
  return {
    acknowledged,
    early: early(trace).length,
    lost: [...acknowledged].filter((id) => !stored.has(id)).length,
    syncs: trace.steps.filter((step) => step.kind === 'sync' && step.file === LOG).length,
  };
}

test.skipIf(!hasStrace)('nothing acknowledged is lost with the power', async () => {
  const sums = { acknowledged: 0, log_syncs: 0 };
  for (let seed = 1; seed <= powerCuts; seed++) {
    const cut = await cutPower(seed);
    expect({ seed, early: cut.early, lost: cut.lost }).toEqual({ seed, early: 0, lost: 0 });
    sums.acknowledged += cut.acknowledged.size;
    sums.log_syncs += cut.syncs;
  }
  report('power cuts', { cuts: powerCuts, ...sums, acknowledged_before_sync: 0, lost: 0 });
});

test.skipIf(!hasStrace)(
  'the control: without the sync before the answer this finds it',
  async () => {
    // So few that the log is not checkpointed: that would sync it.
    const env = { NODE_OPTIONS: `--import=${CONTROL}` };
    const cut = await cutPower(1, { env, enough: 40 });
    expect(cut.early).toBeGreaterThan(0);
    expect(cut.lost).toBeGreaterThan(0);
    report('power cut, control with synchronous=NORMAL', {
      acknowledged: cut.acknowledged.size,
      log_syncs: cut.syncs,
      acknowledged_before_sync: cut.early,
      lost: cut.lost,
    });
  },
);

test.skipIf(!hasStrace)(
  'a sync that fails: refused, and the process ends rather than guess',
  async () => {
    const dataDir = tempDir();
    const first = await serveIn(dataDir, LAPTOP);
    const account = await register(first);
    const endpoint = await account.createEndpoint();
    first.kill('SIGTERM');
    await first.exited();
    const fail = ['-e', 'trace=fdatasync,fsync', '-e', 'inject=fdatasync,fsync:error=EIO:when=12+'];
    const flags = ['--port', '0', '--data-dir', dataDir, ...LAPTOP];
    const served = new ServedProcess(flags, {}, ['strace', '-f', ...fail, '-o', '/dev/null']);
    onTestFinished(async () => {
      if (served.exit) return;
      process.kill(served.tracedPid, 'SIGKILL');
      await served.exited(60_000);
    });
    await until('it is ready', () => served.url !== '' || served.exit !== null, 60_000);
    const acknowledged: string[] = [];
    const url = `${served.url}/in/${endpoint.public_token}`;
    for (let i = 0; i < 200; i++) {
      const answer = await request(url, { method: 'POST', body: `${i}` }).catch(() => null);
      if (!answer) break;
      expect([200, 503]).toContain(answer.status);
      if (answer.status === 200) acknowledged.push(answer.json.event_id);
    }
    expect((await served.exited(60_000)).code).toBe(1);
    expect(served.stderr).toContain('the storage failed');
    expect(acknowledged.length).toBeGreaterThan(0);
    expect(acknowledged.length).toBeLessThan(200);
    const again = await serveIn(dataDir, LAPTOP);
    again.kill('SIGTERM');
    await again.exited();
    checkDatabase(dataDir);
    const db = new Database(join(dataDir, 'hookrelay.db'), { readonly: true });
    const stored = new Set(db.prepare<[], string>('SELECT id FROM events').pluck().all());
    db.close();
    expect(acknowledged.filter((id) => !stored.has(id))).toEqual([]);
    report('a failing fsync', { acknowledged_before: acknowledged.length, exit: 1, lost: 0 });
  },
);
