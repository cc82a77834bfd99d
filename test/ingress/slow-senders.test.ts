import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { HookrelayError } from '../../src/core/errors.ts';
import { readBody } from '../../src/core/http/read-body.ts';
import { callApi } from '../fixtures/account.ts';
import { failOnLeaks } from '../fixtures/leaks.ts';
import { connect } from '../fixtures/raw-connection.ts';
import { serverOfFile } from '../fixtures/running-server.ts';
import { until } from '../fixtures/until.ts';

/*
 * A client that holds a connection without using it is cut off. The limits are the
 * server's own: 10 s for headers, checked every second. The test tries all of them
 * at once, so the file takes no longer than one.
 */

failOnLeaks();
const server = serverOfFile();

const HEADERS_LIMIT_MS = 10_000;
const PATIENCE_MS = HEADERS_LIMIT_MS + 3000;

/** The course of a connection that begins with `begin` and sends `drip` every half second. */
async function timeToClose(begin: string, drip: string): Promise<[number, number[]]> {
  const connection = await connect(server.port);
  const started = performance.now();
  connection.send(begin);
  const dripping = setInterval(() => {
    if (drip !== '' && !connection.closed) connection.send(drip);
  }, 500);
  try {
    await connection.closedByServer(PATIENCE_MS);
  } finally {
    clearInterval(dripping);
  }
  return [performance.now() - started, connection.statuses];
}

const SLOW = {
  'nothing at all': ['', ''],
  'half a request line': ['GET /heal', ''],
  'a header every half second': ['GET /healthz HTTP/1.1\r\nhost: x\r\n', 'a: b\r\n'],
  'a byte every half second': ['GET /healthz HTTP/1.1\r\nx: ', 'y'],
  'blank lines': ['\r\n', '\r\n'],
} as const;

test('headers that never end are cut off at the limit, while others are served', {
  timeout: PATIENCE_MS + 5000,
}, async () => {
  const slow = Object.entries(SLOW).map(async ([name, [begin, drip]]) => {
    const [ms, statuses] = await timeToClose(begin, drip);
    expect(ms, name).toBeGreaterThan(HEADERS_LIMIT_MS - 2000);
    expect(
      statuses.filter((code) => code !== 408),
      name,
    ).toEqual([]);
  });
  const many = Array.from({ length: 50 }, () => timeToClose('POST /in/x HTTP/1.1\r\n', ''));
  expect((await callApi(server, 'GET', '/healthz')).status).toBe(200);
  await Promise.all([...slow, ...many]);
});

test('an idle connection is kept for 65 s, longer than load balancers keep theirs', async () => {
  const connection = await connect(server.port);
  connection.send('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n');
  await connection.status();
  expect(connection.received).toMatch(/\r\nkeep-alive: timeout=65\r\n/i);
});

describe('an endless body', () => {
  /** `readBody` behind a real server; the API's own deadline is 30 s. */
  async function listening(deadlineMs: number) {
    const codes: string[] = [];
    const httpServer = createServer((req, res) => {
      readBody(req, { maxBytes: 1000, deadlineMs }).then(
        (body) => res.end(String(body.length)),
        (error: unknown) => {
          codes.push(error instanceof HookrelayError ? error.code : String(error));
          res.destroy();
        },
      );
    }).listen(0, '127.0.0.1');
    await once(httpServer, 'listening');
    onTestFinished(async () => {
      httpServer.close();
      await once(httpServer, 'close');
    });
    const { port } = httpServer.address() as AddressInfo;
    return { codes, port };
  }

  test('is cut off at the deadline, however steadily it drips', async () => {
    const { codes, port } = await listening(200);
    const started = performance.now();
    const req = request({ port, host: '127.0.0.1', method: 'POST', agent: false });
    req.on('error', () => {});
    const dripping = setInterval(() => req.write('a'), 20);
    req.once('close', () => clearInterval(dripping));
    await until('it is given up', () => codes.length > 0);
    expect(codes).toEqual(['request_timeout']);
    expect(performance.now() - started).toBeGreaterThan(150);
    req.destroy();
  });

  test('that ends in time leaves no timer', async () => {
    const { codes, port } = await listening(60_000);
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout');
    const before = timers().length;
    const req = request({ port, host: '127.0.0.1', method: 'POST', agent: false });
    req.end('abc');
    const [res] = await once(req, 'response');
    res.resume();
    await once(res, 'close');
    expect(codes).toEqual([]);
    await until('no timer is left', () => timers().length <= before);
  });
});
