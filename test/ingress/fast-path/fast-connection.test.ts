import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { callApi, register } from '../../fixtures/account.ts';
import { captureServer } from '../../fixtures/capture-server.ts';
import { type HeldServer, heldServer, idsOf, post } from '../../fixtures/held-server.ts';
import { failOnLeaks } from '../../fixtures/leaks.ts';
import { connect, type RawConnection } from '../../fixtures/raw-connection.ts';
import { runServer } from '../../fixtures/running-server.ts';
import { connectTls, localCertificate } from '../../fixtures/tls-connection.ts';
import { until } from '../../fixtures/until.ts';

/*
 * Connections with ordinary captures and other requests in between: every answer
 * comes in turn, whether Node or the fast path reads the request.
 */

failOnLeaks();

/** Sequential captures, with another request in between. */
async function expectInTurn(server: HeldServer, connection: RawConnection): Promise<void> {
  server.letGo();
  const sent = [post('/1'), post('/2'), 'GET /api HTTP/1.1\r\nhost: x\r\n\r\n', post('/3')];
  for (const [i, bytes] of sent.entries()) {
    connection.send(bytes);
    expect(await connection.status(i + 1)).toBe(200);
  }
  expect(server.paths()).toEqual(['/1', '/2', '/3']);
  // From the first unusual request on, all are Node's.
  expect(server.counts.taken).toBe(2);
}

test('captures go one after the other, with other requests in between', async () => {
  const server = await heldServer();
  await expectInTurn(server, await connect(server.port));
});

test('a capture in two parts, cut anywhere, is stored once', async () => {
  const server = await heldServer();
  server.letGo();
  const bytes = post('/cut', 'X-A: b\r\n');
  for (let at = 1; at < bytes.length; at++) {
    const connection = await connect(server.port);
    connection.send(bytes.slice(0, at));
    // The server answers this after it has seen the earlier request.
    expect((await callApi(server, 'GET', '/api')).status).toBe(200);
    connection.send(bytes.slice(at));
    expect([at, await connection.status()]).toEqual([at, 200]);
    connection.end();
  }
  expect(server.paths()).toEqual(Array(bytes.length - 1).fill('/cut'));
  expect(server.counts.taken).toBe(0);
});

