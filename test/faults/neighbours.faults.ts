import { execFile } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, inject, onTestFinished, test } from 'vitest';
import type { EndpointAnswer } from '../../src/api/endpoints/endpoint-answer.ts';
import { type Account, callApi, capture, register } from '../fixtures/account.ts';
import { httpReceiver } from '../fixtures/receiver.ts';
import { tempDir } from '../fixtures/running-server.ts';
import { type ServedProcess, serveIn } from '../fixtures/served-process.ts';
import { until } from '../fixtures/until.ts';
import { report } from './report.ts';

/*
 * One account does as much as it may. Another account captures at a steady pace,
 * first alone and then beside it.
 */

const { neighbourCaptures, neighbourEvents, neighbourDestinations } = inject('scale');
const LAPTOP = ['--allow-private-destinations', '--log-format', 'json'];
/** The pace of the other account. */
const EVERY_MS = 10;
/** Captures until the server is warm. */
const WARM_UP = 100;
/** Delay that two cores cause alone, shared with the receiver and the sender, ms. */
const NOISE_MS = 60;

const SENDER = fileURLToPath(new URL('paced-captures.ts', import.meta.url));

/** Captures at a steady pace, and returns the answer times in ascending order. */
async function captureTimes(url: string, count = neighbourCaptures): Promise<number[]> {
  const args = [SENDER, url, String(count), String(EVERY_MS)];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return (JSON.parse(stdout) as number[]).sort((a, b) => a - b);
}

const p99 = (times: number[]): number => times[Math.ceil(times.length * 0.99) - 1] as number;

/** The other account, with its capture times alone. */
async function neighbour(served: ServedProcess) {
  const account = await register(served);
  const endpoint = await account.createEndpoint({ name: 'steady' });
  await captureTimes(endpoint.capture_url, WARM_UP);
  return { account, endpoint, alone: await captureTimes(endpoint.capture_url) };
}

/** The other account's capture times beside the first account. */
function reportCaptures(what: string, alone: number[], beside: number[], figures = {}): void {
  const rounded = (times: number[]) => [p99(times), times.at(-1) as number].map(Math.round);
  report(`captures beside ${what}, p99 and slowest in ms`, {
    alone: rounded(alone),
    beside: rounded(beside),
    ...figures,
  });
}

/** Measures them and judges them. */
function judge(...[what, alone, beside, figures]: Parameters<typeof reportCaptures>): void {
  reportCaptures(what, alone, beside, figures);
  expect(p99(beside)).toBeLessThan(2 * p99(alone) + NOISE_MS);
}

/** Captures this many, and waits until the background work after them is done. */
async function fill(served: ServedProcess, endpoint: EndpointAnswer, count: number): Promise<void> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 32 });
  await Promise.all(
    Array.from({ length: count }, (_, i) => capture(endpoint.capture_url, `{"n":${i}}`, { agent })),
  );
  agent.destroy();
  await until('all is indexed', async () => {
    const { text } = await callApi(served, 'GET', '/metrics');
    return /^hookrelay_search_index_lag_events 0$/m.test(text);
  });
}

test('an event with thousands of destinations', async () => {
  const served = await serveIn(tempDir(), [
    ...LAPTOP,
    '--max-destinations',
    String(neighbourDestinations),
  ]);
  const { endpoint: steady, alone } = await neighbour(served);
  const greedy = await register(served);
  const endpoint = await greedy.createEndpoint();
  const target = await httpReceiver((_request, res) => {
    target.requests.length = 0;
    res.end();
  });
  for (let i = 0; i < neighbourDestinations; i++) {
    await greedy.addDestination(endpoint, `${target.url}/${i}`);
  }
  const id = await capture(endpoint.capture_url);
  const beside = await captureTimes(steady.capture_url);
  judge('an event with many destinations', alone, beside, { destinations: neighbourDestinations });
  await until(
    'all is delivered',
    async () => (await greedy.event(endpoint, id)).status === 'delivered',
    300_000,
  );
});

/** A stream from years ago whose reader doesn't read. */
async function unreadStream(served: ServedProcess, account: Account): Promise<void> {
  const socket = net.connect(served.port, '127.0.0.1');
  onTestFinished(() => {
    socket.destroy();
  });
  await once(socket, 'connect');
  socket.pause();
  socket.write(
    `GET /api/stream?from=2020-01-01 HTTP/1.1\r\nhost: 127.0.0.1:${served.port}\r\n` +
      `authorization: ${account.authorization}\r\n\r\n`,
  );
}

test('old streams that nobody reads', async () => {
  const served = await serveIn(tempDir(), LAPTOP);
  const greedy = await register(served);
  const endpoint = await greedy.createEndpoint();
  await fill(served, endpoint, neighbourEvents);
  const { endpoint: steady, alone } = await neighbour(served);
  const streams = 200;
  for (let i = 0; i < streams; i++) await unreadStream(served, greedy);
  const beside = await captureTimes(steady.capture_url);
  judge('unread streams', alone, beside, { streams, events: neighbourEvents });
  const one = await greedy.call('GET', '/api/stream');
  expect(one.status).toBe(409);
  expect(one.json.error).toMatchObject({
    code: 'limit_reached',
    hint: expect.stringContaining('--max-streams'),
  });
});

test('bulk replays of very many events', async () => {
  const served = await serveIn(tempDir(), LAPTOP);
  const greedy = await register(served);
  const target = await httpReceiver((_request, res) => {
    target.requests.length = 0;
    res.end();
  });
  const endpoints = await Promise.all(
    Array.from({ length: 5 }, (_, i) => greedy.createEndpoint({ name: `${i}` })),
  );
  let newest = '';
  for (const endpoint of endpoints) {
    await fill(served, endpoint, neighbourEvents / endpoints.length - 1);
    newest = await capture(endpoint.capture_url);
    await greedy.addDestination(endpoint, target.url);
  }
  const { account, endpoint: steady, alone } = await neighbour(served);
  const small = await account.createEndpoint({ name: 'small' });
  await fill(served, small, 5);
  const own = await httpReceiver();
  await account.addDestination(small, own.url);

  const replayAll = (of: Account, endpoint: EndpointAnswer) =>
    of.call('POST', `/api/endpoints/${endpoint.id}/replay`, {});
  for (const endpoint of endpoints) {
    expect((await replayAll(greedy, endpoint)).json).toMatchObject({
      queued: neighbourEvents / endpoints.length,
    });
  }
  const asked = performance.now();
  await replayAll(account, small);
  await own.received(5);
  const replayMs = Math.round(performance.now() - asked);
  // If all of the greedy account's came first, its last event would already be
  // replayed.
  expect((await greedy.event(endpoints.at(-1) as EndpointAnswer, newest)).deliveries).toEqual([]);
  const beside = await captureTimes(steady.capture_url);
  // Not judged: the attempts and their receiver keep both cores busy.
  reportCaptures('replays', alone, beside, {
    events: neighbourEvents,
    replay_of_five_ms: replayMs,
  });
});
