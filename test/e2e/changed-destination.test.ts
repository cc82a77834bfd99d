import { expect, test } from 'vitest';
import { capture, expectStatus, register } from '../fixtures/account.ts';
import { failOnLeaks } from '../fixtures/leaks.ts';
import { httpReceiver } from '../fixtures/receiver.ts';
import { serverOfFile } from '../fixtures/running-server.ts';
import { untilDelivered } from '../fixtures/until-delivered.ts';
import { changeWhileDeliveriesWait } from './changed-destination.ts';

failOnLeaks();
const server = serverOfFile();

test('a change applies to waiting deliveries', () => changeWhileDeliveriesWait(server, server));

test('no attempt that begins after the answer goes to the old URL', async () => {
  const targets = await Promise.all(Array.from({ length: 6 }, () => httpReceiver()));
  const urls = targets.map(({ url }) => `${url}/`);
  const account = await register(server);
  const endpoint = await account.createEndpoint();
  const { id } = await account.addDestination(endpoint, urls[0] as string);
  const path = `/api/endpoints/${endpoint.id}/destinations/${id}`;
  /** The time when each URL was valid: from its PATCH to the answer of the next PATCH. */
  const spans = [{ url: urls[0], from: 0, to: Number.POSITIVE_INFINITY }];
  let stopped = false;
  const ids: string[] = [];
  const senders = Array.from({ length: 8 }, async () => {
    while (!stopped) ids.push(await capture(endpoint.capture_url));
  });
  for (const [i, url] of urls.slice(1).entries()) {
    await targets[i]?.received(50);
    const from = Date.now();
    expectStatus(200, await account.call('PATCH', path, { url }));
    (spans.at(-1) as (typeof spans)[number]).to = Date.now();
    spans.push({ url, from, to: Number.POSITIVE_INFINITY });
  }
  await targets.at(-1)?.received(50);
  stopped = true;
  await Promise.all(senders);
  await untilDelivered(server);
  const wrong = [];
  for (const eventId of ids) {
    for (const { destination_url, attempted_at } of await account.attempts(endpoint, eventId)) {
      const span = spans.find(({ url }) => url === destination_url);
      const at = Date.parse(attempted_at);
      if (!span || at < span.from || at > span.to) wrong.push({ destination_url, at, span });
    }
  }
  expect(wrong).toEqual([]);
});
