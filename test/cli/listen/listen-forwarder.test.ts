import { setMaxListeners } from 'node:events';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { EventSummaryAnswer } from '../../../src/api/events/event-answer.ts';
import { ApiClient } from '../../../src/cli/client/api-client.ts';
import { ProfileFile } from '../../../src/cli/client/profile.ts';
import type { ForwardOutcome } from '../../../src/cli/listen/forward/forward.ts';
import { ForwardGate, type Release } from '../../../src/cli/listen/forward/forward-gate.ts';
import { Forwarder } from '../../../src/cli/listen/forward/forwarder.ts';
import { fetchEventBody, fetchEventHead, patiently } from '../../../src/cli/streams/fetch-event.ts';
import { StatusWatch } from '../../../src/cli/streams/status-watch.ts';
import type { StreamItem } from '../../../src/cli/streams/stream-item.ts';
import { StreamedGet } from '../../../src/cli/streams/streamed-get.ts';
import type { EventStatus } from '../../../src/core/model.ts';
import { type Account, capture, register } from '../../fixtures/account.ts';
import { failOnLeaks } from '../../fixtures/leaks.ts';
import { httpReceiver, ok } from '../../fixtures/receiver.ts';
import { serverOfFile, tempDir } from '../../fixtures/running-server.ts';
import { until } from '../../fixtures/until.ts';

failOnLeaks();
const server = serverOfFile();

async function getFor(account: Account): Promise<StreamedGet> {
  const { json } = await account.call('POST', '/api/tokens', { name: 'cli' });
  const profile = new ProfileFile('default', { XDG_CONFIG_HOME: tempDir() });
  const get = new StreamedGet(new ApiClient({ url: server.url, apiToken: json.token, profile }));
  onTestFinished(() => get.close());
  return get;
}

function aborting(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  onTestFinished(() => controller.abort());
  return controller;
}

describe('a forwarder', () => {
  test('sends in the order of adding, however long each event takes to load', async () => {
    const account = await register(server);
    const endpoint = await account.createEndpoint();
    const target = await httpReceiver(ok, (close) => onTestFinished(() => void close()));
    for (let i = 0; i < 24; i++) {
      await capture(endpoint.capture_url, 'x'.repeat(i % 3 === 0 ? 400_000 : i));
    }
    const { data } = await account.list(endpoint, '?view=summary');
    const events = data.reverse() as EventSummaryAnswer[];
    const sent: number[] = [];
    const done: ForwardOutcome[] = [];
    const forwarder = new Forwarder({
      get: await getFor(account),
      route: () => target.url,
      endpointName: () => null,
      secret: null,
      resign: null,
      timeoutMs: 10_000,
      signal: aborting().signal,
      onSent: ({ key }) => sent.push(key),
      onDone: (_forward, outcome) => done.push(outcome),
      onFatal: (error) => expect.fail(String(error)),
    });
    onTestFinished(() => forwarder.close());
    for (const event of events) forwarder.add(event, 'capture');
    await until('all are done', () => done.length === events.length);
    expect(sent).toEqual(events.map((_, i) => i + 1));
    const sizes = target.requests.map(({ body }) => body.length);
    expect(sizes.sort()).toEqual(events.map(({ size }) => size).sort());
  });

  test('reports a deleted event and goes on', async () => {
    const account = await register(server);
    const [gone, kept] = [await account.createEndpoint(), await account.createEndpoint()];
    const target = await httpReceiver(ok, (close) => onTestFinished(() => void close()));
    await capture(gone.capture_url);
    await capture(kept.capture_url);
    const { data: ofGone } = await account.list(gone, '?view=summary');
    const { data: ofKept } = await account.list(kept, '?view=summary');
    await account.call('DELETE', `/api/endpoints/${gone.id}`);
    const done: ForwardOutcome[] = [];
    const forwarder = new Forwarder({
      get: await getFor(account),
      route: () => target.url,
      endpointName: () => null,
      secret: null,
      resign: null,
      timeoutMs: 10_000,
      signal: aborting().signal,
      onSent: () => {},
      onDone: (_forward, outcome) => done.push(outcome),
      onFatal: (error) => expect.fail(String(error)),
    });
    onTestFinished(() => forwarder.close());
    for (const event of [...ofGone, ...ofKept]) forwarder.add(event, 'capture');
    await until('both are done', () => done.length === 2);
    expect(done.map(({ responseCode, error }) => [responseCode, error?.code])).toEqual([
      [null, 'event_not_found'],
      [200, undefined],
    ]);
  });
});

