import { expect, test } from 'vitest';
import { register } from '../fixtures/account.ts';
import { request } from '../fixtures/http-request.ts';
import { canTrace } from '../fixtures/machine.ts';
import { checkDatabase, tempDir } from '../fixtures/running-server.ts';
import { serveIn, spawnTraced } from '../fixtures/served-process.ts';
import { storedIds } from '../fixtures/stored-ids.ts';
import { report } from './report.ts';

/* A disk whose syncs fail. */

const LAPTOP = ['--allow-private-destinations', '--log-format', 'json'];

test.skipIf(!canTrace())('a failing sync: refused, and the process ends', async () => {
  const dataDir = tempDir();
  const first = await serveIn(dataDir, LAPTOP);
  const account = await register(first);
  const endpoint = await account.createEndpoint();
  first.kill('SIGTERM');
  await first.exited();
  const fail = ['-e', 'trace=fdatasync,fsync', '-e', 'inject=fdatasync,fsync:error=EIO:when=12+'];
  const flags = ['--port', '0', '--data-dir', dataDir, ...LAPTOP];
  const served = spawnTraced(flags, ['-f', ...fail, '-o', '/dev/null']);
  await served.ready(60_000);
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
  const stored = new Set(storedIds(dataDir));
  expect(acknowledged.filter((id) => !stored.has(id))).toEqual([]);
  report('a failing fsync', { acknowledged_before: acknowledged.length, exit: 1, lost: 0 });
});
