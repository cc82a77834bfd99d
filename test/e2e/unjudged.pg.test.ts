import { expect, test } from 'vitest';
import { capture, expectStatus, register } from '../fixtures/account.ts';
import { request } from '../fixtures/http-request.ts';
import { tempMigratedDatabase } from '../fixtures/postgres-database.ts';
import { httpReceiver } from '../fixtures/receiver.ts';
import { NodeCluster } from './node-cluster.ts';

const FILTER = { $not: { body: { list: Array(450).fill({ $gt: 1 }) } } };
const BODY = JSON.stringify({ id: 'a', list: [...Array(20_000).fill(1), 2] });

test('no node sends what is held, also after a kill, before somebody retries it', {
  timeout: 120_000,
}, async () => {
  const nodes = new NodeCluster((await tempMigratedDatabase()).url);
  const [first, second] = [await nodes.start(0), await nodes.start(1)];
  const account = await register(first);
  const input = { on_unjudged: 'hold', dedupe: { by: ['body.id'] } };
  const endpoint = await account.createEndpoint(input);
  const target = await httpReceiver();
  const settings = { filter: FILTER, order_by: 'body.id' };
  await account.addDestination(endpoint, target.url, undefined, settings);
  const captureAt = (url: string, body: string) =>
    capture(`${url}/in/${endpoint.public_token}`, body);
  const held = await captureAt(first.url, BODY);
  expect(await captureAt(second.url, BODY)).not.toBe(held);
  first.kill('SIGKILL');
  await first.exited();
  const call = (method: string, path: string) =>
    request(second.url + path, { method, headers: { authorization: account.authorization } });
  const judged = await captureAt(second.url, '{"id":"b","list":[1]}');
  await target.received(1);
  const listed = expectStatus(200, await call('GET', `/api/endpoints/${endpoint.id}/deliveries`));
  expect(listed.data).toMatchObject([{ event_id: judged }, { waits_for: 'unjudged' }]);
  expectStatus(202, await call('POST', `/api/deliveries/${listed.data[1].id}/retry`));
  const got = await target.received(2);
  expect(got.map(({ headers }) => headers['webhook-id'])).toEqual([judged, held]);
});
