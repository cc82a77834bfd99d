import { beforeAll, describe, expect, test } from 'vitest';
import type { EndpointAnswer } from '../../src/api/endpoints/endpoint-answer.ts';
import { type Account, callApi, capture, register } from '../fixtures/account.ts';
import { failOnLeaks } from '../fixtures/leaks.ts';
import { connect, type RawConnection } from '../fixtures/raw-connection.ts';
import { serverOfFile } from '../fixtures/running-server.ts';

/*
 * Requests that are ambiguous, malformed or too large are refused, closed, and not
 * stored. The bytes go over a raw socket, as no HTTP client would send them.
 */

failOnLeaks();
const MAX_BODY = 100_000;
const server = serverOfFile({ maxBody: MAX_BODY });

let account: Account;
let endpoint: EndpointAnswer;
/** Its capture path. */
let hook: string;

beforeAll(async () => {
  account = await register(server);
  endpoint = await account.createEndpoint();
  hook = `/in/${endpoint.public_token}`;
});

const stored = async () => (await account.list(endpoint)).total;

/** Sends one request (or something like one) and waits for the verdict. */
async function send(bytes: string): Promise<RawConnection> {
  const connection = await connect(server.port);
  connection.send(bytes);
  await connection.status();
  return connection;
}

/** Errors logged since `from` lines. */
const errorsSince = (from: number) =>
  server.logged.slice(from).filter(({ level }) => level === 'error');

/**
 * The connection gets one answer and is closed, whatever follows on it (RFC 9112,
 * section 9.6: after "close" nothing more is processed). Nothing is stored, and the
 * server goes on.
 */
async function expectRefused(bytes: string, status: number): Promise<void> {
  await expectAllRefused([['it', () => bytes]], status);
}

/** The same for each of several requests. A failure shows the name of its case. */
async function expectAllRefused(cases: [string, () => string][], status: number): Promise<void> {
  const before = await stored();
  for (const [name, bytes] of cases) await expectClosed(name, bytes(), status);
  // Commits go in order: earlier requests are stored before this one.
  await capture(endpoint.capture_url);
  expect(await stored()).toBe(before + 1);
}

async function expectClosed(name: string, bytes: string, status: number): Promise<void> {
  const smuggled = `GET ${hook}/smuggled HTTP/1.1\r\nhost: localhost\r\n\r\n`;
  const connection = await send(bytes + smuggled);
  await connection.closedByServer();
  expect([name, connection.statuses]).toEqual([name, [status]]);
  expect(connection.received, name).toMatch(/\r\nconnection: close\r\n/i);
  const body = connection.received.slice(connection.received.indexOf('\r\n\r\n') + 4);
  expect(JSON.parse(body), name).toEqual({
    error: expect.objectContaining({ code: expect.stringMatching(/^[a-z_]+$/) }),
  });
  expect(body, name).not.toMatch(/internal|\.ts:|node:/);
}

