import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { capture, expectStatus, register } from '../fixtures/account.ts';
import { KEY_HEADER, OrderWatch } from '../fixtures/order-watch.ts';
import { tempMigratedDatabase } from '../fixtures/postgres-database.ts';
import { httpReceiver } from '../fixtures/receiver.ts';
import type { ServedProcess } from '../fixtures/served-process.ts';
import { until } from '../fixtures/until.ts';
import { NodeCluster } from './node-cluster.ts';

/** Pause of a key’s sender: a key takes few deliveries a second on a busy machine. */
const PAUSE_MS = 100;
const KEYS = ['a', 'b', 'c', 'd'];
/** Other nodes take a dead node's attempts after the attempt's timeout and a minute. */
const TAKEOVER_MS = 120_000;

test('two nodes keep the order of each key, also when one is killed', {
  timeout: 300_000,
}, async () => {
  const database = await tempMigratedDatabase();
  const watch = new OrderWatch();
  const target = await httpReceiver(watch.respond);
  const nodes = new NodeCluster(database.url);
  for (let place = 0; place < 2; place++) await nodes.start(place);
  const account = await register(nodes.entry);
  const endpoint = await account.createEndpoint();
  await account.addDestination(endpoint, target.url, undefined, {
    order_by: `header.${KEY_HEADER}`,
  });

  // A key's captures follow each other, from node to node. Only those that were answered
  // have an order: a node died during the others.
  const answered = new Map<string, string[]>(KEYS.map((key) => [key, []]));
  let isSending = true;
  const sending = KEYS.map(async (key, first) => {
    for (let i = first; isSending; i++) {
      const { url: at } = nodes.alive[i % nodes.alive.length] as ServedProcess;
      const url = `${at}/in/${endpoint.public_token}`;
      const id = await capture(url, '{}', { headers: { [KEY_HEADER]: key } }).catch(() => null);
      if (id !== null) answered.get(key)?.push(id);
      await sleep(PAUSE_MS);
    }
  });
  const total = () => [...answered.values()].reduce((sum, ids) => sum + ids.length, 0);
  await until('some are captured', () => total() >= 150, 60_000);
  const came = target.requests.length;
  // It dies with attempts under way.
  await until('some more came', () => target.requests.length >= came + 10, 60_000);
  nodes.nodes[0]?.kill('SIGKILL');
  await nodes.nodes[0]?.exited();
  nodes.entry.url = nodes.alive[0]?.url ?? '';
  const enough = total() + 50;
  await until('the other goes on', () => total() >= enough, 60_000);
  isSending = false;
  await Promise.all(sending);

  const isOver = async () => (await database.query('SELECT 1 FROM open_deliveries')).length === 0;
  await until('every delivery is made', isOver, TAKEOVER_MS);
  expect(watch.overlaps).toEqual([]);
  for (const [key, ids] of answered) {
    const places = new Map(ids.map((id, place) => [id, place]));
    const came = watch.came.get(key)?.flatMap((id) => places.get(id) ?? []) ?? [];
    expect(new Set(came).size, key).toBe(ids.length);
    // Only the last one may come again.
    expect(came, key).toEqual(came.toSorted((a, b) => a - b));
  }
  const window = `/api/endpoints/${endpoint.id}/deliveries?state=succeeded&limit=1`;
  const list = expectStatus(200, await account.call('GET', window));
  expect(list.total).toBeGreaterThanOrEqual(total());
});
