import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { databaseFile } from '../../src/store/sqlite/files/data-files.ts';
import { callApi, expectStatus, register } from '../fixtures/account.ts';
import { failOnLeaks } from '../fixtures/leaks.ts';
import { httpReceiver } from '../fixtures/receiver.ts';
import { runServer, tempDir } from '../fixtures/running-server.ts';
import { until } from '../fixtures/until.ts';

/* The URL of a Slack channel: sealed on disk, and sealed at the next start where it isn't yet. */

failOnLeaks();

const PATH = '/services/T0AAAAAAA/B0BBBBBBB/abcdefghijklmnopqrstuvwx';

test('a URL of Slack is nowhere in the files, also where an earlier version left it in clear', async () => {
  const dataDir = tempDir();
  const receiver = await httpReceiver();
  const url = receiver.url + PATH;
  const first = await runServer({ dataDir });
  first.secrets.push(PATH);
  const account = await register(first);
  const added = () => account.call('POST', '/api/channels', { type: 'slack', url });
  // What a row leaves behind as it becomes shorter shows with several on a page.
  for (let i = 0; i < 5; i++) expectStatus(201, await added());
  const { id } = expectStatus(201, await added());
  const call = ({ url }: { url: string }, method: string, more = '') =>
    callApi({ url }, method, `/api/channels/${id}${more}`, undefined, {
      headers: { authorization: `Bearer ${account.accessToken}` },
    });
  const arrives = async (server: { url: string }, messages: number) => {
    expectStatus(202, await call(server, 'POST', '/test'));
    const requests = await receiver.received(messages);
    expect(requests.at(-1)?.target).toBe(PATH);
    await until('it is on record', async () => {
      const { text, json } = await call(server, 'GET');
      expect(text).not.toContain(PATH);
      return json.last_delivery?.state === 'succeeded';
    });
  };
  await arrives(first, 1);
  await first.stop();
  expectNowhere(dataDir);

  const db = new Database(databaseFile(dataDir));
  db.prepare('UPDATE destinations SET url = ?, sealed_url = NULL').run(url);
  db.prepare('UPDATE channels SET target = ?').run(url);
  db.prepare('UPDATE attempts SET destination_url = ?').run(url);
  db.close();
  const next = await runServer({ dataDir });
  next.secrets.push(PATH);
  await until('it is sealed', () =>
    next.logged.some(({ message }) => message.startsWith('sealed the URLs')),
  );
  await next.stop();
  expectNowhere(dataDir);

  await arrives(await runServer({ dataDir }), 2);
});

function expectNowhere(dataDir: string): void {
  for (const name of readdirSync(dataDir)) {
    expect([name, readFileSync(join(dataDir, name)).includes(PATH)]).toEqual([name, false]);
  }
}