describe('framing', () => {
  const POST = (headers: string, body: string) => () =>
    `POST ${hook} HTTP/1.1\r\nhost: localhost\r\n${headers}\r\n\r\n${body}`;
  const CHUNKED = 'transfer-encoding: chunked';

  test('that is ambiguous or broken answers 400', async () => {
    await expectAllRefused(
      [
        ['length and chunks', POST(`content-length: 6\r\n${CHUNKED}`, '0\r\n\r\nX')],
        ['chunks and length', POST(`${CHUNKED}\r\ncontent-length: 6`, '0\r\n\r\nX')],
        ['two lengths', POST('content-length: 2\r\ncontent-length: 3', 'hi!')],
        ['the same length twice', POST('content-length: 2\r\ncontent-length: 2', 'hi')],
        ['a list of lengths', POST('content-length: 2, 2', 'hi')],
        ['a signed length', POST('content-length: +2', 'hi')],
        ['a negative length', POST('content-length: -2', 'hi')],
        ['a hexadecimal length', POST('content-length: 0x2', 'hi')],
        ['a length with a blank in it', POST('content-length: 2 2', 'hi')],
        ['an empty length', POST('content-length:', 'hi')],
        ['a length in words', POST('content-length: two', 'hi')],
        ['a length past 64 bits', POST('content-length: 18446744073709551618', 'hi')],
        ['a blank before the colon', POST('content-length : 2', 'hi')],
        ['chunks, a blank before the colon', POST('transfer-encoding : chunked', '0\r\n\r\n')],
        ['a chunk size that is none', POST(CHUNKED, 'zz\r\nhi\r\n0\r\n\r\n')],
        ['a signed chunk size', POST(CHUNKED, '+2\r\nhi\r\n0\r\n\r\n')],
        ['a negative chunk size', POST(CHUNKED, '-2\r\nhi\r\n0\r\n\r\n')],
        ['a chunk size with 0x', POST(CHUNKED, '0x2\r\nhi\r\n0\r\n\r\n')],
        ['a chunk size past 64 bits', POST(CHUNKED, '10000000000000002\r\nhi\r\n0\r\n\r\n')],
        ['an empty chunk size', POST(CHUNKED, '\r\nhi\r\n0\r\n\r\n')],
        ['a chunk longer than its size', POST(CHUNKED, '2\r\nhi!\r\n0\r\n\r\n')],
        ['a chunk size ended by LF', POST(CHUNKED, '2\nhi\r\n0\r\n\r\n')],
        ['a chunk ended by LF', POST(CHUNKED, '2\r\nhi\n0\r\n\r\n')],
        ['a chunk extension with LF', POST(CHUNKED, '2;a\nb\r\nhi\r\n0\r\n\r\n')],
        ['a chunk extension with CR', POST(CHUNKED, '2;a\rb\r\nhi\r\n0\r\n\r\n')],
        ['the last chunk ended by LF', POST(CHUNKED, '2\r\nhi\r\n0\n\n')],
      ],
      400,
    );
  });

  const coded = (coding: string): [string, () => string] => [
    coding,
    POST(`transfer-encoding: ${coding}`, '2\r\nhi\r\n0\r\n\r\n'),
  ];

  test('an unknown transfer coding answers 501, in one header or in two', async () => {
    const codings = ['gzip, chunked', 'gzip', 'identity', 'xchunked', 'chunked;q=1', '"chunked"'];
    const two = 'gzip\r\ntransfer-encoding: chunked';
    await expectAllRefused([...codings, 'deflate', two].map(coded), 501);
  });

  test('transfer codings that do not end in one chunked answer 400', async () => {
    await expectAllRefused(['chunked, chunked', 'chunked, identity'].map(coded), 400);
  });

  test('a transfer coding in HTTP/1.0, which has none, answers 400', async () => {
    const inOld = ([name, bytes]: [string, () => string]): [string, () => string] => [
      name,
      () => bytes().replace('HTTP/1.1\r\n', 'HTTP/1.0\r\nconnection: keep-alive\r\n'),
    ];
    await expectAllRefused(['chunked', 'gzip', 'identity'].map(coded).map(inOld), 400);
  });

  test('HTTP/1.0 with a length is captured', async () => {
    const before = await stored();
    const connection = await send(`POST ${hook} HTTP/1.0\r\ncontent-length: 2\r\n\r\nhi`);
    await connection.closedByServer();
    expect(connection.statuses).toEqual([200]);
    expect(await stored()).toBe(before + 1);
  });

  test('a sender’s bad request is not logged as an operator’s error', async () => {
    const logged = server.logged.length;
    await send(POST('transfer-encoding: gzip', '')());
    expect(errorsSince(logged)).toEqual([]);
  });

  test('the API refuses them alike', async () => {
    const { authorization } = account;
    const bytes = `POST /api/endpoints HTTP/1.1\r\nhost: localhost\r\nauthorization: ${authorization}\r\ntransfer-encoding: gzip, chunked\r\n\r\n0\r\n\r\n`;
    await expectRefused(bytes, 501);
    expect((await account.call('GET', '/api/endpoints')).json).toHaveLength(1);
  });
});

