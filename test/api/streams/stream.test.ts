import { randomBytes } from 'node:crypto';
import http from 'node:http';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type Account, callApi, capture, expectStatus, register } from '../../fixtures/account.ts';
import { expireToken, makeToken } from '../../fixtures/api-tokens.ts';
import { type EventStream, type Frame, openStream } from '../../fixtures/event-stream.ts';
import { request } from '../../fixtures/http-request.ts';
import { failOnLeaks } from '../../fixtures/leaks.ts';
import { NO_DELIVERIES } from '../../fixtures/no-deliveries.ts';
import { connect, type RawConnection } from '../../fixtures/raw-connection.ts';
import { httpReceiver, status } from '../../fixtures/receiver.ts';
import { runServer, serverOfFile } from '../../fixtures/running-server.ts';
import { until } from '../../fixtures/until.ts';

failOnLeaks();
const server = serverOfFile({ retryAttempts: 3, retryBase: 20 });

const HEARTBEAT_MS = 15_000;
const CURSOR = /^[0-9a-f]{32}\.\d+\.\d+$/;

afterEach(() => {
  vi.useRealTimers();
});

const ids = (frames: Frame[]) => frames.map(({ data }) => data.id as string);

function follow(account: Account, path = '/api/stream', lastEventId?: string) {
  return openStream(server, path, account.authorization, lastEventId);
}

