import { expect, test } from 'vitest';
import { capture, expectStatus, register } from '../fixtures/account.ts';
import { request } from '../fixtures/http-request.ts';
import { failOnLeaks } from '../fixtures/leaks.ts';
import { httpReceiver } from '../fixtures/receiver.ts';
import { tempDir } from '../fixtures/running-server.ts';
import { serveIn } from '../fixtures/served-process.ts';

failOnLeaks();

const FLAGS = ['--allow-private-destinations', '--log-format', 'json'];
/** Drops what it can judge, and looks at each element. */
const SETTINGS = { filter: 'body.items[*].n=-1', order_by: 'body.customer' };
const bodyOf = (id: number, items: string) => `{"id":${id},"customer":"c","items":[${items}]}`;
/** 13 MB of 10⁶ elements; 24 MB of 8 million lists. */
const BODIES = [
  bodyOf(1, Array(1e6).fill('{"n":123456}').join()),
  bodyOf(2, Array(8e6).fill('[]').join()),
];

test('bodies of millions of values come once, in order, and held ones wait through a kill', {
  timeout: 300_000,
}, async () => {
  const dataDir = tempDir();
  const first = await serveIn(dataDir, FLAGS);
  const account = await register(first);
  const target = await httpReceiver();
  const endpointOf = async (on_unjudged: string) => {
    const input = { dedupe: { by: ['body.id'] }, on_unjudged };
    const endpoint = await account.createEndpoint(input);
    await account.addDestination(endpoint, target.url, undefined, SETTINGS);
    return endpoint;
  };
  const capturedAt = async ({ capture_url }: { capture_url: string }) => {
    const ids: string[] = [];
    for (const body of BODIES) {
      ids.push(await capture(capture_url, body));
      await capture(capture_url, body);
    }
    return ids;
  };
  const delivering = await endpointOf('deliver');
  const sent = await capturedAt(delivering);
  await target.received(sent.length);
  const got = () => target.requests.map(({ headers }) => headers['webhook-id']);
  expect(got()).toEqual(sent);
  const { data } = await account.list(delivering, '?view=summary');
  expect(data.map(({ unjudged }) => unjudged?.reason)).toEqual(Array(4).fill('too_large'));
  expect(data.map(({ duplicate_of }) => duplicate_of)).toEqual([sent[1], null, sent[0], null]);

  const holding = await endpointOf('hold');
  const held = await capturedAt(holding);
  first.kill('SIGKILL');
  await first.exited();
  const second = await serveIn(dataDir, FLAGS);
  const call = (method: string, path: string) =>
    request(second.url + path, { method, headers: { authorization: account.authorization } });
  const path = `/api/endpoints/${holding.id}/deliveries`;
  const listed = expectStatus(200, await call('GET', path)).data;
  expect(listed.map(({ waits_for }: { waits_for: string }) => waits_for)).toEqual([
    ...['unjudged', 'unjudged'],
  ]);
  const judged = await capture(`${second.url}/in/${holding.public_token}`, '{"items":[{"n":-1}]}');
  await target.received(3);
  expectStatus(202, await call('POST', `/api/deliveries/${listed[1].id}/retry`));
  await target.received(4);
  expect(got()).toEqual([...sent, judged, held[0]]);
  second.kill('SIGTERM');
  await second.exited();
});
