import { getEventListeners, once } from 'node:events';
import net from 'node:net';
import { performance } from 'node:perf_hooks';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { RESPONSE_BODY_MAX_BYTES } from '../../../src/delivery/transports/webhook/attempt.ts';
import { ResponseParser } from '../../../src/delivery/transports/webhook/connection/response-parser.ts';
import { until } from '../../fixtures/until.ts';
import {
  answering,
  attempts,
  dnsError,
  lookupAnswering,
  OK,
  post,
  type Receiver,
  receiver,
} from '../receivers.ts';

/** Calls `then` when the client has read a piece of a response and passed it on. */
function onRead(then: () => void): void {
  const { read } = ResponseParser.prototype;
  const spied = vi.spyOn(ResponseParser.prototype, 'read').mockImplementation(function (
    this: ResponseParser,
    chunk,
  ) {
    read.call(this, chunk);
    setImmediate(then);
  });
  onTestFinished(() => spied.mockRestore());
}

/** Long enough for a local exchange, short enough to wait for. */
const SHORT_MS = 150;

describe('the request', () => {
  it('is sent as given', async () => {
    const target = await answering(OK);
    const outcome = await attempts()(
      post(target.origin, {
        path: '/h/%zz"<>\x80\xff?a=#&b',
        headers: ['X-Case', 'a\xe9\xff', 'x-case', '2', 'X-Case', ''],
        body: Buffer.from([0xff, 0xfe, 0]),
      }),
    );
    expect(target.received).toBe(
      `POST /h/%zz"<>\x80\xff?a=#&b HTTP/1.1\r\nhost: 127.0.0.1:${target.port}\r\n` +
        'connection: keep-alive\r\nX-Case: a\xe9\xff\r\nx-case: 2\r\nX-Case: \r\n' +
        'content-length: 3\r\n\r\n\xff\xfe\x00',
    );
    expect(outcome).toEqual({
      responseCode: 200,
      responseHeaders: [['content-length', '2']],
      responseBody: 'ok',
      responseTruncated: false,
      durationMs: expect.any(Number),
      error: null,
      retryAfterMs: null,
      timedOut: false,
      wasStale: false,
      wasSent: true,
    });
    expect(Number.isInteger(outcome?.durationMs)).toBe(true);
  });

  it.each(['GET', 'DELETE', 'OPTIONS', 'HEAD', 'PUT', 'REPORT'])(
    'can have a body with %s',
    async (method) => {
      const target = await answering(OK);
      const attempt = attempts();
      expect((await attempt(post(target.origin, { method })))?.responseCode).toBe(200);
      expect((await attempt(post(target.origin, { method })))?.responseCode).toBe(200);
      expect(target.received.match(/content-length: 5\r\n\r\nhello/g)).toHaveLength(2);
    },
  );

  it.each([
    ['POST', true],
    ['PUT', true],
    ['GET', false],
    ['DELETE', false],
  ])('can go without a body with %s', async (method, saysSo) => {
    const target = await answering(OK);
    await attempts()(post(target.origin, { method, body: Buffer.alloc(0) }));
    expect(target.received.includes('content-length: 0')).toBe(saysSo);
    expect(target.received.includes('transfer-encoding')).toBe(false);
  });

  it('reuses connections', async () => {
    const target = await answering(OK);
    const attempt = attempts();
    for (let i = 0; i < 20; i++) await attempt(post(target.origin));
    // Two connections take turns when requests follow each other immediately: a
    // connection rests for one turn of the event loop before its next use.
    expect(target.connections).toBeLessThanOrEqual(2);
  });
});

describe("an answer's headers", () => {
  it('are kept as they came: order, case, duplicates, bytes', async () => {
    const lines = 'Set-Cookie: a=1\r\nServer: caf\xc3\xa9\r\nset-cookie: b=2\r\nX-Empty:\r\n';
    const target = await answering(
      `HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\n${lines}Content-Length: 0\r\n\r\n`,
    );
    const outcome = await attempts()(post(target.origin));
    expect(outcome?.responseHeaders).toEqual([
      ['Set-Cookie', 'a=1'],
      ['Server', 'caf\xc3\xa9'],
      ['set-cookie', 'b=2'],
      ['X-Empty', ''],
      ['Content-Length', '0'],
    ]);
  });

  it('are there when only the body fails', async () => {
    const target = await answering(
      'HTTP/1.1 500 Oops\r\nServer: x\r\nContent-Length: 9\r\n\r\nhalf',
    );
    const outcome = await attempts()(post(target.origin), { timeoutMs: SHORT_MS });
    expect(outcome).toMatchObject({ responseCode: 500, error: { code: 'timeout' } });
    expect(outcome?.responseHeaders).toContainEqual(['Server', 'x']);
  });

  it('are null without a response', async () => {
    const { lookup } = lookupAnswering(dnsError('ENOTFOUND'));
    const outcome = await attempts({ lookup })(post('https://gone.example'));
    expect(outcome).toMatchObject({ responseCode: null, responseHeaders: null });
  });
});