describe('frames', () => {
  test('are ready with a cursor, then an event and its attempts', async () => {
    const target = await httpReceiver();
    const account = await register(server);
    const endpoint = await account.createEndpoint();
    const destination = await account.addDestination(endpoint, target.url);
    const stream = await follow(account);
    expect(stream.status).toBe(200);
    expect(stream.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    expect(stream.frames).toEqual([
      { event: 'ready', id: expect.stringMatching(CURSOR), data: {} },
    ]);

    const eventId = await capture(`${endpoint.capture_url}/p?q`, '{"a":1}', {
      headers: { 'content-type': 'application/json', 'x-github-event': 'push' },
    });
    const [event] = await stream.received('event');
    expect(event).toEqual({
      event: 'event',
      id: expect.stringMatching(CURSOR),
      data: {
        id: eventId,
        status: 'received',
        method: 'POST',
        received_at: expect.any(String),
        endpoint_id: endpoint.id,
        path: '/p',
        content_type: 'application/json',
        size: 7,
        provider: 'github',
        event_type: 'push',
        source_ip: '127.0.0.1',
        attempts: 0,
        ...{ response_code: null, latency_ms: null, retries: 0 },
        edited_from: null,
        verification: { state: 'unverified', provider: null, secret: null, reason: null },
        duplicate_of: null,
        duplicate_conflict: null,
        unjudged: null,
        delivery_counts: { ...NO_DELIVERIES, pending: 1 },
        held_by: null,
      },
    });
    const [attempt] = await stream.received('attempt');
    const [recorded] = await account.attempts(endpoint, eventId);
    expect(attempt).toEqual({
      event: 'attempt',
      id: expect.stringMatching(CURSOR),
      data: {
        ...recorded,
        event_id: eventId,
        endpoint_id: endpoint.id,
        event_status: 'delivered',
      },
    });
    expect(recorded.destination_id).toBe(destination.id);
    expect(stream.frames).toHaveLength(3);
  });

  test('are those of the named endpoint only', async () => {
    const account = await register(server);
    const [one, two] = [await account.createEndpoint(), await account.createEndpoint()];
    const stream = await follow(account, `/api/endpoints/${one.id}/stream`);
    await capture(two.capture_url);
    const wanted = await capture(one.capture_url);
    expect(ids(await stream.received('event'))).toEqual([wanted]);
  });

  test('never cross accounts, live or after a resume', async () => {
    const [ada, bob] = [await register(server), await register(server)];
    const target = await httpReceiver();
    const hooks = new Map<Account, { capture_url: string }>();
    for (const account of [ada, bob]) {
      const endpoint = await account.createEndpoint();
      await account.addDestination(endpoint, target.url);
      hooks.set(account, endpoint);
    }
    const begin = (await follow(ada)).lastId;
    const live = new Map([
      [ada, await follow(ada)],
      [bob, await follow(bob)],
    ]);
    const sent = new Map<Account, string[]>([
      [ada, []],
      [bob, []],
    ]);
    await Promise.all(
      Array.from({ length: 40 }, async (_, i) => {
        const account = i % 2 ? ada : bob;
        sent
          .get(account)
          ?.push(await capture((hooks.get(account) as { capture_url: string }).capture_url));
      }),
    );
    await target.received(40);
    for (const account of [ada, bob]) {
      const own = sent.get(account)?.sort();
      const resumed = await follow(account, '/api/stream', begin);
      for (const stream of [live.get(account) as EventStream, resumed]) {
        await stream.received('event', 20);
        await stream.received('attempt', 20);
        expect(ids(stream.of('event')).sort()).toEqual(own);
        const attempted = stream.of('attempt').map(({ data }) => data.event_id);
        expect(attempted.sort()).toEqual(own);
      }
    }
  });

  test('hold whatever a sender writes', async () => {
    const account = await register(server);
    const endpoint = await account.createEndpoint();
    const target = await httpReceiver((_request, res) => {
      res.end('ok\r\n\r\nevent: reset\rid: x\ndata: {}\n\n\u2028\0');
    });
    await account.addDestination(endpoint, target.url);
    const stream = await follow(account);
    const nasty = 'a\\n\\ndata: x%0d%0a%0aevent:%20reset';
    const eventId = await capture(
      `${endpoint.capture_url}/${encodeURIComponent(nasty)}`,
      '\n\ndata: x\n\n',
      {
        headers: { 'content-type': 'text/x;\tevent: reset', 'x-github-event': 'push\tdata: {}' },
      },
    );
    await stream.received('attempt');
    expect(stream.frames.map(({ event }) => event)).toEqual(['ready', 'event', 'attempt']);
    expect(ids(stream.of('event'))).toEqual([eventId]);
    expect(stream.of('attempt')[0]?.data.response_body).toContain('\r\n\r\nevent: reset\rid: x\n');
    // One line per field, whatever it contains.
    for (const line of stream.raw.split('\n'))
      expect(line).toMatch(/^(((event|id|data): [^\r\0]*)?|: caught up)$/);
  });
});

describe('resuming', () => {
  test('has no gap and no double, across disconnects under load', async () => {
    const account = await register(server);
    const endpoint = await account.createEndpoint();
    const target = await httpReceiver();
    await account.addDestination(endpoint, target.url);
    let cursor = (await follow(account)).lastId;
    const agent = new http.Agent({ keepAlive: true, maxSockets: 16 });
    const total = 400;
    const sent: string[] = [];
    let next = 0;
    const senders = Array.from({ length: 16 }, async () => {
      while (next++ < total) sent.push(await capture(endpoint.capture_url, '{}', { agent }));
    });

    const frames: Frame[] = [];
    let connections = 0;
    const isAll = () =>
      frames.filter(({ event }) => event === 'event').length >= total &&
      frames.filter(({ event }) => event === 'attempt').length >= total;
    while (!isAll()) {
      connections++;
      const stream = await follow(account, '/api/stream', cursor);
      // The reader leaves after some frames, at any point: later each time, so that
      // the test ends.
      const enough = 1 + 11 * connections;
      await until(
        'some frames, or all',
        () =>
          stream.frames.length >= enough || frames.length + stream.frames.length - 1 >= 2 * total,
        20_000,
      );
      stream.close();
      expect(stream.frames[0]).toEqual({ event: 'ready', id: cursor, data: {} });
      frames.push(...stream.frames.slice(1));
      cursor = stream.lastId;
    }
    await Promise.all(senders);
    agent.destroy();
    expect(connections).toBeGreaterThan(3);
    const events = frames.filter(({ event }) => event === 'event');
    expect(events).toHaveLength(total);
    expect(ids(events).sort()).toEqual(sent.sort());
    const attempts = frames.filter(({ event }) => event === 'attempt');
    expect(attempts).toHaveLength(total);
    expect(new Set(ids(attempts)).size).toBe(total);
    // In commit order: each position is past the previous one.
    const sequence = events.map(({ id }) => Number(id.split('.')[1]));
    expect(sequence).toEqual([...sequence].sort((a, b) => a - b));
  });

  test('reads all that was missed, page by page, and says once where it has caught up', async () => {
    const account = await register(server);
    const endpoint = await account.createEndpoint();
    const first = await follow(account);
    await until('its mark', () => first.caughtUpAt.length === 1);
    expect(first.caughtUpAt).toEqual([1]);
    first.close();
    // More than two pages of the store.
    const missed = 1100;
    const agent = new http.Agent({ keepAlive: true, maxSockets: 32 });
    const sent = await Promise.all(
      Array.from({ length: missed }, () => capture(endpoint.capture_url, '', { agent })),
    );
    agent.destroy();
    const again = await follow(account, '/api/stream', first.lastId);
    await until('its mark', () => again.caughtUpAt.length === 1);
    sent.push(await capture(endpoint.capture_url));
    await again.received('event', missed + 1);
    expect(again.caughtUpAt).toEqual([1 + missed]);
    expect(ids(again.of('event')).sort()).toEqual(sent.sort());
  });

  test('works for a stream that has seen nothing', async () => {
    const account = await register(server);
    const endpoint = await account.createEndpoint();
    const quiet = await follow(account);
    quiet.close();
    const eventId = await capture(endpoint.capture_url);
    const resumed = await follow(account, '/api/stream', quiet.lastId);
    expect(ids(await resumed.received('event'))).toEqual([eventId]);
    const again = await follow(account, '/api/stream', resumed.lastId);
    const later = await capture(endpoint.capture_url);
    expect(ids(await again.received('event'))).toEqual([later]);
  });

  // 500 rows are read at once, and an attempt may carry 16 KiB of response.
  test('passes attempts whose responses are large', async () => {
    const account = await register(server);
    const endpoint = await account.createEndpoint();
    const page = '<p>error</p>'.repeat(800);
    const target = await httpReceiver((_request, res) => {
      res.end(page);
    });
    await account.addDestination(endpoint, target.url);
    const start = await follow(account);
    start.close();
    await Promise.all(Array.from({ length: 200 }, () => capture(endpoint.capture_url)));
    await until('all are delivered', async () => {
      return (await account.list(endpoint, '?status=delivered')).total === 200;
    });
    const resumed = await follow(account, '/api/stream', start.lastId);
    await until(
      'all attempts came, or the stream was cut',
      () => resumed.of('attempt').length === 200 || resumed.ended,
    );
    expect(resumed.of('attempt')).toHaveLength(200);
    expect(resumed.of('attempt').every(({ data }) => data.response_body === page)).toBe(true);
    expect(resumed.ended).toBe(false);
  });

  test('passes events whose paths are long', async () => {
    const account = await register(server);
    const endpoint = await account.createEndpoint();
    const start = await follow(account);
    start.close();
    const path = `/${'p'.repeat(12_000)}`;
    await Promise.all(Array.from({ length: 150 }, () => capture(`${endpoint.capture_url}${path}`)));
    const resumed = await follow(account, '/api/stream', start.lastId);
    await until(
      'all events came, or the stream was cut',
      () => resumed.of('event').length === 150 || resumed.ended,
    );
    expect(resumed.of('event')).toHaveLength(150);
  });

  test('with another database’s cursor, or no cursor, resets and goes on from now', async () => {
    const account = await register(server);
    const endpoint = await account.createEndpoint();
    await capture(endpoint.capture_url);
    const generation = (await follow(account)).lastId.split('.')[0] as string;
    for (const cursor of [
      // Each database has random digits of its own.
      `${randomBytes(16).toString('hex')}.0.0`,
      'x',
      `${generation}`,
      `${generation}.1`,
      `${generation}.1.2.3`,
      `${generation}..`,
      `${generation}.1.`,
      `${generation}.0x1.0`,
      `${generation}.-1.0`,
      `${generation}.1.5.0`,
      `${generation}.a.b`,
      `${generation}.1e999.0`,
      // The cursor is past the last event: an older copy replaced the data.
      `${generation}.1000000.0`,
      `${generation}.0.1000000`,
      `${generation}.9007199254740993.0`,
    ]) {
      const stream = await follow(account, '/api/stream', cursor);
      expect(stream.frames[0]).toEqual({
        event: 'reset',
        id: expect.stringMatching(CURSOR),
        data: { reason: expect.any(String) },
      });
      expect(stream.frames[0]?.id.split('.')[0]).toBe(generation);
      const eventId = await capture(endpoint.capture_url);
      expect(ids(await stream.received('event'))).toEqual([eventId]);
      stream.close();
    }
  });

  test('?from= starts at a time, but a cursor takes precedence', async () => {
    const account = await register(server);
    const endpoint = await account.createEndpoint();
    const target = await httpReceiver();
    await account.addDestination(endpoint, target.url);
    const sent: string[] = [];
    const times: string[] = [];
    for (let i = 0; i < 4; i++) {
      const id = await capture(endpoint.capture_url);
      sent.push(id);
      times.push((await account.event(endpoint, id)).received_at);
      await until('the next millisecond', () => Date.now() > Date.parse(times[i] as string));
    }
    await until('all are attempted', async () => {
      return (await account.list(endpoint, '?status=delivered')).total === 4;
    });
    const later = await follow(account, `/api/stream?from=${times[2]}`);
    expect(later.frames[0]?.event).toBe('ready');
    expect(ids(await later.received('event', 2))).toEqual(sent.slice(2));
    await later.received('attempt', 2);
    const all = await follow(account, `/api/endpoints/${endpoint.id}/stream?from=2020-01-01`);
    expect(ids(await all.received('event', 4))).toEqual(sent);
    await all.received('attempt', 4);
    const resumed = await follow(account, '/api/stream?from=2020-01-01', all.lastId);
    const newest = await capture(endpoint.capture_url);
    expect(ids(await resumed.received('event'))).toEqual([newest]);
    expect(ids(await later.received('event', 3))).toEqual([...sent.slice(2), newest]);
    const wrong = await account.call('GET', '/api/stream?from=yesterday');
    expect(expectStatus(400, wrong).error.issues[0].path).toBe('from');
  });

  test('an empty cursor counts as none, so a script may always send the header', async () => {
    const account = await register(server);
    const stream = await follow(account, '/api/stream', '');
    expect(stream.frames[0]?.event).toBe('ready');
  });
});

/**
 * Replaces the stream's 15-second interval by one that the test moves, and no other
 * timer of the server. Call it before the stream opens.
 */
function fakeHeartbeats(): { beat(): void } {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  return { beat: () => vi.advanceTimersByTime(HEARTBEAT_MS) };
}

/** Opens a stream over a bare socket and never reads from it. */
async function stalledStream(to: { port: number }, authorization: string): Promise<RawConnection> {
  const connection = await connect(to.port);
  connection.socket.pause();
  connection.send(
    `GET /api/stream HTTP/1.1\r\nhost: localhost\r\nauthorization: ${authorization}\r\n\r\n`,
  );
  return connection;
}

/** A response of an attempt that JSON makes six times as long: no frame is larger. */
const LARGEST = '\u0001'.repeat(16_000);

/**
 * Fills the sockets' buffers until some bytes stay unsent, but not enough for the
 * server to drop the reader.
 */
async function fill(account: Account, stalled: RawConnection): Promise<void> {
  const target = await httpReceiver((_request, res) => void res.end(LARGEST));
  const endpoint = await account.createEndpoint();
  await account.addDestination(endpoint, target.url);
  let sent = 0;
  await until('something is left unsent', async () => {
    sent += 4;
    await Promise.all(Array.from({ length: 4 }, () => capture(endpoint.capture_url)));
    await target.received(sent);
    return unsentBytes(stalled.socket.localPort as number) > 0;
  });
}

/** Number of open streams, of all accounts. */
async function streamsOf(to: { url: string }): Promise<number> {
  const { text } = await callApi(to, 'GET', '/metrics');
  return Number(/^hookrelay_live_streams (\d+)$/m.exec(text)?.[1]);
}

/** The server of the file, once the streams of other tests are closed. */
async function serverWithoutStreams() {
  await until('other tests’ streams are closed', async () => (await streamsOf(server)) === 0);
  return server;
}

describe('the end of a stream', () => {
  test('does not come while heartbeats are sent every 15 s', async () => {
    const account = await register(server);
    const heart = fakeHeartbeats();
    const stream = await follow(account);
    for (const beats of [1, 2, 3]) {
      heart.beat();
      await until('a heartbeat', () => stream.comments === beats);
    }
    expect(stream.ended).toBe(false);
  });

  test.each([
    [
      'is revoked',
      async (account: Account, id: string) => {
        expectStatus(204, await account.call('DELETE', `/api/tokens/${id}`));
      },
    ],
    ['expires', async (_: Account, id: string) => expireToken(server, id)],
  ])('comes at the next heartbeat after its API token %s', async (_, end) => {
    const account = await register(server);
    const token = await makeToken(server, account, { expires_in: '1h' });
    const heart = fakeHeartbeats();
    const stream = await openStream(server, '/api/stream', token.authorization);
    heart.beat();
    await until('a heartbeat', () => stream.comments === 1);
    expect(stream.ended).toBe(false);
    await end(account, token.id);
    heart.beat();
    await until('it ends', () => stream.ended);
  });

  test('comes at the next heartbeat after its session is ended', async () => {
    const account = await register(server);
    const heart = fakeHeartbeats();
    const stream = await follow(account);
    const { refreshToken } = account;
    const logout = await callApi(server, 'POST', '/api/auth/logout', { refreshToken });
    expect(logout.status).toBe(204);
    heart.beat();
    await until('it ends', () => stream.ended);
    const again = await request(`${server.url}/api/stream`, {
      headers: { authorization: account.authorization },
    });
    expect(again.status).toBe(401);
  });

  test('comes when its access token expires', async () => {
    const account = await register(server);
    const claims = JSON.parse(
      Buffer.from(account.accessToken.split('.')[1] as string, 'base64url').toString(),
    );
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const opened = new Promise<http.IncomingMessage>((resolve, reject) => {
      const req = http.get(`${server.url}/api/stream`, {
        agent: false,
        headers: { authorization: account.authorization },
      });
      req.on('response', resolve).on('error', reject);
      onTestFinished(() => {
        req.destroy();
      });
    });
    const res = await opened;
    const ended = new Promise<void>((resolve) => res.once('end', resolve));
    let isEnded = false;
    ended.then(() => {
      isEnded = true;
    });
    res.resume();
    const leftMs = claims.exp * 1000 - Date.now();
    expect(leftMs).toBeGreaterThan(14 * 60_000);
    vi.advanceTimersByTime(leftMs - 5000);
    await new Promise(setImmediate);
    expect(isEnded).toBe(false);
    vi.advanceTimersByTime(6000);
    vi.useRealTimers();
    await ended;
  });

  test('comes with the server, which does not wait for its readers', async () => {
    const own = await runServer();
    const account = await register(own);
    const streams = await Promise.all(
      Array.from({ length: 5 }, () => openStream(own, '/api/stream', account.authorization)),
    );
    // One reader stops reading, with unsent bytes left.
    const stalled = await stalledStream(own, account.authorization);
    await fill(account, stalled);
    // Connections get 9 s, which ends after this timer even on a busy machine.
    let isLate = false;
    const late = setTimeout(() => {
      isLate = true;
    }, 8500);
    await own.stop();
    clearTimeout(late);
    expect(isLate).toBe(false);
    for (const stream of streams) await until('it ends', () => stream.ended);
  });

  test('leaves nothing behind', async () => {
    const own = await serverWithoutStreams();
    const account = await register(own);
    const streams = await Promise.all(Array.from({ length: 10 }, () => follow(account)));
    expect(await streamsOf(own)).toBe(10);
    for (const stream of streams) stream.close();
    await until('all are gone', async () => (await streamsOf(own)) === 0);
  });

  test('a deleted endpoint’s stream sends nothing more', async () => {
    const account = await register(server);
    const endpoint = await account.createEndpoint();
    const stream = await follow(account, `/api/endpoints/${endpoint.id}/stream`);
    await account.call('DELETE', `/api/endpoints/${endpoint.id}`);
    const again = await request(`${server.url}/api/endpoints/${endpoint.id}/stream`, {
      headers: { authorization: account.authorization },
    });
    expect(again.status).toBe(404);
    expect(stream.of('event')).toEqual([]);
  });
});

/** For attempts with this response, 256 at once. */
async function prepareBurst(account: Account, response: string) {
  const endpoint = await account.createEndpoint();
  const target = await httpReceiver();
  for (let i = 0; i < 16; i++) await account.addDestination(endpoint, `${target.url}/${i}`);
  await capture(endpoint.capture_url);
  await until('all are known to answer', async () => {
    return (await account.list(endpoint, '?status=delivered')).total === 1;
  });
  const send = () => Promise.all(Array.from({ length: 16 }, () => capture(endpoint.capture_url)));
  return {
    /** Publishes them in one turn of the event loop. */
    async inOneTurn() {
      const answers: (() => void)[] = [];
      target.respond = (_request, res) => {
        answers.push(() => res.end(response));
      };
      await send();
      await until('all are under way', () => answers.length === 256);
      target.respond = (_request, res) => void res.end(response);
      for (const answer of answers) answer();
    },
    /** Publishes them as the destinations answer. After a burst in one turn they get fewer at once. */
    send,
  };
}

// Events published in one turn of the event loop don't show which readers read.
test('a burst of large attempts does not end a stream that is read', async () => {
  const account = await register(server);
  // Of these frames several are written together; the largest, below, each alone.
  const burst = await prepareBurst(account, 'x'.repeat(16_000));
  const stream = await follow(account);
  await burst.inOneTurn();
  const came = () => stream.of('attempt').length;
  await until('all came, or it was dropped', () => came() === 256 || stream.ended);
  expect(came()).toBe(256);
  expect(stream.ended).toBe(false);
});

describe('a reader that does not read', () => {
  test('is dropped; memory stays flat; others get everything', async () => {
    const own = await serverWithoutStreams();
    const account = await register(own);
    const burst = await prepareBurst(account, LARGEST);
    const healthy = await follow(account);
    const stalled = await Promise.all(
      Array.from({ length: 2 }, () => stalledStream(own, account.authorization)),
    );
    await until('all are open', async () => (await streamsOf(own)) === 3);
    const came = () => healthy.of('attempt').length;
    const receive = (count: number) =>
      until('all came, or it was dropped', () => came() === count || healthy.ended);
    await burst.inOneTurn();
    await receive(256);
    // Bytes limit what is sent to readers that don't read, not time: a burst has 24 MB. The
    // sockets buffer a few MB, the server 32 MiB.
    for (let bursts = 2; bursts <= 3 && (await streamsOf(own)) > 1; bursts++) {
      await burst.send();
      await receive(bursts * 256);
      expect(came()).toBe(bursts * 256);
    }
    expect(await streamsOf(own)).toBe(1);
    expect(healthy.ended).toBe(false);
    for (const connection of stalled) connection.end();
  });

  // Regression: the heartbeat wrote into an ended stream and crashed the server.
  test('whose token is revoked in the meantime does not harm the server', async () => {
    const own = await serverWithoutStreams();
    const account = await register(own);
    const made = expectStatus(201, await account.call('POST', '/api/tokens', { name: 'tail' }));
    const heart = fakeHeartbeats();
    const uncaught: unknown[] = [];
    const note = (error: unknown) => uncaught.push(error);
    const others = process.listeners('uncaughtException');
    process.removeAllListeners('uncaughtException');
    process.on('uncaughtException', note);
    onTestFinished(() => {
      process.off('uncaughtException', note);
      for (const other of others) process.on('uncaughtException', other);
    });
    const stalled = await stalledStream(own, `Bearer ${made.token}`);
    await until('it is open', async () => (await streamsOf(own)) === 1);
    await fill(account, stalled);
    expect(await streamsOf(own)).toBe(1);
    await account.call('DELETE', `/api/tokens/${made.id}`);
    heart.beat();
    // The server finds the revocation and ends the stream; the reader still doesn't
    // read.
    await until('it is ended', () => isEnding(stalled.socket.localPort as number));
    heart.beat();
    await new Promise(setImmediate);
    heart.beat();
    expect((await callApi(own, 'GET', '/healthz')).status).toBe(200);
    expect(uncaught).toEqual([]);
    stalled.end();
  });
});

/** The server's end of a connection, in this process, by the client's port. */
function serverSocket(clientPort: number) {
  // biome-ignore lint/suspicious/noExplicitAny: Node's own list of what keeps it alive
  const handles = (process as any)._getActiveHandles() as import('node:net').Socket[];
  return handles.find((one) => one.remotePort === clientPort && one.localPort !== undefined);
}

function unsentBytes(clientPort: number): number {
  return serverSocket(clientPort)?.writableLength ?? 0;
}

function isEnding(clientPort: number): boolean {
  const socket = serverSocket(clientPort);
  // biome-ignore lint/suspicious/noExplicitAny: the response that the socket carries
  return socket === undefined || (socket as any)._httpMessage?.writableEnded === true;
}

test('a stream without a token answers 401 before anything is sent', async () => {
  for (const path of ['/api/stream', '/api/endpoints/x/stream']) {
    const answer = await request(server.url + path);
    expect(answer.status).toBe(401);
    expect(answer.headers['content-type']).toBe('application/json');
  }
});

test('a failing delivery shows each attempt with its next state', async () => {
  const target = await httpReceiver(status(500));
  const account = await register(server);
  const endpoint = await account.createEndpoint();
  await account.addDestination(endpoint, target.url);
  const stream = await follow(account);
  await capture(endpoint.capture_url);
  const attempts = await stream.received('attempt', 3);
  expect(attempts.map(({ data }) => [data.attempt, data.event_status])).toEqual([
    [1, 'failed'],
    [2, 'failed'],
    [3, 'dead_letter'],
  ]);
  expect(attempts.map(({ data }) => data.next_attempt_at !== null)).toEqual([true, true, false]);
});