describe('while a capture is being committed', () => {
  test('further requests wait for their turn, whatever they are', async () => {
    const server = await heldServer();
    const connection = await connect(server.port);
    connection.send(post('/1'));
    await server.reached(1);
    connection.send(`${post('/2')}GET /api HTTP/1.1\r\nhost: x\r\n\r\n`);
    connection.send(post('/3', 'connection: close\r\n'));
    expect((await callApi(server, 'GET', '/api')).status).toBe(200);
    expect(server.paths()).toEqual(['/1']);
    server.letGo();
    await connection.closedByServer();
    expect(connection.statuses).toEqual([200, 200, 200, 200]);
    expect(server.paths()).toEqual(['/1', '/2', '/3']);
    expect(idsOf(connection)).toHaveLength(3);
  });

  test('a half-closed sender still gets its answer', async () => {
    const server = await heldServer();
    const connection = await connect(server.port);
    connection.send(post('/1'));
    connection.socket.end();
    await server.reached(1);
    expect((await callApi(server, 'GET', '/api')).status).toBe(200);
    server.letGo();
    await connection.closedByServer();
    expect(connection.statuses).toEqual([200]);
  });

  test('the capture of a sender that leaves is stored, and nothing remains', async () => {
    const server = await heldServer();
    const connection = await connect(server.port);
    connection.send(post('/1'));
    await server.reached(1);
    expect(server.budget.usedBytes).toBe(5);
    connection.socket.resetAndDestroy();
    expect((await callApi(server, 'GET', '/api')).status).toBe(200);
    server.letGo();
    await until('its bytes are given back', () => server.budget.usedBytes === 0);
    expect(server.errors).toEqual([]);
  });

  test('a stopping server answers it with Connection: close, and closes', async () => {
    const server = await heldServer();
    const [busy, idle, fresh] = [
      await connect(server.port),
      await connect(server.port),
      await connect(server.port),
    ];
    server.letGo();
    idle.send(post('/idle'));
    expect(await idle.status()).toBe(200);
    server.hold();
    busy.send(post('/busy'));
    await server.reached(2);
    const stopped = server.close(20_000);
    await Promise.all([idle.closedByServer(), fresh.closedByServer()]);
    expect(busy.closed).toBe(false);
    server.letGo();
    await stopped;
    await busy.closedByServer();
    expect(busy.statuses).toEqual([200]);
    expect(busy.received).toMatch(/\r\nConnection: close\r\n/);
    expect(fresh.received).toBe('');
  });

  test('senders that go on while the server stops each see which answer is the last', async () => {
    const server = await heldServer();
    server.letGo();
    const senders = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const connection = await connect(server.port);
        let sent = 0;
        const send = () => {
          sent++;
          connection.send(post(''));
        };
        connection.socket.on('data', (chunk) => {
          // Whole answers arrive one at a time: each answer triggers the next
          // request.
          if (!/\r\nConnection: close\r\n/.test(chunk.toString())) send();
        });
        send();
        return { connection, sent: () => sent };
      }),
    );
    await until('they are under way', () => server.paths().length > 100);
    await server.close(20_000);
    for (const { connection, sent } of senders) {
      await connection.closedByServer();
      expect(connection.statuses).toHaveLength(sent());
      expect(connection.received).toMatch(/\r\nConnection: close\r\n/);
    }
    const answered = senders.reduce((sum, { sent }) => sum + sent(), 0);
    expect(server.paths()).toHaveLength(answered);
  });

  test('only one read of further bytes is taken in', async () => {
    const server = await heldServer();
    const connection = await connect(server.port);
    connection.send(post('/1'));
    await server.reached(1);
    connection.send(Buffer.alloc(64 * 1024 * 1024));
    for (let i = 0; i < 20; i++) {
      expect((await callApi(server, 'GET', '/api')).status).toBe(200);
    }
    expect(connection.socket.writableLength).toBeGreaterThan(0);
    server.letGo();
  });

  test('a server whose wait for it has ended cuts the connection', async () => {
    const server = await heldServer();
    const connection = await connect(server.port);
    connection.send(post('/1'));
    await server.reached(1);
    await server.close(200);
    await connection.closedByServer();
    expect(connection.received).toBe('');
    server.letGo();
  });
});

test('Connection: close is answered with close', async () => {
  const server = await heldServer();
  server.letGo();
  const connection = await connect(server.port);
  connection.send(post('/1', 'connection: close\r\n'));
  await connection.closedByServer();
  expect(connection.statuses).toEqual([200]);
  expect(connection.received).toMatch(/\r\nConnection: close\r\n/);
  expect(server.counts.taken).toBe(1);
});

test('nothing is read after the last answer, however long that takes', async () => {
  const body = 'x'.repeat(16 * 1024 * 1024);
  let captured = 0;
  const server = await captureServer({
    commit: async () => {
      captured++;
      return {
        stored: true,
        event: {},
        response: { status: 200, content_type: 'a/b', body },
      } as never;
    },
  });
  const connection = await connect(server.port);
  connection.socket.pause();
  connection.send(post('/1', 'connection: close\r\n'));
  await until('it is taken', () => captured === 1);
  expect((await callApi(server, 'GET', '/api')).status).toBe(200);
  connection.send(post('/2'));
  expect((await callApi(server, 'GET', '/api')).status).toBe(200);
  connection.socket.resume();
  await connection.closedByServer();
  expect(captured).toBe(1);
});

