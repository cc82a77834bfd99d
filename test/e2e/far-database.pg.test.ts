import { expect, test } from 'vitest';
import { type Account, capture, register } from '../fixtures/account.ts';
import { Arrivals } from '../fixtures/arrivals.ts';
import { tempMigratedDatabase } from '../fixtures/postgres-database.ts';
import { TcpProxy } from '../fixtures/tcp-proxy.ts';
import { until } from '../fixtures/until.ts';
import { NodeCluster } from './node-cluster.ts';

/** Nodes whose packets take `delayMs` each way to the database and back. */
async function farNodes(count: number, delayMs: number): Promise<NodeCluster> {
  const proxy = await TcpProxy.open((await tempMigratedDatabase()).url);
  proxy.delayMs = delayMs;
  const nodes = new NodeCluster(proxy.url);
  for (let place = 0; place < count; place++) await nodes.start(place);
  return nodes;
}

/** Captures `count` events at the nodes in turn, for a new destination with these settings. */
async function captures(
  nodes: NodeCluster,
  url: string,
  count: number,
  settings: Record<string, unknown>,
): Promise<Account> {
  const account = await register(nodes.entry);
  const endpoint = await account.createEndpoint();
  await account.addDestination(endpoint, url, undefined, settings);
  const path = `/in/${endpoint.public_token}`;
  const sending = Array.from({ length: count }, (_, i) => {
    const node = nodes.nodes[i % nodes.nodes.length];
    return capture(`${node?.url}${path}`);
  });
  await Promise.all(sending);
  return account;
}

test('a rate lets as many through 20 ms away, and never more, also as a node dies', {
  timeout: 240_000,
}, async () => {
  const nodes = await farNodes(3, 20);
  const arrivals = await Arrivals.open();
  const rate = { limit: 50, per: 'second' };
  await captures(nodes, arrivals.url, 900, { rate });
  await until('some came', () => arrivals.count >= 200, 30_000).catch(() => {});
  nodes.nodes[0]?.kill('SIGKILL');
  await until('most came', () => arrivals.count >= 750, 30_000).catch(() => {});
  console.log(
    'rate',
    arrivals.count,
    arrivals.perSecond(0, arrivals.count - 1),
    arrivals.shortestSpan(51),
  );
  const t0 = arrivals.all[0]?.by ?? 0;
  const hist: number[] = [];
  for (const { by } of arrivals.all) {
    const k = Math.floor((by - t0) / 1000);
    hist[k] = (hist[k] ?? 0) + 1;
  }
  console.log(JSON.stringify(hist));
  for (const n of nodes.nodes) console.log(n.stderr.split('\n').filter((l) => l.includes('DBG')).slice(0, 60).join('\n'), '\n----');
  expect(arrivals.perSecond(0, 749)).toBeGreaterThanOrEqual(45);
  expect(arrivals.shortestSpan(51)).toBeGreaterThanOrEqual(1000);
});

test('a small concurrency gives as much 8 ms away', { timeout: 240_000 }, async () => {
  const paces: number[] = [];
  for (const delayMs of [0, 8]) {
    const nodes = await farNodes(1, delayMs);
    const arrivals = await Arrivals.open(50);
    await captures(nodes, arrivals.url, 500, { concurrency: 8 });
    await until('most came', () => arrivals.count >= 450, 60_000).catch(() => {});
    expect(arrivals.mostAtOnce).toBe(8);
    paces.push(arrivals.perSecond(50, arrivals.count - 1));
    nodes.nodes[0]?.kill('SIGTERM');
  }
  console.log('paces', paces);
  const [near, far] = paces as [number, number];
  expect(far / near).toBeGreaterThanOrEqual(0.9);
});
