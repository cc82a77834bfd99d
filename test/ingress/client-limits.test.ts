import { expect, test } from 'vitest';
import { CLIENT_LIMITS } from '../../src/ingress/client-limits.ts';
import { callApi, capture, register } from '../fixtures/account.ts';
import { failOnLeaks } from '../fixtures/leaks.ts';
import { connect } from '../fixtures/raw-connection.ts';
import { runServer } from '../fixtures/running-server.ts';

/*
 * A client that holds a connection too long is cut off, by a composed server with
 * short limits.
 */

failOnLeaks();

const LONG_MS = 60_000;
const SHORT_MS = 300;
const HEAD = 'HTTP/1.1\r\nhost: localhost\r\n';

test('the limits are those of docs/guarantees.md', () => {
  expect(CLIENT_LIMITS).toEqual({
    headersTimeoutMs: 10_000,
    requestTimeoutMs: 300_000,
    apiBodyTimeoutMs: 30_000,
    keepAliveTimeoutMs: 65_000,
  });
});

/** Error codes of the answers. */
const codesOf = (received: string) =>
  [...received.matchAll(/"code":"(\w+)"/g)].map(([, code]) => code);

/** Sends `bytes`, then `drip` every 50 ms until the server closes; null: nothing more. */
async function cutOff(port: number, bytes: string, drip: string | null) {
  const connection = await connect(port);
  connection.send(bytes);
  const dripping = setInterval(() => {
    if (drip !== null && !connection.closed) connection.send(drip);
  }, 50);
  try {
    await connection.closedByServer();
  } finally {
    clearInterval(dripping);
  }
  return connection;
}

const ENDLESS: [framing: string, drip: string | null][] = [
  ['content-length: 100000', ' '],
  ['transfer-encoding: chunked', '1\r\n \r\n'],
  ['content-length: 10', null],
];
const ENDLESS_HEADS: [name: string, begin: string, drip: string | null][] = [
  ['nothing at all', '', null],
  ['half a request line', 'GET /heal', null],
  ['a header from time to time', 'GET /healthz HTTP/1.1\r\nhost: x\r\n', 'a: b\r\n'],
  ['a byte from time to time', 'GET /healthz HTTP/1.1\r\nx: ', 'y'],
  ['blank lines', '\r\n', '\r\n'],
];

test('a captured body or a head without end, and an idle connection, are cut off', async () => {
  const server = await runServer(
    {},
    {
      headersTimeoutMs: SHORT_MS,
      requestTimeoutMs: SHORT_MS,
      keepAliveTimeoutMs: SHORT_MS,
    },
  );
  const account = await register(server);
  const endpoint = await account.createEndpoint();
  const bodies = ENDLESS.map(async ([framing, drip]) => {
    const bytes = `POST /in/${endpoint.public_token} ${HEAD}${framing}\r\n\r\n`;
    const { statuses, received } = await cutOff(server.port, bytes, drip);
    expect([framing, statuses, codesOf(received)]).toEqual([framing, [408], ['request_timeout']]);
  });
  const heads = ENDLESS_HEADS.map(async ([name, begin, drip]) => {
    const started = performance.now();
    const { statuses } = await cutOff(server.port, begin, drip);
    // Timers may fire a millisecond early.
    expect(performance.now() - started, name).toBeGreaterThan(SHORT_MS - 5);
    expect([name, statuses.filter((code) => code !== 408)]).toEqual([name, []]);
  });
  const many = Array.from({ length: 50 }, () =>
    cutOff(server.port, 'POST /in/x HTTP/1.1\r\n', null),
  );
  const idle = cutOff(server.port, `GET /healthz ${HEAD}\r\n`, null);
  // Others are served meanwhile.
  expect((await callApi(server, 'GET', '/healthz')).status).toBe(200);
  await Promise.all([...bodies, ...heads, ...many]);
  expect((await idle).statuses).toEqual([200]);
  // Commits go in order: earlier requests are stored before this one.
  await capture(endpoint.capture_url);
  expect((await account.list(endpoint)).total).toBe(1);
  expect(server.logged.filter(({ level }) => level === 'error')).toEqual([]);
});

test('the body of an API call has its own limit; an idle connection is kept longer than load balancers keep theirs', async () => {
  const server = await runServer({}, { apiBodyTimeoutMs: 200, requestTimeoutMs: LONG_MS });
  await Promise.all(
    ENDLESS.map(async ([framing, drip]) => {
      const bytes = `POST /api/auth/login ${HEAD}${framing}\r\n\r\n`;
      const { statuses, received } = await cutOff(server.port, bytes, drip);
      expect([framing, statuses, codesOf(received)]).toEqual([framing, [408], ['request_timeout']]);
    }),
  );
  const connection = await connect(server.port);
  connection.send(`GET /healthz ${HEAD}\r\n`);
  expect(await connection.status()).toBe(200);
  expect(connection.received).toMatch(/\r\nkeep-alive: timeout=65\r\n/i);
});
