import { expect } from 'vitest';
import type { EndpointAnswer } from '../../src/api/endpoints/endpoint-answer.ts';
import {
  type Account,
  capture,
  expectStatus,
  type Reachable,
  register,
} from '../fixtures/account.ts';
import { type HttpReceiver, httpReceiver, ok, type Respond, status } from '../fixtures/receiver.ts';
import { until } from '../fixtures/until.ts';

/** Flags of a server whose breakers open after three failures at once, and probe often. */
export const QUICK_BREAKER = {
  breakerFailures: 3,
  breakerAfter: 0,
  breakerProbe: 200,
  retryAttempts: 8,
};

/** The same, for nodes in processes of their own. */
export const QUICK_BREAKER_FLAGS = [
  ...['--breaker-failures', '3', '--breaker-after', '0', '--breaker-probe', '200ms'],
];

interface Held {
  account: Account;
  endpoint: EndpointAnswer;
  target: HttpReceiver;
  path: string;
  // biome-ignore lint/suspicious/noExplicitAny: the tests read the API's JSON
  shown(): Promise<any>;
}

async function held(server: Reachable, respond: Respond, settings: object = {}): Promise<Held> {
  const target = await httpReceiver(respond);
  const account = await register(server);
  const endpoint = await account.createEndpoint();
  const destinations = `/api/endpoints/${endpoint.id}/destinations`;
  const added = await account.call('POST', destinations, { url: target.url, ...settings });
  const path = `${destinations}/${expectStatus(201, added).id}`;
  return {
    ...{ account, endpoint, target, path },
    shown: async () => expectStatus(200, await account.call('GET', path)),
  };
}

async function captures(nodes: readonly string[], count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let i = 0; i < count; i++) ids.push(await capture(nodes[i % nodes.length] as string));
  return ids;
}

/** The capture URL of an endpoint at each node. */
const urlsOf = ({ capture_url }: EndpointAnswer, nodes: readonly Reachable[]) =>
  nodes.map(({ url }) => url + new URL(capture_url).pathname);

/** Answers after `ms`, and notes how many requests were under way at each start. */
function counting(ms: number): { respond: Respond; underWay: number[] } {
  const underWay: number[] = [];
  let now = 0;
  const respond: Respond = (_, res) => {
    underWay.push(++now);
    setTimeout(() => {
      now--;
      res.end('ok');
    }, ms);
  };
  return { respond, underWay };
}

/**
 * A receiver fails, then recovers: the breaker opens, attempts stop, probes go one at a
 * time, and what waited goes out in order, 1, 2, 4 … at once.
 */
export async function breakerOpensAndCloses(nodes: readonly Reachable[]): Promise<void> {
  const [server] = nodes as [Reachable];
  const { account, endpoint, target, shown } = await held(server, status(500));
  const urls = urlsOf(endpoint, nodes);
  await captures(urls, 3);
  await until('the breaker is open', async () => (await shown()).health.state === 'open');
  const ids = await captures(urls, 40);
  const [delivery] = (await account.event(endpoint, ids[0] as string)).deliveries;
  expect(delivery).toMatchObject({ state: 'pending', waits_for: 'breaker', next_attempt_at: null });
  expect((await shown()).waiting).toMatchObject({ count: 43, at_least: false });

  // Only probes arrive meanwhile.
  const before = target.requests.length;
  await target.received(before + 2);
  const probes = target.requests.slice(before);
  expect(probes.length).toBeLessThan(5);
  const { respond, underWay } = counting(20);
  const failed = target.requests.length;
  target.respond = respond;
  await until('all are delivered', async () => {
    const { total } = await account.list(endpoint, '?status=delivered');
    return total === 43;
  });
  expect((await shown()).health).toMatchObject({ state: 'healthy', next_probe_at: null });
  // The probe and the first step of the ramp, then at most two, at most four …
  const sent = target.requests.slice(failed);
  expect(sent).toHaveLength(43);
  const limits = [1, 1, 2, 2, 4, 4, 4, 4, ...Array(8).fill(8), ...Array(27).fill(128)];
  for (const [i, count] of underWay.entries()) expect(count).toBeLessThanOrEqual(limits[i]);
  const first = await account.attempts(endpoint, ids.at(-1) as string);
  for (const attempt of first.slice(0, -1)) expect(attempt.probe).toBe(true);
  for (const { deliveries } of await Promise.all(ids.map((id) => account.event(endpoint, id))))
    expect(deliveries).toMatchObject([{ state: 'succeeded', attempts: 1 }]);
}

/** Events of a paused destination wait, and go out after it. */
export async function pauseAndResume(nodes: readonly Reachable[]): Promise<void> {
  const [server] = nodes as [Reachable];
  const { respond, underWay } = counting(20);
  const { account, endpoint, target, path, shown } = await held(server, respond);
  expectStatus(200, await account.call('PATCH', path, { state: 'paused' }));
  const ids = await captures(urlsOf(endpoint, nodes), 30);
  const [delivery] = (await account.event(endpoint, ids[0] as string)).deliveries;
  expect(delivery).toMatchObject({ state: 'pending', waits_for: 'paused' });
  expect((await shown()).waiting.count).toBe(30);
  expect(target.requests).toHaveLength(0);
  expectStatus(200, await account.call('PATCH', path, { state: 'active' }));
  await until('all are delivered', async () => {
    return (await account.list(endpoint, '?status=delivered')).total === 30;
  });
  const limits = [1, 2, 2, 4];
  for (const [i, limit] of limits.entries()) expect(underWay[i]).toBeLessThanOrEqual(limit);
}

/** As many requests arrive as the rate lets through since the first capture. */
export async function rateHolds(nodes: readonly Reachable[]): Promise<void> {
  const [server] = nodes as [Reachable];
  const rate = { limit: 10, per: 'second' };
  const { account, endpoint, target } = await held(server, ok, { rate });
  const began = Date.now();
  await captures(urlsOf(endpoint, nodes), 35);
  await target.received(35);
  const path = `/api/endpoints/${endpoint.id}/deliveries?limit=100`;
  const { data } = expectStatus(200, await account.call('GET', path));
  expect(data).toHaveLength(35);
  // Requests reach a busy receiver late, never early: time counts from the first capture on.
  const arrivals = target.requests.map(({ at }) => at - began).sort((a, b) => a - b);
  for (const [i, arrival] of arrivals.entries())
    expect(arrival).toBeGreaterThanOrEqual(Math.floor(i / rate.limit) * 1000);
}