describe('without a connection', () => {
  it('a refused connection is named', async () => {
    const closed = await new Promise<number>((resolve) => {
      import('node:net').then((net) => {
        const server = net.createServer().listen(0, '127.0.0.1', () => {
          const { port } = server.address() as { port: number };
          server.close(() => resolve(port));
        });
      });
    });
    const outcome = await attempts()(post(`http://127.0.0.1:${closed}`));
    expect(outcome).toMatchObject({
      responseCode: null,
      responseBody: null,
      responseTruncated: false,
      error: { code: 'connect_refused', message: 'The connection was refused.' },
      timedOut: false,
    });
  });

  it('a connection refused by every address is named', async () => {
    const { lookup } = lookupAnswering(['127.0.0.1', '::1']);
    const target = await answering(OK);
    const attempt = attempts({ lookup });
    // Nothing listens on port 1.
    expect((await attempt(post('http://all.example:1')))?.error?.code).toBe('connect_refused');
    // Only the first of these addresses listens; the order must not matter.
    const mixed = attempts({ lookup: lookupAnswering(['::1', '127.0.0.1']).lookup });
    expect((await mixed(post(`http://one.example:${target.port}`)))?.responseCode).toBe(200);
  });

  it.each(['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL'])('the DNS error %s is named', async (code) => {
    for (const allowPrivate of [true, false]) {
      const { lookup } = lookupAnswering(dnsError(code));
      const outcome = await attempts({ allowPrivate, lookup })(post('https://gone.example'));
      expect(outcome?.error?.code).toBe('dns_error');
    }
  });

  it('a name without an address is named', async () => {
    const { lookup } = lookupAnswering([]);
    const outcome = await attempts({ allowPrivate: false, lookup })(post('https://empty.example'));
    expect(outcome?.error?.code).toBe('dns_error');
  });

  it('hanging DNS ends at the deadline', async () => {
    const attempt = attempts({ lookup: () => {}, connectTimeoutMs: SHORT_MS });
    const outcome = await attempt(post('https://slow.example'), { timeoutMs: SHORT_MS });
    expect(outcome).toMatchObject({ error: { code: 'timeout' }, timedOut: true });
    expect(outcome?.error?.message).toBe(`No connection after ${SHORT_MS} ms.`);
    expect(outcome?.durationMs).toBeLessThan(SHORT_MS + 2000);
  });

  it('the deadline holds while the agent still connects', async () => {
    const attempt = attempts({ lookup: () => {}, connectTimeoutMs: 60_000 });
    const outcome = await attempt(post('https://slow.example'), { timeoutMs: SHORT_MS });
    expect(outcome).toMatchObject({ error: { code: 'timeout' }, timedOut: true });
  });

  it("the request's own bound on connecting replaces the agent's", async () => {
    const attempt = attempts({ lookup: () => {}, connectTimeoutMs: 60_000 });
    const bounded = post('https://slow.example', { connectTimeoutMs: SHORT_MS });
    const outcome = await attempt(bounded, { timeoutMs: 30_000 });
    expect(outcome).toMatchObject({
      error: { code: 'timeout', message: 'The connection was not made in time.' },
      wasSent: false,
    });
    const longer = attempts({ lookup: () => {}, connectTimeoutMs: 1 });
    const patient = post('https://slow.example', { connectTimeoutMs: 30_000 });
    const late = await longer(patient, { timeoutMs: SHORT_MS });
    expect(late?.error?.message).toBe(`No connection after ${SHORT_MS} ms.`);
  });

  it('the deadline holds while the request waits for a connection', async () => {
    const target = await receiver(() => {});
    const attempt = attempts({ maxConnectionsPerOrigin: 1 });
    const outcomes = await Promise.all([
      attempt(post(target.origin), { timeoutMs: SHORT_MS }),
      attempt(post(target.origin), { timeoutMs: SHORT_MS / 2 }),
    ]);
    expect(outcomes.map((outcome) => outcome?.error?.message)).toEqual([
      `No response after ${SHORT_MS} ms.`,
      `No connection after ${SHORT_MS / 2} ms.`,
    ]);
    await until('the first request is read', () => /POST/.test(target.received));
    // The given-up request is not sent at its turn.
    expect(target.received.match(/POST/g)).toHaveLength(1);
  });
});

