import { expect, test } from 'vitest';
import { callApi, capture, expectStatus, register } from '../fixtures/account.ts';
import { makeToken } from '../fixtures/api-tokens.ts';
import { openStream } from '../fixtures/event-stream.ts';
import { tempMigratedDatabase } from '../fixtures/postgres-database.ts';
import { until } from '../fixtures/until.ts';
import { NodeCluster } from './node-cluster.ts';

test('the rights of a token hold at every node, and one audit has the changes of all', {
  timeout: 120_000,
}, async () => {
  const nodes = new NodeCluster((await tempMigratedDatabase()).url);
  const [a, b] = [await nodes.start(0), await nodes.start(1)];
  const account = await register(a);
  const own = await account.createEndpoint({ name: 'own' });
  const other = await account.createEndpoint({ name: 'other' });
  const { id, authorization } = await makeToken(a, account, { endpoint_ids: [own.id] });
  const headers = { authorization };
  const path = `/api/endpoints/${own.id}`;

  const stream = await openStream(b, '/api/stream', authorization);
  await capture(other.capture_url);
  const seen = await capture(own.capture_url);
  await capture(other.capture_url);
  const late = await openStream(b, '/api/stream?from=2020-01-01', authorization);
  for (const one of [stream, late]) {
    expect((await one.received('event')).map(({ data }) => data.id)).toEqual([seen]);
  }
  expectStatus(404, await callApi(b, 'GET', `/api/endpoints/${other.id}`, undefined, { headers }));
  expectStatus(200, await callApi(b, 'PATCH', path, { name: 'renamed' }, { headers }));
  expectStatus(204, await account.call('DELETE', `/api/tokens/${id}`));
  await until('both streams end', () => stream.ended && late.ended, 30_000);

  // The entries of both nodes at once have one order and lose none.
  const ask = { headers: { authorization: account.authorization } };
  const rename = (node: { url: string }, name: string) =>
    callApi(node, 'PATCH', path, { name }, ask);
  await Promise.all(Array.from({ length: 20 }, (_, i) => rename(i % 2 ? a : b, `renamed ${i}`)));
  const { data, total } = expectStatus(200, await callApi(b, 'GET', '/api/audit', undefined, ask));
  expect(total).toBe(data.length);
  const actions = data.map(({ action }: { action: string }) => action).reverse();
  expect(actions).toEqual([
    ...['auth.register', 'endpoint.create', 'endpoint.create', 'token.create'],
    ...['endpoint.update', 'token.delete', ...Array(20).fill('endpoint.update')],
  ]);
  expect(data.at(-5)).toMatchObject({ actor: { type: 'token', id, name: 'ci' } });
});