test('an empty line after a request is no request', async () => {
  const server = await heldServer();
  server.letGo();
  const connection = await connect(server.port);
  connection.send(post('/1'));
  expect(await connection.status()).toBe(200);
  connection.send('\r\n');
  // The server answers this after it has read the empty line.
  expect((await callApi(server, 'GET', '/api')).status).toBe(200);
  connection.send(post('/2', 'connection: close\r\n'));
  await connection.closedByServer();
  expect(connection.statuses).toEqual([200, 200]);
  expect(server.counts.taken).toBe(2);
});

test('a connection handed to Node is like any of Node’s', async () => {
  const events = ['data', 'end', 'close', 'error', 'timeout', 'drain', 'finish', 'readable'];
  const seen: unknown[] = [];
  const note: http.RequestListener = ({ socket }, res) => {
    seen.push({
      counts: events.map((name) => socket.listenerCount(name)),
      ms: socket.timeout ?? 0,
    });
    res.end();
  };
  const server = await captureServer({ commit: () => Promise.reject(), api: note });
  const plain = http.createServer({ keepAliveTimeout: 65_000 }, note).listen(0, '127.0.0.1');
  // As the front door's server does, to see its end.
  plain.on('connection', (socket) => socket.once('close', () => {}));
  onTestFinished(() => void plain.close());
  await once(plain, 'listening');
  for (const port of [server.port, (plain.address() as AddressInfo).port]) {
    const connection = await connect(port);
    connection.send('GET /api HTTP/1.1\r\nhost: x\r\n\r\n');
    expect(await connection.status()).toBe(200);
  }
  expect(seen).toHaveLength(2);
  expect(seen[0]).toEqual(seen[1]);
});

test('a request without room gets 503 with Retry-After, and the connection stays', async () => {
  const server = await heldServer();
  server.budget.take(1_000_000 - 4);
  server.letGo();
  const connection = await connect(server.port);
  connection.send(post('/1'));
  expect(await connection.status()).toBe(503);
  expect(connection.received).toMatch(/\r\nretry-after: 1\r\n/);
  expect(connection.received).toContain('"code":"overloaded"');
  connection.send(post('/2', '', 'four'));
  expect(await connection.status(2)).toBe(200);
  expect(server.paths()).toEqual(['/2']);
  expect(server.counts.taken).toBe(2);
});

describe('a quiet connection', () => {
  test('gets a 408 if it never sent anything', async () => {
    const server = await heldServer({ limits: { headersTimeoutMs: 200 } });
    const connection = await connect(server.port);
    await connection.closedByServer();
    expect(connection.statuses).toEqual([408]);
    expect(connection.received).toContain('"code":"request_timeout"');
  });

  test('is closed after its last answer, a second later than announced', async () => {
    const server = await heldServer({ limits: { keepAliveTimeoutMs: 1000, headersTimeoutMs: 50 } });
    server.letGo();
    const connection = await connect(server.port);
    connection.send(post('/1'));
    expect(await connection.status()).toBe(200);
    const answered = performance.now();
    expect(connection.received).toMatch(/\r\nKeep-Alive: timeout=1\r\n/);
    await connection.closedByServer();
    expect(performance.now() - answered).toBeGreaterThan(1500);
    expect(connection.statuses).toEqual([200]);
    expect(server.counts.taken).toBe(1);
  });

  test('is kept while Node’s request on it is being committed', async () => {
    const server = await heldServer({ limits: { headersTimeoutMs: 200 } });
    const connection = await connect(server.port);
    connection.send('GET /in/token/1 HTTP/1.1\r\nhost: x\r\n\r\n');
    await server.reached(1);
    // This connection has the same limit, began later, and has passed it.
    await (await connect(server.port)).closedByServer();
    expect(connection.closed).toBe(false);
    server.letGo();
    expect(await connection.status()).toBe(200);
  });

  test('is kept while its request is being committed', async () => {
    const server = await heldServer({ limits: { keepAliveTimeoutMs: 1, headersTimeoutMs: 50 } });
    const connection = await connect(server.port);
    connection.send(post('/1'));
    await server.reached(1);
    // This connection has the same limit, began later, and has passed it.
    await (await connect(server.port)).closedByServer();
    expect(connection.closed).toBe(false);
    server.letGo();
    expect(await connection.status()).toBe(200);
  });
});

