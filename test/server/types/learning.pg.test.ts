import { expect, test } from 'vitest';
import { capture, expectStatus, register } from '../../fixtures/account.ts';
import { failOnLeaks } from '../../fixtures/leaks.ts';
import { tempMigratedDatabase } from '../../fixtures/postgres-database.ts';
import { tempDir } from '../../fixtures/running-server.ts';
import { serveHere } from '../../fixtures/served-process.ts';
import { until } from '../../fixtures/until.ts';

failOnLeaks();

test('a drift opens on PostgreSQL, is accepted, and is quiet then', async () => {
  const database = await tempMigratedDatabase();
  const server = await serveHere(tempDir(), [], {
    HOOKRELAY_DATABASE: database.url,
    HOOKRELAY_SECRET_KEY: 'k'.repeat(64),
  });
  const account = await register(server);
  const endpoint = await account.createEndpoint();
  const send = (payload: unknown) =>
    capture(`${server.url}/in/${endpoint.public_token}`, JSON.stringify(payload), {
      headers: { 'content-type': 'application/json', 'x-github-event': 'order' },
    });
  const drifts = async (state: string) => {
    const query = `?kind=drift&state=${state}`;
    return expectStatus(200, await account.call('GET', `/api/issues${query}`)).data;
  };
  for (let i = 0; i < 60; i++) await send({ id: 1, total: '10' });
  // A drift that opens before its type is stored can't be accepted.
  await until('the usual events are learned', async () => {
    const path = `/api/endpoints/${endpoint.id}/types`;
    const [type] = expectStatus(200, await account.call('GET', path));
    return type?.count === 60;
  });
  const first = await send({ id: 1, total: 10 });
  const issue = await until('it opens', async () => (await drifts('open'))[0]);
  expect(issue).toMatchObject({ count: 1, event_ids: [first] });
  const path = `/api/issues/${issue.id}`;
  expectStatus(200, await account.call('PATCH', path, { state: 'resolved' }));
  await send({ id: 1, total: 10 });
  // A second drift shows that the first one was learned, without an alarm.
  const last = await send({ total: 10 });
  const again = await until('it opens again', async () => (await drifts('open'))[0]);
  expect(again).toMatchObject({ id: issue.id, count: 1, event_ids: [last] });
});
