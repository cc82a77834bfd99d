import path from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { type Account, capture, expectStatus, register } from '../../fixtures/account.ts';
import { startHere } from '../../fixtures/in-process.ts';
import { failOnLeaks } from '../../fixtures/leaks.ts';
import { tempDir } from '../../fixtures/running-server.ts';
import { type Served, serveHere, serveIn } from '../../fixtures/served-process.ts';
import { until } from '../../fixtures/until.ts';
import { learnedTo, learnedTypes, newestEvent, untilLearned } from './learned-types.ts';

/* What is learned survives kill -9, and is rebuilt from the events. */

failOnLeaks();

const USUAL = { id: 1, status: 'paid', total: '10' };
const DRIFTING = { id: 2, status: 'paid', total: 10 };

async function sendAll(served: Served, token: string, payloads: readonly unknown[]) {
  const ids: string[] = [];
  for (const payload of payloads) {
    const headers = { 'content-type': 'application/json', 'x-github-event': 'order' };
    ids.push(await capture(`${served.url}/in/${token}`, JSON.stringify(payload), { headers }));
  }
  return ids;
}

/** By the server that runs now: the account knows the URL of the first one. */
const issuesOf = async (served: Served, { authorization }: Account) => {
  const answer = await fetch(`${served.url}/api/issues?kind=drift`, { headers: { authorization } });
  // biome-ignore lint/suspicious/noExplicitAny: the test reads the API's JSON
  return ((await answer.json()) as any).data;
};

function change(dataDir: string, sql: string): void {
  const db = new Database(path.join(dataDir, 'hookrelay.db'));
  db.exec(sql);
  db.close();
}

test('kill -9 between the issue and the shape counts an event once', async () => {
  const dataDir = tempDir();
  const first = await serveIn(dataDir);
  const account = await register(first);
  const endpoint = await account.createEndpoint();
  await sendAll(first, endpoint.public_token, Array(60).fill(USUAL));
  await untilLearned(dataDir);
  // From now on no shape is saved once a drift has its issue.
  change(
    dataDir,
    `CREATE TRIGGER no_shape BEFORE UPDATE ON event_types
     WHEN EXISTS (SELECT 1 FROM issues)
     BEGIN SELECT RAISE(ABORT, 'no shape now'); END`,
  );
  const ids = await sendAll(first, endpoint.public_token, [DRIFTING, DRIFTING]);
  const open = await until('the issue is saved', async () => (await issuesOf(first, account))[0]);
  await until('the shape is refused', () => first.stderr.includes('learning types failed'));
  expect(await learnedTo(dataDir)).toBeLessThan(await newestEvent(dataDir));
  first.kill('SIGKILL');
  await first.exited();
  change(dataDir, 'DROP TRIGGER no_shape');

  const second = await serveIn(dataDir);
  await untilLearned(dataDir);
  expect(await issuesOf(second, account)).toMatchObject([
    { id: open.id, state: 'open', count: 2, event_ids: ids.toReversed() },
  ]);
  expect(await learnedTypes(dataDir, endpoint.id)).toMatchObject([{ type: 'order', count: 62 }]);
  second.kill('SIGTERM');
  await second.exited();
});

test('reindex learns the same shapes again, and what was accepted stays so', async () => {
  const dataDir = tempDir();
  const first = await serveHere(dataDir);
  const account = await register(first);
  const endpoint = await account.createEndpoint();
  const other = await account.createEndpoint();
  const usual = Array(60).fill(USUAL);
  const noted = { id: 3, status: 'open', total: '1', note: null };
  await sendAll(first, endpoint.public_token, [...usual, noted]);
  await sendAll(first, other.public_token, [...usual, noted]);
  await untilLearned(dataDir);
  await sendAll(first, endpoint.public_token, [DRIFTING]);
  const issue = await until('it opens', async () => (await issuesOf(first, account))[0]);
  const path = `/api/issues/${issue.id}`;
  expectStatus(200, await account.call('PATCH', path, { state: 'resolved' }));
  await untilLearned(dataDir);
  const before = await learnedTypes(dataDir, other.id);
  expect(before).toMatchObject([{ type: 'order', count: 61 }]);

  await reindexed(first, dataDir);
  const second = await serveHere(dataDir);
  await untilLearned(dataDir);
  expect(await learnedTypes(dataDir, other.id)).toEqual(before);
  expect(await learnedTypes(dataDir, endpoint.id)).toMatchObject([{ type: 'order', count: 62 }]);
  await sendAll(second, endpoint.public_token, [DRIFTING, USUAL]);
  await untilLearned(dataDir);
  expect(await issuesOf(second, account)).toMatchObject([{ state: 'resolved', count: 1 }]);
});

async function reindexed(served: Served, dataDir: string): Promise<void> {
  served.kill('SIGTERM');
  await served.exited();
  const command = startHere(
    ['reindex', '--data-dir', dataDir],
    { HOME: '/nonexistent' },
    { stdout() {}, stderr() {} },
  );
  expect(await command.ended).toBe(0);
  // Nothing is left of the types until a server learns them.
  expect(await learnedTo(dataDir)).toBe(0);
}