test('a sender that doesn’t read its answers gets a limited number of them', async () => {
  const SENT = 40;
  const body = 'x'.repeat(1024 * 1024);
  let captured = 0;
  const server = await captureServer({
    commit: async () => {
      captured++;
      const response = { status: 200, content_type: 'text/plain', body };
      return { stored: true, event: {}, response } as never;
    },
  });
  const connection = await connect(server.port);
  connection.socket.pause();
  const { handedOver } = server.counts;
  for (let sent = 1; sent <= SENT; sent++) {
    connection.send(post(''));
    await until('it is read', () => captured === sent || handedOver.slow_reader === 1);
    // The server answers this after it has read what it takes of the earlier request.
    expect((await callApi(server, 'GET', '/api')).status).toBe(200);
  }
  // Node has the connection, and waits for the sender: the system's buffers hold the rest.
  expect(captured).toBeLessThan(SENT - 8);
  connection.socket.resume();
  await until('all are answered', () => connection.received.length > SENT * body.length);
  expect(connection.statuses).toEqual(Array(SENT).fill(200));
  expect(captured).toBe(SENT);
});

describe('over TLS', () => {
  async function secured() {
    const certificate = localCertificate();
    const server = await heldServer({ tls: certificate.tls });
    return { server, open: () => connectTls(server.port, certificate) };
  }

  test('captures go one after the other', async () => {
    const { server, open } = await secured();
    const { connection } = await open();
    await expectInTurn(server, connection);
  });

  test('a connection that stops speaking TLS is closed at once', async () => {
    const { server, open } = await secured();
    server.letGo();
    const { bare, connection } = await open();
    connection.send(post('/1'));
    expect(await connection.status()).toBe(200);
    bare.send('This is no TLS record.');
    // Sooner than any limit would.
    await connection.closedByServer(5000);
  });

  test.each([
    ['before', ''],
    ['in the middle of', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
  ])('a connection that its sender ends %s the handshake is closed at once', async (_, bytes) => {
    const { server } = await secured();
    const leaving = await connect(server.port);
    leaving.send(bytes);
    leaving.socket.end();
    // Sooner than any limit would.
    await leaving.closedByServer(5000);
  });

  test('a connection that its sender ends between two requests is closed at once', async () => {
    const { server, open } = await secured();
    server.letGo();
    for (const bytes of ['', post('/1'), 'GET /api HTTP/1.1\r\nhost: x\r\n\r\n']) {
      const { connection } = await open();
      connection.send(bytes);
      if (bytes !== '') expect(await connection.status()).toBe(200);
      connection.socket.end();
      await connection.closedByServer(5000);
    }
  });

  test('a connection stuck in the handshake does not hold up the server’s end', async () => {
    const { server } = await secured();
    const silent = await connect(server.port);
    await server.close(300);
    await silent.closedByServer();
  });
});

test('the fast path and Node store the same in a composed server', async () => {
  const server = await runServer();
  const account = await register(server);
  const endpoint = await account.createEndpoint();
  const bytes = post('/a?b=c', 'X-GitHub-Event: push\r\nContent-Type: text/plain\r\n').replace(
    '/in/token',
    `/in/${endpoint.public_token}`,
  );
  const whole = await connect(server.port);
  whole.send(bytes);
  expect(await whole.status()).toBe(200);
  // This request gets no answer before both are there: two at once are Node's.
  const both = await connect(server.port);
  both.send(bytes + bytes);
  expect(await both.status(2)).toBe(200);
  const { data } = await account.list(endpoint, '?view=summary');
  expect(data).toHaveLength(3);
  const [first, ...others] = data.map(({ seq: _, id: __, received_at: ___, ...event }) => event);
  for (const other of others) expect(other).toEqual(first);
  expect(first).toMatchObject({ path: '/a', provider: 'github', event_type: 'push' });
});
