import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { capture, register } from '../fixtures/account.ts';
import { failOnLeaks } from '../fixtures/leaks.ts';
import { runServer, tempDir } from '../fixtures/running-server.ts';
import { storedIssues, untilIssue } from '../fixtures/stored-issues.ts';
import { until } from '../fixtures/until.ts';

/* An endpoint that expects events: its silence, and time without a server. */

failOnLeaks();

const HOUR_MS = 3_600_000;

async function setup() {
  const dataDir = tempDir();
  const server = await runServer({ dataDir });
  const { public_token } = await (await register(server)).createEndpoint();
  const inDatabase = <T>(look: (db: Database.Database) => T): T => {
    const db = new Database(join(dataDir, 'hookrelay.db'));
    try {
      return look(db);
    } finally {
      db.close();
    }
  };
  return {
    dataDir,
    server,
    inDatabase,
    send: () => capture(`${server.url}/in/${public_token}`),
    /** As another node sets it. The API's shortest is a minute. */
    expects: (everyMs: number | null) =>
      inDatabase((db) =>
        db
          .prepare(`
            UPDATE endpoints SET expected_since = ?,
              settings = json_set(settings, '$.expect_every', CAST(? AS INTEGER))`)
          .run(everyMs && Date.now(), everyMs),
      ),
  };
}

const SILENT = { kind: 'silence', state: 'open' } as const;

test('silence opens an issue, an event closes it, and the next silence opens it again', async () => {
  const { dataDir, send, expects } = await setup();
  expects(1000);
  const first = await untilIssue(dataDir, SILENT);
  expect(first).toMatchObject({ count: 1, eventIds: [], subject: '', destinationKey: 0 });
  const eventId = await send();
  const closed = await untilIssue(dataDir, { kind: 'silence', state: 'resolved' });
  expect(closed.id).toBe(first.id);
  const again = await untilIssue(dataDir, { ...SILENT, id: first.id });
  expect(again).toMatchObject({ count: 1, eventIds: [eventId] });
  expect(again.firstAt).toBeGreaterThan(first.firstAt);
  // So does a removed expectation.
  expects(null);
  await untilIssue(dataDir, { kind: 'silence', state: 'resolved' });
});

test('time without a server counts for no silence, and silence before and after it does', async () => {
  const everyMs = 60_000;
  /** What is left of it after the start. */
  const leftMs = 2000;
  const { dataDir, server, inDatabase, send, expects } = await setup();
  expects(everyMs);
  const beat = "SELECT position FROM cursors WHERE name = 'heartbeat'";
  await until('a heartbeat', () => inDatabase((db) => db.prepare(beat).pluck().get()));
  await send();
  await server.stop();
  expect(storedIssues(dataDir)).toEqual([]);
  // As if the server had been silent almost as long as expected, and then stopped an hour ago.
  inDatabase((db) => {
    const silentMs = everyMs - leftMs;
    db.exec(`
      UPDATE cursors SET position = position - ${HOUR_MS} WHERE name = 'heartbeat';
      UPDATE endpoints SET expected_since = expected_since - ${HOUR_MS + silentMs};
      UPDATE events SET received_at = received_at - ${HOUR_MS + silentMs}`);
  });
  const startedAt = Date.now();
  await runServer({ dataDir });
  const issue = await untilIssue(dataDir, SILENT);
  expect(issue.firstAt - startedAt).toBeGreaterThan(0);
  expect(issue.firstAt - startedAt).toBeLessThan(everyMs);
});