describe('a slow receiver', () => {
  it('without any response ends at the deadline', async () => {
    const target = await receiver(() => {});
    const outcome = await attempts()(post(target.origin), { timeoutMs: SHORT_MS });
    expect(outcome).toMatchObject({
      responseCode: null,
      error: { code: 'timeout', message: `No response after ${SHORT_MS} ms.` },
      timedOut: true,
    });
    expect(outcome?.durationMs).toBeGreaterThanOrEqual(SHORT_MS - 2);
    expect(outcome?.durationMs).toBeLessThan(SHORT_MS + 2000);
  });

  const drip = (head: string, piece: () => string) =>
    receiver((socket) => {
      socket.write(head);
      const timer = setInterval(() => socket.write(piece()), 10);
      socket.on('close', () => clearInterval(timer));
    });

  it('that drips headers ends at the deadline', async () => {
    let n = 0;
    const target = await drip('HTTP/1.1 200 OK\r\n', () => `x-${n++}: 1\r\n`);
    const outcome = await attempts()(post(target.origin), { timeoutMs: SHORT_MS });
    expect(outcome).toMatchObject({ responseCode: null, error: { code: 'timeout' } });
  });

  it('that sends endless 1xx ends at the deadline', async () => {
    const target = await drip('', () => 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n');
    const outcome = await attempts()(post(target.origin), { timeoutMs: SHORT_MS });
    expect(outcome).toMatchObject({ responseCode: null, error: { code: 'timeout' } });
  });

  it('that drips the body of a 200 is a success with a truncated body', async () => {
    const target = await drip('HTTP/1.1 200 OK\r\ncontent-length: 9999\r\n\r\n', () => 'x');
    const outcome = await attempts()(post(target.origin), { timeoutMs: SHORT_MS });
    expect(outcome).toMatchObject({
      responseCode: 200,
      responseTruncated: true,
      error: null,
      timedOut: true,
    });
    expect(outcome?.responseBody).toMatch(/^x+$/);
    expect(outcome?.durationMs).toBeLessThan(SHORT_MS + 2000);
  });

  it('that drips the body of a 500 has its status and the reason', async () => {
    const target = await drip('HTTP/1.1 500 No\r\ncontent-length: 9999\r\n\r\n', () => 'x');
    const outcome = await attempts()(post(target.origin), { timeoutMs: SHORT_MS });
    expect(outcome).toMatchObject({
      responseCode: 500,
      responseTruncated: true,
      error: { code: 'timeout', message: `The response was not complete after ${SHORT_MS} ms.` },
      timedOut: true,
    });
  });
});

describe('a receiver that breaks off', () => {
  const ending = (head: string, how: 'end' | 'resetAndDestroy') =>
    receiver((socket) => {
      socket.once('data', () => socket.write(head, () => socket[how]()));
    });

  /** Acts once the client has the earlier bytes: a reset discards unread ones. */
  const endingInBody = (start: string, how: 'end' | 'resetAndDestroy') => {
    let end = () => {};
    onRead(() => end());
    return receiver((socket) => {
      end = () => void socket[how]();
      socket.once('data', () => socket.write(start));
    });
  };

  it.each(['end', 'resetAndDestroy'] as const)(
    'before the response (%s) is a reset',
    async (how) => {
      const target = await ending('', how);
      const outcome = await attempts()(post(target.origin));
      expect(outcome).toMatchObject({ responseCode: null, error: { code: 'reset' } });
    },
  );

  it.each(['end', 'resetAndDestroy'] as const)('in the headers (%s) is a reset', async (how) => {
    const target = await ending('HTTP/1.1 200 OK\r\nx-a', how);
    const outcome = await attempts()(post(target.origin));
    expect(outcome).toMatchObject({ responseCode: null, responseBody: null });
    expect(['reset', 'invalid_response']).toContain(outcome?.error?.code);
  });

  it.each(['end', 'resetAndDestroy'] as const)(
    'in the body of a 2xx (%s) is a success',
    async (how) => {
      const target = await endingInBody('HTTP/1.1 201 OK\r\ncontent-length: 99\r\n\r\npart', how);
      const outcome = await attempts()(post(target.origin));
      expect(outcome).toMatchObject({
        responseCode: 201,
        responseBody: 'part',
        responseTruncated: true,
        error: null,
        timedOut: false,
      });
    },
  );

  it('in the body of a 500 has its status and the reason', async () => {
    const target = await endingInBody('HTTP/1.1 500 No\r\ncontent-length: 99\r\n\r\npart', 'end');
    expect(await attempts()(post(target.origin))).toMatchObject({
      responseCode: 500,
      responseBody: 'part',
      responseTruncated: true,
      error: { code: 'reset' },
    });
  });

  it('at the end of a body without a length ends that body', async () => {
    const target = await endingInBody('HTTP/1.1 200 OK\r\n\r\nall of it', 'end');
    expect(await attempts()(post(target.origin))).toMatchObject({
      responseCode: 200,
      responseBody: 'all of it',
      responseTruncated: false,
    });
  });

  it('with a broken chunk after a 2xx is a success', async () => {
    const target = await ending(
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\nzz\r\n',
      'end',
    );
    expect(await attempts()(post(target.origin))).toMatchObject({
      responseCode: 200,
      responseBody: 'ok',
      responseTruncated: true,
      error: null,
    });
  });
});

describe('an invalid response', () => {
  it.each([
    ['garbage', 'SSH-2.0-OpenSSH_9.9\r\n'],
    ['HTTP/0.9', '<html>hello</html>\r\n\r\n'],
    [
      'Content-Length and Transfer-Encoding',
      ['HTTP/1.1 200 OK', 'content-length: 5', 'transfer-encoding: chunked', '', '0', '', ''].join(
        '\r\n',
      ),
    ],
    ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nok'],
    [
      'a 20 KB header',
      `HTTP/1.1 200 OK\r\nx-big: ${'a'.repeat(20_000)}\r\ncontent-length: 0\r\n\r\n`,
    ],
    [
      'many headers',
      `HTTP/1.1 200 OK\r\n${'x-some: header\r\n'.repeat(2000)}content-length: 0\r\n\r\n`,
    ],
    ['an upgrade', 'HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'],
  ])('%s', async (_what, response) => {
    const target = await answering(response);
    const outcome = await attempts()(post(target.origin));
    expect(outcome).toMatchObject({
      responseCode: null,
      responseBody: null,
      error: { code: 'invalid_response' },
      timedOut: false,
    });
  });
});

describe('the response', () => {
  it.each([301, 302, 303, 307, 308])('with a %i is not followed', async (status) => {
    const elsewhere = await answering(OK);
    const target = await answering(
      `HTTP/1.1 ${status} Moved\r\nlocation: ${elsewhere.origin}/\r\ncontent-length: 0\r\n\r\n`,
    );
    const outcome = await attempts()(post(target.origin));
    expect(outcome).toMatchObject({ responseCode: status, error: null, responseBody: '' });
    expect(elsewhere.connections).toBe(0);
    expect(target.received.match(/POST/g)).toHaveLength(1);
  });

  it.each<[string, (self: Receiver) => string]>([
    ['to itself', ({ origin }) => `${origin}/hook`],
    ['to itself, by its path', () => '/hook'],
    ['to the cloud’s metadata', () => 'http://169.254.169.254/latest/meta-data/'],
    ['to nowhere', () => 'http://['],
  ])('that leads %s is not followed', async (_where, location) => {
    const target: Receiver = await receiver((socket) => {
      socket.on('data', () => {
        socket.write(
          `HTTP/1.1 302 Found\r\nlocation: ${location(target)}\r\ncontent-length: 0\r\n\r\n`,
        );
      });
    });
    const { connect } = net;
    const opened = vi.spyOn(net, 'connect');
    onTestFinished(() => opened.mockRestore());
    opened.mockImplementation(((options: net.TcpNetConnectOpts) => {
      // If the redirect were followed, no request may leave this machine.
      if (options.host !== '127.0.0.1') throw new Error(`it connects to ${options.host}`);
      return connect(options);
    }) as typeof net.connect);
    const outcome = await attempts()(post(target.origin));
    expect(outcome).toMatchObject({ responseCode: 302, error: null, timedOut: false });
    expect(target.received.match(/POST/g)).toHaveLength(1);
    expect(opened).toHaveBeenCalledTimes(1);
  });

  it('may come after 2,000 × 103', async () => {
    const hint = 'HTTP/1.1 103 Early Hints\r\nlink: </style.css>; rel=preload\r\n\r\n';
    const target = await answering(hint.repeat(2000) + OK);
    expect(await attempts()(post(target.origin))).toMatchObject({ responseCode: 200 });
  });

  it.each([
    ['in the same packet', (first: string, second: string) => [first + second]],
    ['right behind', (first: string, second: string) => [first, second]],
  ])('that comes unrequested %s does not reach the next attempt', async (_when, packets) => {
    const solicited = (n: number) => `HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nown${n}`;
    const extra = 'HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nextra';
    let n = 0;
    const target = await receiver((socket) => {
      socket.setNoDelay(true);
      socket.on('data', () => {
        for (const packet of packets(solicited(n++), extra)) socket.write(packet);
      });
    });
    const attempt = attempts({ maxConnectionsPerOrigin: 1 });
    for (let i = 0; i < 4; i++) {
      const outcome = await attempt(post(target.origin));
      expect(outcome?.responseBody).toBe(`own${i}`);
    }
  });

  it('that comes on an idle connection closes it', async () => {
    const sockets: net.Socket[] = [];
    const target = await receiver((socket) => {
      sockets.push(socket);
      socket.once('data', () => socket.write(OK));
    });
    const attempt = attempts();
    expect((await attempt(post(target.origin)))?.responseCode).toBe(200);
    const [idle] = sockets as [net.Socket];
    idle.write(OK.replace('200', '500'));
    await once(idle, 'close');
    expect((await attempt(post(target.origin)))?.responseCode).toBe(200);
    expect(target.connections).toBe(2);
  });

  it('is not decompressed', async () => {
    const bomb = gzipSync(Buffer.alloc(10 * 1024 * 1024));
    const head = `HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`;
    const target = await answering(head + bomb.toString('latin1'));
    const outcome = await attempts()(post(target.origin));
    expect(outcome).toMatchObject({ responseCode: 200, error: null });
    expect(outcome?.responseBody?.slice(0, 1)).toBe('\x1f');
    expect(outcome?.responseBody?.length).toBeLessThanOrEqual(RESPONSE_BODY_MAX_BYTES);
  });

  it('without end is read up to the cap, and the connection is closed', async () => {
    let written = 0;
    const closed = Promise.withResolvers<void>();
    const chunk = `1000\r\n${'x'.repeat(4096)}\r\n`;
    const target = await receiver((socket) => {
      const pump = () => {
        while (!socket.destroyed && socket.write(chunk)) written += chunk.length;
      };
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
        pump();
      });
      socket.on('drain', pump);
      socket.on('close', () => closed.resolve());
    });
    const outcome = await attempts()(post(target.origin));
    expect(outcome).toMatchObject({
      responseCode: 200,
      responseBody: 'x'.repeat(RESPONSE_BODY_MAX_BYTES),
      responseTruncated: true,
      error: null,
      timedOut: false,
    });
    await closed.promise;
    // The sockets buffered these bytes; the client read no further.
    expect(written).toBeLessThan(16 * 1024 * 1024);
  });

  const withBody = (body: Buffer, status = 200) =>
    answering(
      `HTTP/1.1 ${status} OK\r\ncontent-length: ${body.length}\r\n\r\n${body.toString('latin1')}`,
    );

  it.each([
    [RESPONSE_BODY_MAX_BYTES - 1, false],
    [RESPONSE_BODY_MAX_BYTES, false],
    [RESPONSE_BODY_MAX_BYTES + 1, true],
    [1024 * 1024, true],
  ])('of %i bytes is truncated: %s', async (size, truncated) => {
    const target = await withBody(Buffer.alloc(size, 'x'), 500);
    const outcome = await attempts()(post(target.origin));
    expect(outcome?.responseBody).toHaveLength(Math.min(size, RESPONSE_BODY_MAX_BYTES));
    expect(outcome).toMatchObject({ responseTruncated: truncated, error: null });
  });

  it('cut inside a character loses that character', async () => {
    const target = await withBody(Buffer.from(`\ufeffx${'é'.repeat(RESPONSE_BODY_MAX_BYTES)}`));
    const outcome = await attempts()(post(target.origin));
    expect(outcome?.responseBody).toBe(`\ufeffx${'é'.repeat(RESPONSE_BODY_MAX_BYTES / 2 - 2)}`);
  });

  it('that is not UTF-8 is kept as far as possible', async () => {
    const target = await withBody(Buffer.from('a\xff\x00b', 'latin1'));
    expect((await attempts()(post(target.origin)))?.responseBody).toBe('a\ufffd\x00b');
  });

  it('to HEAD, or with 204, has no body', async () => {
    const target = await answering('HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n');
    const empty = await answering('HTTP/1.1 204 No Content\r\n\r\n');
    const attempt = attempts();
    const head = { method: 'HEAD', body: Buffer.alloc(0) };
    expect(await attempt(post(target.origin, head))).toMatchObject({
      responseCode: 200,
      responseBody: '',
      responseTruncated: false,
    });
    expect(await attempt(post(empty.origin))).toMatchObject({
      responseCode: 204,
      responseBody: '',
    });
  });

  it.each([
    ['retry-after: 7\r\n', 7000],
    ['Retry-After: 1000000000\r\n', 86_400_000],
    ['retry-after: -7\r\n', null],
    ['retry-after: soon\r\n', null],
    ['retry-after: 5\r\nretry-after: 9\r\n', 5000],
    ['', null],
  ])('%j', async (header, retryAfterMs) => {
    const target = await answering(`HTTP/1.1 503 Busy\r\n${header}content-length: 0\r\n\r\n`);
    expect(await attempts()(post(target.origin))).toMatchObject({
      responseCode: 503,
      retryAfterMs,
    });
  });

  it('that comes while the body is still being sent counts', async () => {
    const body = Buffer.alloc(8 * 1024 * 1024);
    const target = await receiver((socket) => {
      socket.pause();
      socket.end('HTTP/1.1 413 Too Large\r\nconnection: close\r\ncontent-length: 3\r\n\r\nbig');
      setTimeout(() => socket.resume(), 50);
    });
    expect(await attempts()(post(target.origin, { body }))).toMatchObject({
      responseCode: 413,
      responseBody: 'big',
    });
  });
});

