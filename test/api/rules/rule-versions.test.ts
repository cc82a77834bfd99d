import { expect, test } from 'vitest';
import { expectStatus, register } from '../../fixtures/account.ts';
import { failOnLeaks } from '../../fixtures/leaks.ts';
import { serverOfFile } from '../../fixtures/running-server.ts';

failOnLeaks();
const server = serverOfFile({ allowPrivateDestinations: true });

test('versions are listed newest first, and one can be set again', async () => {
  const account = await register(server);
  const endpoint = await account.createEndpoint();
  const { id } = await account.addDestination(endpoint, 'http://127.0.0.1:1/');
  const path = `/api/endpoints/${endpoint.id}/destinations/${id}`;
  const list = async (query = '') =>
    expectStatus(200, await account.call('GET', `${path}/rules${query}`));
  expect(await list()).toEqual({ data: [], page: 1, limit: 50, total: 0 });
  const filters = ['body.type=a', { body: { id: 1 } }, null];
  for (const filter of filters) {
    expect(expectStatus(200, await account.call('PATCH', path, { filter })).filter).toEqual(filter);
  }
  const about = {
    transform: null,
    changed_at: expect.any(String),
    changed_by: account.email,
  };
  expect((await list()).data).toEqual([
    { version: 3, filter: null, ...about },
    { version: 2, filter: { body: { id: 1 } }, ...about },
    { version: 1, filter: 'body.type=a', ...about },
  ]);
  expect(await list('?limit=1&page=2')).toMatchObject({
    data: [{ version: 2 }],
    ...{ page: 2, limit: 1, total: 3 },
  });
  const set = expectStatus(200, await account.call('POST', `${path}/rules/1`));
  expect(set).toEqual({ version: 4, filter: 'body.type=a', ...about });
  expect(expectStatus(200, await account.call('GET', path)).filter).toBe('body.type=a');
  // The present rule again: nothing changes.
  expect(expectStatus(200, await account.call('POST', `${path}/rules/4`)).version).toBe(4);
});

test('a version that isn’t there is 404', async () => {
  const account = await register(server);
  const endpoint = await account.createEndpoint();
  const { id } = await account.addDestination(endpoint, 'http://127.0.0.1:1/');
  const path = `/api/endpoints/${endpoint.id}/destinations/${id}/rules`;
  for (const version of ['0', '1', '-1', '1.0', 'x']) {
    const { code } = expectStatus(404, await account.call('POST', `${path}/${version}`)).error;
    expect(code).toBe('rule_version_not_found');
  }
});

test('digits of a filter stay as they were written', async () => {
  const account = await register(server);
  const endpoint = await account.createEndpoint();
  const { id } = await account.addDestination(endpoint, 'http://127.0.0.1:1/');
  const path = `/api/endpoints/${endpoint.id}/destinations/${id}`;
  const filter = '{"body":{"id":{"$in":[12345678901234567890,1.50,1e400]}}}';
  const { text } = await account.call('PATCH', path, `{"filter":${filter}}`);
  expect(text).toContain('"$in":[12345678901234567890,1.5,1e400]');
});