describe('lines', () => {
  const lines = (...all: string[]) => `${all.join('\r\n')}\r\n\r\n`;

  test('that are broken, or of another protocol, answer 400', async () => {
    await expectAllRefused(
      [
        ['all ended by LF', () => `GET ${hook} HTTP/1.1\nhost: localhost\n\n`],
        ['the request line ended by LF', () => `GET ${hook} HTTP/1.1\nhost: localhost\r\n\r\n`],
        ['a header ended by LF', () => lines(`GET ${hook} HTTP/1.1`, 'a: b\nhost: localhost')],
        ['a header ended by CR', () => lines(`GET ${hook} HTTP/1.1`, 'a: b\rhost: localhost')],
        ['the head ended by LF', () => `GET ${hook} HTTP/1.1\r\nhost: localhost\r\n\n`],
        ['CR in a value', () => lines(`GET ${hook} HTTP/1.1`, 'host: localhost', 'a: b\rc: d')],
        ['NUL in a value', () => lines(`GET ${hook} HTTP/1.1`, 'host: localhost', 'a: b\0c')],
        ['NUL in a name', () => lines(`GET ${hook} HTTP/1.1`, 'host: localhost', 'a\0: b')],
        ['NUL in the target', () => lines(`GET ${hook}/\0 HTTP/1.1`, 'host: localhost')],
        [
          'a control in a value',
          () => lines(`GET ${hook} HTTP/1.1`, 'host: localhost', 'a: \x1b[2J'),
        ],
        ['a folded header', () => lines(`GET ${hook} HTTP/1.1`, 'host: localhost', 'a: b', ' c')],
        [
          'a folded header, by tab',
          () => lines(`GET ${hook} HTTP/1.1`, 'host: localhost', 'a: b', '\tc'),
        ],
        ['a folded first header', () => lines(`GET ${hook} HTTP/1.1`, ' host: localhost')],
        ['a header without a colon', () => lines(`GET ${hook} HTTP/1.1`, 'host: localhost', 'abc')],
        ['a header without a name', () => lines(`GET ${hook} HTTP/1.1`, 'host: localhost', ': b')],
        ['a blank in a name', () => lines(`GET ${hook} HTTP/1.1`, 'host: localhost', 'a b: c')],
        ['a blank in the target', () => lines(`GET ${hook}/a b HTTP/1.1`, 'host: localhost')],
        [
          'a byte past ASCII in the target',
          () => lines(`GET ${hook}/\xe9 HTTP/1.1`, 'host: localhost'),
        ],
        ['no Host', () => lines(`GET ${hook} HTTP/1.1`, 'a: b')],
        ['HTTP/2.0', () => lines(`GET ${hook} HTTP/2.0`, 'host: localhost')],
        ['the preface of HTTP/2', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
        ['HTTP/1.2', () => lines(`GET ${hook} HTTP/1.2`, 'host: localhost')],
        ['HTTP/0.9', () => `GET ${hook}\r\n`],
        ['no version that is one', () => lines(`GET ${hook} HTTP/x.y`, 'host: localhost')],
        ['another protocol', () => lines(`GET ${hook} ICAP/1.0`, 'host: localhost')],
        ['a method in lower case', () => lines(`get ${hook} HTTP/1.1`, 'host: localhost')],
        ['a method nobody knows', () => lines(`FROBNICATE ${hook} HTTP/1.1`, 'host: localhost')],
        ['a TLS handshake', () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
      ],
      400,
    );
  });

  test('over 16 KiB answer 431', async () => {
    await expectAllRefused(
      [
        [
          'a header',
          () => lines(`GET ${hook} HTTP/1.1`, 'host: localhost', `a: ${'b'.repeat(16 * 1024)}`),
        ],
        [
          'many headers',
          () =>
            lines(
              `GET ${hook} HTTP/1.1`,
              'host: localhost',
              'abcdef: ghijkl\r\n'.repeat(1100).trim(),
            ),
        ],
        ['a path', () => lines(`GET ${hook}/${'a'.repeat(16 * 1024)} HTTP/1.1`, 'host: localhost')],
        [
          'a query',
          () => lines(`GET ${hook}?${'a'.repeat(16 * 1024)} HTTP/1.1`, 'host: localhost'),
        ],
        [
          'a target of the API',
          () => lines(`GET /api/${'a'.repeat(16 * 1024)} HTTP/1.1`, 'host: localhost'),
        ],
      ],
      431,
    );
  });

  test('just under 16 KiB is accepted', async () => {
    const before = await stored();
    const connection = await send(
      lines(
        `GET ${hook}/${'a'.repeat(15_000)} HTTP/1.1`,
        'host: localhost',
        `b: ${'c'.repeat(1000)}`,
      ),
    );
    expect(connection.statuses).toEqual([200]);
    expect(await stored()).toBe(before + 1);
  });
});

describe('an early end', () => {
  const ENDS: [string, () => string][] = [
    [
      'of a declared body',
      () => `POST ${hook} HTTP/1.1\r\nhost: localhost\r\ncontent-length: 10\r\n\r\n12345`,
    ],
    [
      'before any of it',
      () => `POST ${hook} HTTP/1.1\r\nhost: localhost\r\ncontent-length: 10\r\n\r\n`,
    ],
    [
      'between chunks',
      () =>
        `POST ${hook} HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n2\r\nhi\r\n`,
    ],
    [
      'in a chunk',
      () => `POST ${hook} HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n9\r\nhi`,
    ],
    [
      'before the last line',
      () =>
        `POST ${hook} HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n`,
    ],
    ['in the head', () => `POST ${hook} HTTP/1.1\r\nhost: localhost\r\ncontent-le`],
  ];

  test('stores nothing and gets no 2xx', async () => {
    const logged = server.logged.length;
    const before = await stored();
    for (const [name, bytes] of ENDS) {
      for (const end of ['fin', 'reset']) {
        const connection = await connect(server.port);
        connection.send(bytes());
        if (end === 'fin') connection.socket.end();
        else connection.socket.resetAndDestroy();
        await connection.closedByServer();
        expect([name, end, connection.statuses.filter((code) => code < 300)]).toEqual([
          name,
          end,
          [],
        ]);
      }
    }
    // A reset of our own closes at once. The connection after it is accepted
    // later, and commits go in order.
    await capture(endpoint.capture_url);
    expect(await stored()).toBe(before + 1);
    expect(errorsSince(logged)).toEqual([]);
  });
});

describe('too large a body', () => {
  test('declared answers 413 before it is sent', async () => {
    const before = await stored();
    const connection = await send(
      `POST ${hook} HTTP/1.1\r\nhost: localhost\r\ncontent-length: ${MAX_BODY + 1}\r\n\r\n`,
    );
    expect(connection.statuses).toEqual([413]);
    expect(connection.received).toContain('"payload_too_large"');
    await connection.closedByServer();
    expect(await stored()).toBe(before);
  });

  test('chunked without end answers 413, and no more of it is read', async () => {
    const before = await stored();
    const connection = await connect(server.port);
    connection.send(
      `POST ${hook} HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n`,
    );
    const chunk = Buffer.concat([
      Buffer.from('10000\r\n'),
      Buffer.alloc(65_536, 'a'),
      Buffer.from('\r\n'),
    ]);
    let sent = 0;
    // The sender goes on after the server has ended its side.
    connection.socket.allowHalfOpen = true;
    await new Promise<void>((resolve) => {
      const pour = () => {
        while (!connection.closed && connection.socket.write(chunk)) sent += chunk.length;
      };
      connection.socket.on('drain', pour);
      connection.socket.once('close', resolve);
      pour();
    });
    expect(connection.statuses).toEqual([413]);
    // Bytes that lingering reads, plus the sockets' buffers.
    expect(sent).toBeLessThan(32 * 1024 * 1024);
    expect(await stored()).toBe(before);
    const metrics = await callApi(server, 'GET', '/metrics');
    expect(metrics.text).toMatch(/^hookrelay_capture_bytes_in_flight 0$/m);
  });

  const whole = 'a'.repeat(MAX_BODY + 1);
  test('closes the connection, and nothing further on it is read', async () => {
    await expectAllRefused(
      [
        [
          'declared, and sent at once',
          () =>
            `POST ${hook} HTTP/1.1\r\nhost: localhost\r\ncontent-length: ${whole.length}\r\n\r\n${whole}`,
        ],
        [
          'in one chunk, to its end',
          () =>
            `POST ${hook} HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n${whole.length.toString(16)}\r\n${whole}\r\n0\r\n\r\n`,
        ],
        [
          'of an API call',
          () =>
            `POST /api/auth/login HTTP/1.1\r\nhost: localhost\r\ncontent-length: ${3 * whole.length}\r\n\r\n${whole.repeat(3)}`,
        ],
      ],
      413,
    );
  });

  test('is answered even to a sender that reads only after it has sent everything', async () => {
    for (const framing of [
      { 'content-length': String(MAX_BODY * 10) },
      { 'transfer-encoding': 'chunked' },
    ]) {
      const answer = await callApi(server, 'POST', hook, Buffer.alloc(MAX_BODY * 10), {
        headers: framing as Record<string, string>,
      });
      expect(answer.status).toBe(413);
      expect(answer.json.error.code).toBe('payload_too_large');
    }
  });

  test('does not include the limit itself', async () => {
    const before = await stored();
    expect((await callApi(server, 'POST', hook, Buffer.alloc(MAX_BODY))).status).toBe(200);
    expect(await stored()).toBe(before + 1);
  });
});

describe('sequential requests on a connection', () => {
  test('are separate', async () => {
    const before = await stored();
    const connection = await connect(server.port);
    connection.send(
      `POST ${hook}/1 HTTP/1.1\r\nhost: localhost\r\ncontent-length: 3\r\n\r\none` +
        `POST ${hook}/2 HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n3\r\ntwo\r\n0\r\n\r\n` +
        'GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n' +
        `GET ${hook}/3 HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n`,
    );
    await connection.closedByServer();
    expect(connection.statuses).toEqual([200, 200, 200, 200]);
    expect(await stored()).toBe(before + 3);
    const { data } = await account.list(endpoint, '?limit=3&view=summary');
    expect(data.map(({ path, size }) => [path, size])).toEqual([
      ['/3', 0],
      ['/2', 3],
      ['/1', 3],
    ]);
  });

  // All are read before the first is answered: a waiting answer has no socket yet.
  test('get their own answers, including errors', async () => {
    const connection = await connect(server.port);
    const bearer = `authorization: ${account.authorization}\r\n`;
    connection.send(
      `POST ${hook} HTTP/1.1\r\nhost: localhost\r\ncontent-length: 3\r\n\r\none` +
        'GET /api/me HTTP/1.1\r\nhost: localhost\r\n\r\n' +
        'POST /in/nobody HTTP/1.1\r\nhost: localhost\r\ncontent-length: 3\r\n\r\ntwo' +
        `GET /api/endpoints/x HTTP/1.1\r\nhost: localhost\r\n${bearer}\r\n` +
        'GET /api/nothing HTTP/1.1\r\nhost: localhost\r\n\r\n' +
        'PUT /healthz HTTP/1.1\r\nhost: localhost\r\ncontent-length: 0\r\n\r\n' +
        `GET /api/me HTTP/1.1\r\nhost: localhost\r\n${bearer}connection: close\r\n\r\n`,
    );
    await connection.closedByServer();
    expect(connection.statuses).toEqual([200, 401, 404, 404, 404, 405, 200]);
    const codes = [...connection.received.matchAll(/"error":\{"code":"(\w+)"/g)].map((m) => m[1]);
    expect(codes).toEqual([
      'missing_token',
      'endpoint_not_found',
      'endpoint_not_found',
      'not_found',
      'method_not_allowed',
    ]);
    expect(connection.received).toContain(account.email);
  });

  test('are stored and answered up to the first bad one', async () => {
    const before = await stored();
    const connection = await connect(server.port);
    connection.send(`GET ${hook}/good HTTP/1.1\r\nhost: localhost\r\n\r\nBAD\r\n\r\n`);
    await connection.closedByServer();
    expect(connection.statuses).toEqual([200, 400]);
    expect(await stored()).toBe(before + 1);
  });
});

test('in the end nothing is in flight', async () => {
  const { text } = await callApi(server, 'GET', '/metrics');
  expect(text).toMatch(/^hookrelay_capture_bytes_in_flight 0$/m);
});
