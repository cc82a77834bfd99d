import { expect, test } from 'vitest';
import { CLIENT_LIMITS } from '../../src/ingress/client-limits.ts';
import { callApi, capture, register } from '../fixtures/account.ts';
import { failOnLeaks } from '../fixtures/leaks.ts';
import { connect } from '../fixtures/raw-connection.ts';
import { runServer } from '../fixtures/running-server.ts';

/*
 * A client that holds a connection too long is cut off, by a composed server with
 * short limits. slow-senders.test.ts tests headers with the real limits. Node
 * checks its limits once a second.
 */

failOnLeaks();

const LONG_MS = 60_000;
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

test('an endless captured body is cut off, and not stored', async () => {
  const server = await runServer({}, { headersTimeoutMs: 300, requestTimeoutMs: 300 });
  const account = await register(server);
  const endpoint = await account.createEndpoint();
  await Promise.all(
    ENDLESS.map(async ([framing, drip]) => {
      const bytes = `POST /in/${endpoint.public_token} ${HEAD}${framing}\r\n\r\n`;
      const { statuses, received } = await cutOff(server.port, bytes, drip);
      expect([framing, statuses, codesOf(received)]).toEqual([framing, [408], ['request_timeout']]);
    }),
  );
  // Commits go in order: earlier requests are stored before this one.
  await capture(endpoint.capture_url);
  expect((await account.list(endpoint)).total).toBe(1);
  expect(server.logged.filter(({ level }) => level === 'error')).toEqual([]);
});

test('the body of an API call has its own limit', async () => {
  const server = await runServer({}, { apiBodyTimeoutMs: 200, requestTimeoutMs: LONG_MS });
  await Promise.all(
    ENDLESS.map(async ([framing, drip]) => {
      const bytes = `POST /api/auth/login ${HEAD}${framing}\r\n\r\n`;
      const { statuses, received } = await cutOff(server.port, bytes, drip);
      expect([framing, statuses, codesOf(received)]).toEqual([framing, [408], ['request_timeout']]);
    }),
  );
  expect((await callApi(server, 'GET', '/healthz')).status).toBe(200);
});

test('a connection that sends nothing more after its answer is closed', async () => {
  const server = await runServer({}, { keepAliveTimeoutMs: 200 });
  const connection = await cutOff(server.port, `GET /healthz ${HEAD}\r\n`, null);
  expect(connection.statuses).toEqual([200]);
});