describe('a drain', () => {
  it('before the attempt sends no request', async () => {
    const target = await answering(OK);
    expect(await attempts()(post(target.origin), { signal: AbortSignal.abort() })).toBeNull();
    expect(target.connections).toBe(0);
  });

  it('while waiting for the response gives no outcome and closes the connection', async () => {
    const drain = new AbortController();
    const target = await receiver((socket) => socket.once('data', () => drain.abort()));
    expect(await attempts()(post(target.origin), { signal: drain.signal })).toBeNull();
  });

  it('while connecting gives no outcome, at once', async () => {
    const drain = new AbortController();
    const lookup = () => drain.abort();
    const attempt = attempts({ lookup, connectTimeoutMs: 60_000 });
    expect(await attempt(post('https://slow.example'), { signal: drain.signal })).toBeNull();
  });

  it('in the body keeps the status', async () => {
    const drain = new AbortController();
    const target = await receiver((socket) => {
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\npart');
      });
    });
    onRead(() => drain.abort());
    expect(await attempts()(post(target.origin), { signal: drain.signal })).toMatchObject({
      responseCode: 200,
      responseBody: 'part',
      responseTruncated: true,
      error: null,
      timedOut: false,
    });
  });

  it('by destroying the agent gives no outcome either', async () => {
    const attempt = attempts({ lookup: () => {} });
    const target = await receiver((socket) => socket.once('data', () => void attempt.destroy()));
    const startedAt = performance.now();
    const outcomes = await Promise.all([
      attempt(post(target.origin)),
      attempt(post('https://slow.example')),
    ]);
    expect(outcomes).toEqual([null, null]);
    expect(performance.now() - startedAt).toBeLessThan(2000);
    expect(await attempt(post(target.origin))).toBeNull();
  });

  it('leaves no listener on the signal', async () => {
    const { signal } = new AbortController();
    const target = await answering(OK);
    const attempt = attempts();
    await Promise.all(Array.from({ length: 50 }, () => attempt(post(target.origin), { signal })));
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });
});

it('a request that HTTP/1.1 cannot carry is an error of the attempt, not an exception', async () => {
  const target = await answering(OK);
  const attempt = attempts();
  const outcome = await attempt(post(target.origin, { headers: ['x-a', 'a\r\nb'] }));
  expect(outcome).toMatchObject({ responseCode: null, error: { code: 'unknown' } });
  expect((await attempt(post(target.origin, { method: 'NO WAY' })))?.error?.code).toBe('unknown');
});
