import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { stateCode } from '../../src/store/shared/codes.ts';
import { capture, register } from '../fixtures/account.ts';
import { failOnLeaks } from '../fixtures/leaks.ts';
import { httpReceiver, status } from '../fixtures/receiver.ts';
import { checkDatabase, tempDir } from '../fixtures/running-server.ts';
import { serveIn } from '../fixtures/served-process.ts';
import { storedIssues, untilIssue } from '../fixtures/stored-issues.ts';
import { until } from '../fixtures/until.ts';

failOnLeaks();

const KILLS = 2;
const EVENTS = 12;
const FLAGS = [
  ...['--allow-private-destinations', '--retry-attempts', '3', '--retry-base', '50ms'],
  ...['--retry-factor', '1', '--breaker-failures', '1000000', '--log-format', 'json'],
];

test('kill -9 between an attempt and its fold loses no failure and counts none twice', async () => {
  const dataDir = tempDir();
  const target = await httpReceiver(status(503));
  let served = await serveIn(dataDir, FLAGS);
  const account = await register(served);
  const endpoint = await account.createEndpoint();
  await account.addDestination(endpoint, target.url);
  for (let kill = 1; kill <= KILLS; kill++) {
    for (let i = 0; i < EVENTS; i++) await capture(`${served.url}/in/${endpoint.public_token}`);
    const isUncounted = () => failures(dataDir) > counted(dataDir);
    await until('an attempt is on record that no issue has counted', isUncounted);
    served.kill('SIGKILL');
    await served.exited();
    served = await serveIn(dataDir, FLAGS);
  }
  const dead = KILLS * EVENTS;
  await until('all deliveries are dead', () => deaths(dataDir) === dead);
  const all = failures(dataDir);
  expect(all).toBeGreaterThanOrEqual(3 * dead);
  await untilIssue(dataDir, { state: 'open', count: all });
  served.kill('SIGTERM');
  await served.exited();
  checkDatabase(dataDir);
  expect(storedIssues(dataDir)).toMatchObject([{ state: 'open', count: all }]);
});

const counted = (dataDir: string) =>
  storedIssues(dataDir).reduce((sum, { count }) => sum + count, 0);

const failures = (dataDir: string) =>
  number(dataDir, 'SELECT count(*) FROM attempts WHERE response_code = 503');

const deaths = (dataDir: string) =>
  number(dataDir, `SELECT count(*) FROM deliveries WHERE state = ${stateCode('dead')}`);

function number(dataDir: string, sql: string): number {
  const db = new Database(`${dataDir}/hookrelay.db`, { readonly: true });
  try {
    return db.prepare<[], number | null>(sql).pluck().get() ?? 0;
  } finally {
    db.close();
  }
}
