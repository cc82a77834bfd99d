import { expect, test } from 'vitest';
import { NodeCluster } from '../e2e/node-cluster.ts';
import { capture, expectStatus, register } from '../fixtures/account.ts';
import { Arrivals } from '../fixtures/arrivals.ts';
import { tempMigratedDatabase } from '../fixtures/postgres-database.ts';
import { TcpProxy } from '../fixtures/tcp-proxy.ts';
import { until } from '../fixtures/until.ts';

/** Nodes whose packets take `delayMs` each way to the database and back. */
async function farNodes(count: number, delayMs: number): Promise<NodeCluster> {
  const proxy = await TcpProxy.open((await tempMigratedDatabase()).url);
  proxy.delayMs = delayMs;
  const nodes = new NodeCluster(proxy.url);
  for (let place = 0; place < count; place++) await nodes.start(place);
  return nodes;
}

/** Captures `count` events at the nodes in turn for a new destination, and lets them go. */
async function backlog(
  nodes: NodeCluster,
  url: string,
  count: number,
  settings: Record<string, unknown>,
): Promise<void> {
  const account = await register(nodes.entry);
  const endpoint = await account.createEndpoint();
  const waiting = { ...settings, state: 'paused' };
  const { id } = await account.addDestination(endpoint, url, undefined, waiting);
  await Promise.all(
    Array.from({ length: count }, (_, i) => {
      const node = nodes.nodes[i % nodes.nodes.length];
      return capture(`${node?.url}/in/${endpoint.public_token}`);
    }),
  );
  const path = `/api/endpoints/${endpoint.id}/destinations/${id}`;
  expectStatus(200, await account.call('PATCH', path, { state: 'active' }));
}

/** Where the ramp after the pause is over. */
const RAMPED = 60;

test('a rate lets as many through 20 ms away, and never more, also as a node dies', {
  timeout: 240_000,
}, async () => {
  // A node beside its database shows what this machine can do at the time.
  const [far, near] = [await farNodes(3, 20), await farNodes(1, 0)];
  const [fromFar, fromNear] = [await Arrivals.open(), await Arrivals.open()];
  const rate = { limit: 50, per: 'second' };
  const most = 900;
  await Promise.all([
    backlog(far, fromFar.url, most + 150, { rate }),
    backlog(near, fromNear.url, most + 150, { rate }),
  ]);
  await until('some came', () => fromFar.count >= 300);
  far.nodes[0]?.kill('SIGKILL');
  await until('most came', () => Math.min(fromFar.count, fromNear.count) > most);
  const [pace, nearPace] = [fromFar.perSecond(RAMPED, most), fromNear.perSecond(RAMPED, most)];
  // The dead node had about a second's starts ahead.
  expect(pace).toBeGreaterThanOrEqual(Math.min(45, 0.88 * nearPace));
  for (const arrivals of [fromFar, fromNear])
    expect(arrivals.shortestSpan(51)).toBeGreaterThanOrEqual(1000);
});

test('a small concurrency gives as much 8 ms away', { timeout: 240_000 }, async () => {
  const [far, near] = [await farNodes(1, 8), await farNodes(1, 0)];
  const [fromFar, fromNear] = [await Arrivals.open(50), await Arrivals.open(50)];
  const most = 500;
  await Promise.all([
    backlog(far, fromFar.url, most + 100, { concurrency: 8 }),
    backlog(near, fromNear.url, most + 100, { concurrency: 8 }),
  ]);
  await until('most came', () => Math.min(fromFar.count, fromNear.count) > most);
  const [pace, nearPace] = [fromFar.perSecond(RAMPED, most), fromNear.perSecond(RAMPED, most)];
  expect(pace / nearPace).toBeGreaterThanOrEqual(0.85);
  for (const arrivals of [fromFar, fromNear]) expect(arrivals.mostAtOnce).toBe(8);
});

test('two nodes share the slots of a concurrency, and another takes a dead one’s', {
  timeout: 240_000,
}, async () => {
  const nodes = await farNodes(3, 8);
  const arrivals = await Arrivals.open(50);
  await backlog(nodes, arrivals.url, 1000, { concurrency: 4 });
  await until('some came', () => arrivals.count >= 200);
  nodes.nodes[0]?.kill('SIGKILL');
  await until('all came', () => arrivals.count >= 1000);
  expect(arrivals.mostAtOnce).toBe(4);
});