test.each([
  ['{"a":1,"body":"x,\\"body\\":2"}', 'json'],
  ['x,"body":1', 'text'],
  ['', 'none'],
  [`"${'é'.repeat(400_000)}"`, 'json'],
])('reads an event’s head up to its body: %#', async (body, encoding) => {
  const account = await register(server);
  const endpoint = await account.createEndpoint();
  const get = await getFor(account);
  const { signal } = aborting();
  const id = await capture(`${endpoint.capture_url}/,"body":`, body, {
    headers: { 'x-note': ',"body":', Body: '],"body_encoding":"json","body":' },
  });
  const head = await fetchEventHead(get, id, signal);
  const { body: _, ...rest } = await account.event(endpoint, id);
  expect(head).toEqual(rest);
  expect(head.body_encoding).toBe(encoding);
  expect(String(await fetchEventBody(get, head, signal))).toBe(body);
  const some = await fetchEventBody(get, head, signal, 10);
  expect(body.startsWith(some.toString('utf8').slice(0, 5))).toBe(true);
  await expect(fetchEventHead(get, 'evt_none', signal)).rejects.toMatchObject({
    code: 'event_not_found',
  });
});

test('does not ask again for an answer that can’t be read', async () => {
  const proxy = await httpReceiver(
    (_request, res) => res.end('<h1>Back soon</h1>'),
    (close) => onTestFinished(() => void close()),
  );
  const profile = new ProfileFile('default', { XDG_CONFIG_HOME: tempDir() });
  const get = new StreamedGet(new ApiClient({ url: proxy.url, apiToken: 'hr_x', profile }));
  onTestFinished(() => get.close());
  const { signal } = aborting();
  const asking = patiently(() => fetchEventHead(get, 'evt_1', signal), signal);
  await expect(asking).rejects.toMatchObject({ code: 'invalid_json' });
  expect(proxy.requests).toHaveLength(1);
});

describe('a gate', () => {
  /** The sizes that are in after each step. A step releases the n-th. */
  test.each<[string, number[], number[], number[][]]>([
    [
      'fills its slots in order',
      [1, 1, 1, 1],
      [1, 0],
      [
        [0, 1],
        [0, 1, 2],
        [0, 1, 2, 3],
      ],
    ],
    ['counts bytes', [60, 60, 10], [0], [[0], [0, 1, 2]]],
    ['lets nobody overtake', [60, 60, 1], [], [[0]]],
    ['lets a too large body in alone', [500, 1], [0], [[0], [0, 1]]],
  ])('%s', async (_name, sizes, outs, expected) => {
    const gate = new ForwardGate({ slots: 2, bytes: 100 });
    const entered: number[] = [];
    const releases: Release[] = [];
    for (const [i, size] of sizes.entries()) {
      void gate.enter(size).then((release) => {
        entered.push(i);
        releases[i] = release;
      });
    }
    await Promise.resolve();
    const seen = [[...entered]];
    for (const out of outs) {
      releases[out]?.();
      await Promise.resolve();
      seen.push([...entered]);
    }
    expect(seen).toEqual(expected);
  });
});

test('a status watch counts each status once', () => {
  const watch = new StatusWatch('failed');
  const attempt = (status: EventStatus) =>
    watch.enters({
      kind: 'attempt',
      attempt: { event_id: 'evt_1', event_status: status },
    } as StreamItem);
  const event = (status: EventStatus) =>
    watch.enters({ kind: 'event', event: { id: 'evt_1', status } } as StreamItem);
  expect([event('received'), attempt('failed'), attempt('failed')]).toEqual([false, true, false]);
  expect([attempt('delivered'), attempt('failed')]).toEqual([false, true]);
  expect(watch.enters({ kind: 'ready' })).toBe(false);
});
