import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { capture, register } from '../fixtures/account.ts';
import { failOnLeaks } from '../fixtures/leaks.ts';
import { httpReceiver, type Received } from '../fixtures/receiver.ts';
import { checkDatabase, tempDir } from '../fixtures/running-server.ts';
import { serveIn } from '../fixtures/served-process.ts';
import { until } from '../fixtures/until.ts';
import { untilDelivered } from '../fixtures/until-delivered.ts';

/*
 * kill -9 at one moment; under load in crash.slow.test.ts, and with many more seeds in
 * test/faults. No kill can show that an answer waits for its fsync, because the kernel
 * keeps its data. The order of system calls shows it.
 */

failOnLeaks();

test('kill -9 between a 2xx and its record repeats the delivery with the same id', async () => {
  const dataDir = tempDir();
  const flags = ['--allow-private-destinations', '--retry-base', '50ms', '--log-format', 'json'];
  const first = await serveIn(dataDir, flags);
  const account = await register(first);
  const endpoint = await account.createEndpoint();
  const target = await httpReceiver((_request, res) => {
    // The receiver has the event, but the server is gone before it can read the
    // answer.
    if (target.requests.length === 1) first.kill('SIGKILL');
    res.end('ok');
  });
  await account.addDestination(endpoint, target.url);
  const id = await capture(`${first.url}/in/${endpoint.public_token}`, 'once or more');
  await first.exited();
  // Timestamps are in seconds: within the same second, a repeated one would look
  // new.
  const stampOf = ({ headers }: Received) => Number(headers['webhook-timestamp']);
  const [before] = (await target.received(1)) as [Received];
  await until('the next second', () => Date.now() / 1000 >= stampOf(before) + 1);
  const second = await serveIn(dataDir, flags);
  const after = (await target.received(2))[1] as Received;
  await untilDelivered(second);
  expect(before.headers['webhook-id']).toBe(id);
  expect(after.headers['webhook-id']).toBe(id);
  expect(stampOf(after)).toBeGreaterThan(stampOf(before));
  expect(after.body.toString()).toBe('once or more');
  second.kill('SIGTERM');
  await second.exited();
  checkDatabase(dataDir);
  const db = new Database(`${dataDir}/hookrelay.db`, { readonly: true });
  expect(db.prepare('SELECT number, response_code FROM attempts').all()).toEqual([
    { number: 1, response_code: 200 },
  ]);
  db.close();
});
