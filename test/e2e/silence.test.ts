import { expect, test } from 'vitest';
import type { Issue } from '../../src/core/issues/issue.ts';
import { systemClock } from '../../src/core/runtime.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { capture, register } from '../fixtures/account.ts';
import { failOnLeaks } from '../fixtures/leaks.ts';
import { runServer, tempDir } from '../fixtures/running-server.ts';
import { silentLog } from '../fixtures/silent-log.ts';
import { storedIssues, untilIssue } from '../fixtures/stored-issues.ts';
import { until } from '../fixtures/until.ts';

/* An endpoint that expects events: its silence, and time without a server. */

failOnLeaks();

/** Sets what an endpoint expects while no server runs. */
async function expectEvery(dataDir: string, publicToken: string, everyMs: number): Promise<void> {
  const store = await openSqliteStore({
    ...{ dataDir, clock: systemClock, log: silentLog },
    onFatal: (error) => {
      throw error;
    },
  });
  const endpoint = await store.endpoints.findByPublicToken(publicToken);
  const expect = { everyMs, now: Date.now() };
  await store.endpoints.update(endpoint?.key as number, { expect });
  await store.close();
}

async function setup(everyMs: number) {
  const dataDir = tempDir();
  const first = await runServer({ dataDir });
  const { public_token } = await (await register(first)).createEndpoint();
  await first.stop();
  await expectEvery(dataDir, public_token, everyMs);
  return {
    dataDir,
    start: () => runServer({ dataDir }),
    send: (server: { url: string }) => capture(`${server.url}/in/${public_token}`),
  };
}

const SILENT = { kind: 'silence', state: 'open' } as const;

test('silence opens an issue, an event closes it, and the next silence opens it again', async () => {
  const { dataDir, start, send } = await setup(1000);
  const server = await start();
  const first = await untilIssue(dataDir, SILENT);
  expect(first).toMatchObject({ count: 1, eventIds: [], subject: '', destinationKey: 0 });
  const eventId = await send(server);
  const closed = await untilIssue(dataDir, { kind: 'silence', state: 'resolved' });
  expect(closed.id).toBe(first.id);
  const again = await untilIssue(dataDir, { ...SILENT, id: first.id });
  expect(again).toMatchObject({ count: 1, eventIds: [eventId] });
  expect(again.firstAt).toBeGreaterThan(first.firstAt);
});

test('time without a server counts for no silence, and silence after it does', async () => {
  const everyMs = 6000;
  const { dataDir, start, send } = await setup(everyMs);
  const first = await start();
  await send(first);
  await first.stop();
  const stoppedAt = Date.now();
  await until('longer than expected', () => Date.now() > stoppedAt + everyMs);
  expect(storedIssues(dataDir)).toEqual([]);
  const startedAt = Date.now();
  await start();
  const issue: Issue = await untilIssue(dataDir, SILENT);
  // Silent before the stop and after the start: together as long as expected. The time
  // between the last heartbeat and the stop doesn't count either.
  expect(issue.firstAt - startedAt).toBeGreaterThan(0);
  expect(issue.firstAt).toBeGreaterThan(stoppedAt + everyMs);
});

test('a removed expectation closes the issue', async () => {
  const { dataDir, start } = await setup(1000);
  const first = await start();
  await untilIssue(dataDir, SILENT);
  await first.stop();
  const store = await openSqliteStore({
    ...{ dataDir, clock: systemClock, log: silentLog },
    onFatal: (error) => {
      throw error;
    },
  });
  const [issue] = storedIssues(dataDir);
  const expect = { everyMs: null, now: Date.now() };
  await store.endpoints.update(issue?.endpointKey as number, { expect });
  await store.close();
  await start();
  await untilIssue(dataDir, { kind: 'silence', state: 'resolved' });
});
