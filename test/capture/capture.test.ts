import { randomBytes } from 'node:crypto';
import http from 'node:http';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import type { EndpointAnswer } from '../../src/api/endpoints/endpoint-answer.ts';
import { type Account, callApi, capture, expectStatus, register } from '../fixtures/account.ts';
import { type Answer, request } from '../fixtures/http-request.ts';
import { failOnLeaks } from '../fixtures/leaks.ts';
import { connect } from '../fixtures/raw-connection.ts';
import { runServer, serverOfFile, type TestServer } from '../fixtures/running-server.ts';
import { until } from '../fixtures/until.ts';

failOnLeaks();
const server = serverOfFile();

let account: Account;
let endpoint: EndpointAnswer;

beforeAll(async () => {
  account = await register(server);
  endpoint = await account.createEndpoint();
});

const MiB = 1024 * 1024;

/** The bytes of an event's body as they are stored. */
async function rawBody(eventId: string, of: EndpointAnswer = endpoint): Promise<Buffer> {
  const path = `/api/endpoints/${of.id}/events/${eventId}/raw`;
  const answer = await account.call('GET', path);
  expectStatus(200, answer);
  return answer.body;
}

/** Headers of every answer from a capture URL. */
function expectCaptureHeaders({ headers }: Pick<Answer, 'headers'>): void {
  expect(headers['access-control-allow-origin']).toBe('*');
  expect(headers['access-control-allow-methods']).toBe('*');
  expect(headers['access-control-allow-headers']).toBe('*');
  expect(headers['content-security-policy']).toMatch(/\bsandbox\b/);
  expect(headers['x-content-type-options']).toMatch(/^nosniff/);
}

const METHODS = http.METHODS.filter((method) => method !== 'CONNECT' && method !== 'TRACE');

describe('methods', () => {
  test.each(METHODS)('%s is captured, with a body and without', async (method) => {
    for (const body of ['{"a":1}', undefined]) {
      const answer = await request(`${endpoint.capture_url}/sub`, {
        method,
        ...(body !== undefined && { body }),
      });
      expect(answer.status).toBe(200);
      expectCaptureHeaders(answer);
      const eventId = answer.headers['x-hookrelay-event-id'] as string;
      if (method === 'HEAD') expect(answer.body).toHaveLength(0);
      else expect(answer.json).toEqual({ received: true, event_id: eventId });
      const event = await account.event(endpoint, eventId);
      expect(event).toMatchObject({ method, path: '/sub', body: body ? { a: 1 } : null });
    }
  });
});

describe('a stored event', () => {
  test('has sub-path and query as they came', async () => {
    for (const [path, query] of [
      ['', ''],
      ['/', ''],
      ['/a/b//c', 'x=1&x=2&y'],
      ['/%2F%zz', 'a=%zz&b=%00'],
      ['', 'only'],
    ] as const) {
      const url = `${endpoint.capture_url}${path}${query && `?${query}`}`;
      expect(await account.event(endpoint, await capture(url))).toMatchObject({ path, query });
    }
  });

  test('has headers in order, with case and duplicates', async () => {
    const connection = await connect(server.port);
    connection.send(
      `POST /in/${endpoint.public_token} HTTP/1.1\r\nHOST: x\r\nX-One: 1\r\nx-one: 2\r\n` +
        'X-ONE:   3  \r\nEmpty:\r\n__proto__: p\r\nconstructor: c\r\ncookie: a=b\r\ncookie: c=d\r\n' +
        'Content-Type: text/x; a="b"\r\nX-Latin: \xe9\xff\r\ncontent-length: 0\r\n\r\n',
    );
    await connection.status();
    const id = /x-hookrelay-event-id: (\S+)/.exec(connection.received)?.[1] as string;
    const event = await account.event(endpoint, id);
    expect(event.raw_headers).toEqual([
      ['HOST', 'x'],
      ['X-One', '1'],
      ['x-one', '2'],
      ['X-ONE', '3'],
      ['Empty', ''],
      ['__proto__', 'p'],
      ['constructor', 'c'],
      ['cookie', 'a=b'],
      ['cookie', 'c=d'],
      ['Content-Type', 'text/x; a="b"'],
      ['X-Latin', '\xe9\xff'],
      ['content-length', '0'],
    ]);
    const own = Object.entries(event.headers);
    expect(own).toEqual([
      ['host', 'x'],
      ['x-one', '1, 2, 3'],
      ['empty', ''],
      ['__proto__', 'p'],
      ['constructor', 'c'],
      ['cookie', 'a=b, c=d'],
      ['content-type', 'text/x; a="b"'],
      ['x-latin', '\xe9\xff'],
      ['content-length', '0'],
    ]);
    expect(event.content_type).toBe('text/x; a="b"');
  });

  test.each<[string, Buffer]>([
    ['nothing', Buffer.alloc(0)],
    ['one NUL', Buffer.alloc(1)],
    ['every byte', Buffer.from(Array.from({ length: 256 }, (_, i) => i))],
    ['random bytes', randomBytes(100_000)],
    ['gzip', gzipSync('{"compressed": true}')],
    ['line ends of every kind', Buffer.from('a\r\nb\nc\rd\u2028e')],
    ['what looks like a request', Buffer.from('GET / HTTP/1.1\r\n\r\n0\r\n\r\n')],
    ['a byte order mark', Buffer.from('\ufeff{}')],
  ])('has the bytes: %s', async (_name, body) => {
    for (const headers of [{}, { 'transfer-encoding': 'chunked' }]) {
      const id = await capture(endpoint.capture_url, body, {
        headers: { ...headers, 'content-encoding': 'gzip', 'content-type': 'application/json' },
      });
      expect((await rawBody(id)).equals(body)).toBe(true);
      expect((await account.event(endpoint, id)).size).toBe(body.length);
    }
  });

  test('has a chunked body of many pieces, with extensions and trailers', async () => {
    const connection = await connect(server.port);
    connection.send(
      `POST /in/${endpoint.public_token} HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n`,
    );
    for (const piece of ['1;a=b\r\n{\r\n', '3;c="d"\r\n"a"\r\n', '1\r\n:\r\n', '2\r\n1', '}\r\n']) {
      connection.send(piece);
      await new Promise(setImmediate);
    }
    connection.send('0\r\nX-Trailer: t\r\n\r\n');
    expect(await connection.status()).toBe(200);
    const id = /x-hookrelay-event-id: (\S+)/.exec(connection.received)?.[1] as string;
    expect((await rawBody(id)).toString()).toBe('{"a":1}');
  });

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=b',
    'image/png',
    'application/xml',
    'not a type',
    '',
  ])('has a body of any content type: %j', async (type) => {
    const id = await capture(endpoint.capture_url, 'a=b', { headers: { 'content-type': type } });
    expect(await account.event(endpoint, id)).toMatchObject({ content_type: type, body: 'a=b' });
  });

  test('has up to 25 MiB, and not a byte more', async () => {
    const body = randomBytes(25 * MiB);
    const id = await capture(endpoint.capture_url, body);
    const stored = await rawBody(id);
    expect(stored.equals(body)).toBe(true);
    const before = (await account.list(endpoint)).total;
    const over = Buffer.concat([body, Buffer.of(0)]);
    for (const headers of [{}, { 'transfer-encoding': 'chunked' }]) {
      const refused = await request(endpoint.capture_url, { method: 'POST', body: over, headers });
      expect(refused.status).toBe(413);
      expect(refused.json.error.code).toBe('payload_too_large');
      expectCaptureHeaders(refused);
    }
    expect((await account.list(endpoint)).total).toBe(before);
  });

  test('has the sender’s address, the time and the size', async () => {
    const before = Date.now();
    const event = await account.event(endpoint, await capture(endpoint.capture_url, 'four'));
    expect(event).toMatchObject({ source_ip: '127.0.0.1', size: 4 });
    expect(Date.parse(event.received_at)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(event.received_at)).toBeLessThanOrEqual(Date.now());
  });

  test('can be a request that offers an upgrade', async () => {
    const connection = await connect(server.port);
    connection.send(
      `POST /in/${endpoint.public_token} HTTP/1.1\r\nhost: x\r\nconnection: Upgrade, HTTP2-Settings\r\n` +
        'upgrade: h2c\r\nhttp2-settings: AAMAAABkAAQAAP__\r\ncontent-length: 2\r\n\r\nhi',
    );
    expect(await connection.status()).toBe(200);
    const id = /x-hookrelay-event-id: (\S+)/.exec(connection.received)?.[1] as string;
    expect((await rawBody(id)).toString()).toBe('hi');
  });

  test('can be a request with Expect: 100-continue, which gets a 100', async () => {
    const connection = await connect(server.port);
    connection.send(
      `POST /in/${endpoint.public_token} HTTP/1.1\r\nhost: x\r\nexpect: 100-continue\r\ncontent-length: 2\r\n\r\n`,
    );
    expect(await connection.status(1)).toBe(100);
    connection.send('hi');
    expect(await connection.status(2)).toBe(200);
  });

  test('can be a request with any other expectation', async () => {
    const headers = { expect: 'something-else' };
    const answer = await request(endpoint.capture_url, { method: 'POST', body: 'hi', headers });
    expect(answer.status).toBe(200);
  });
});

describe('answers', () => {
  test('a browser’s preflight and its request are both stored', async () => {
    const preflight = await request(endpoint.capture_url, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://app.example.com',
        'access-control-request-method': 'PATCH',
        'access-control-request-headers': 'x-custom',
      },
    });
    expect(preflight.status).toBe(200);
    expectCaptureHeaders(preflight);
    expect(preflight.headers['access-control-expose-headers']).toContain('x-hookrelay-event-id');
    const { data } = await account.list(endpoint, '?limit=1');
    expect(data[0]).toMatchObject({
      method: 'OPTIONS',
      id: preflight.headers['x-hookrelay-event-id'],
    });
  });

  test('unknown, paused and deleted endpoints answer 404 with all headers, and nothing is stored', async () => {
    const own = await account.createEndpoint();
    const path = `/api/endpoints/${own.id}`;
    await account.call('PATCH', path, { is_active: false });
    for (const body of ['small', Buffer.alloc(100_000)]) {
      const paused = await request(own.capture_url, { method: 'POST', body });
      expect([paused.status, paused.json.error.code]).toEqual([404, 'endpoint_inactive']);
      expectCaptureHeaders(paused);
    }
    expect((await account.list(own)).total).toBe(0);
    await account.call('PATCH', path, { is_active: true });
    await capture(own.capture_url);
    expect((await account.list(own)).total).toBe(1);
    await account.call('DELETE', path);
    for (const url of [
      own.capture_url,
      `${server.url}/in/unknown`,
      `${server.url}/in/un%20known/x`,
    ]) {
      for (const method of ['POST', 'GET', 'OPTIONS', 'DELETE']) {
        const gone = await request(url, { method, ...(method === 'POST' && { body: '{}' }) });
        expect([gone.status, gone.json.error.code]).toEqual([404, 'endpoint_not_found']);
        expectCaptureHeaders(gone);
      }
    }
  });

  test('a large body for an unknown URL is refused before it is sent', async () => {
    for (const framing of [`content-length: ${20 * MiB}`, 'transfer-encoding: chunked']) {
      const connection = await connect(server.port);
      connection.send(`POST /in/nobody HTTP/1.1\r\nhost: x\r\n${framing}\r\n\r\n`);
      expect(await connection.status()).toBe(404);
      await connection.closedByServer();
    }
  });

  describe('an endpoint’s own response', () => {
    const withResponse = async (response: object) => {
      const own = await account.createEndpoint({ response });
      const answer = await request(own.capture_url, { method: 'POST', body: '{}' });
      expectCaptureHeaders(answer);
      expect((await account.list(own)).total).toBe(1);
      return answer;
    };

    test('has status, type and body', async () => {
      const answer = await withResponse({
        status: 418,
        content_type: 'text/xml; charset=utf-8',
        body: '<Response>é</Response>',
      });
      expect(answer.status).toBe(418);
      expect(answer.headers['content-type']).toBe('text/xml; charset=utf-8');
      expect(answer.text).toBe('<Response>é</Response>');
      expect(answer.headers['x-hookrelay-event-id']).toMatch(/^evt_/);
    });

    test.each([204, 205, 304])('has no body with %i', async (status) => {
      const answer = await withResponse({ status });
      expect(answer.status).toBe(status);
      expect(answer.body).toHaveLength(0);
      expect(answer.headers['content-type']).toBeUndefined();
      expect(answer.headers['content-length']).toBe(status === 205 ? '0' : undefined);
      expect(answer.headers['transfer-encoding']).toBeUndefined();
      expect(answer.headers['x-hookrelay-event-id']).toMatch(/^evt_/);
    });

    test('has headers, in both ways of capture', async () => {
      const headers = { Location: '/thanks?a=1', 'Retry-After': '120', ['__proto__']: 'x' };
      const own = await account.createEndpoint({ response: { status: 307, headers } });
      const url = new URL(own.capture_url);
      const bytes = async (framing: string, body: string) => {
        const connection = await connect(server.port);
        connection.send(
          `POST ${url.pathname} HTTP/1.1\r\nhost: ${url.host}\r\nconnection: close\r\n${framing}\r\n\r\n${body}`,
        );
        await connection.closedByServer();
        return connection.received.replace(/evt_\w+/g, 'ID').replace(/\r\nDate: .*/, '');
      };
      const fast = await bytes('content-length: 2', '{}');
      // Chunks are left to Node.
      const nodes = await bytes('transfer-encoding: chunked', '2\r\n{}\r\n0\r\n\r\n');
      expect(fast).toBe(nodes);
      expect(fast).toMatch(/^HTTP\/1\.1 307 /);
      expect(fast).toContain('\r\nLocation: /thanks?a=1\r\nRetry-After: 120\r\n__proto__: x\r\n');
    });

    test('has no content type where none is wanted', async () => {
      const answer = await withResponse({ status: 200, content_type: null });
      expect(answer.headers['content-type']).toBeUndefined();
      expect(answer.headers['content-length']).toBe('0');
    });

    test('is inert as HTML: sandboxed, on an opaque origin', async () => {
      const body = '<script>fetch("/api/me")</script>';
      const answer = await withResponse({ status: 200, content_type: 'text/html', body });
      expect(answer.text).toBe(body);
      expect(answer.headers['content-security-policy']).toMatch(/^sandbox$/);
    });

    test('to HEAD has the length without the body', async () => {
      const own = await account.createEndpoint({ response: { status: 200, body: 'abc' } });
      const answer = await request(own.capture_url, { method: 'HEAD' });
      expect(answer.headers['content-length']).toBe('3');
      expect(answer.body).toHaveLength(0);
    });

    test('changes at the next request', async () => {
      const own = await account.createEndpoint({ response: { status: 500 } });
      expect((await request(own.capture_url)).status).toBe(500);
      await account.call('PATCH', `/api/endpoints/${own.id}`, { response: null });
      expect((await request(own.capture_url)).status).toBe(200);
      expect((await account.list(own)).total).toBe(2);
    });
  });

  test('is text for handshakes too, which are stored', async () => {
    const own = await account.createEndpoint({ response: { status: 500 } });
    const answers = [
      await request(own.capture_url, {
        method: 'POST',
        body: '{"type":"url_verification","challenge":"c1"}',
      }),
      await request(`${own.capture_url}?hub.mode=subscribe&hub.challenge=c2&hub.verify_token=v`),
      await request(`${own.capture_url}?validationToken=%3Cb%3Ec3`, { method: 'POST', body: '' }),
    ];
    expect(answers.map(({ text }) => text)).toEqual(['c1', 'c2', '<b>c3']);
    for (const answer of answers) {
      expect(answer.status).toBe(200);
      expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8');
      expectCaptureHeaders(answer);
    }
    expect((await account.list(own)).total).toBe(3);
  });
});

describe('a change during a slow upload', () => {
  /** A request without its last byte, larger than the early checks. */
  async function slowUpload(own: EndpointAnswer) {
    const connection = await connect(server.port);
    connection.send(
      `POST /in/${own.public_token} HTTP/1.1\r\nhost: x\r\ncontent-length: 100000\r\n\r\n`,
    );
    connection.send(Buffer.alloc(99_999, 'a'));
    await until('it is being received', async () => {
      const { text } = await callApi(server, 'GET', '/metrics');
      return /^hookrelay_capture_bytes_in_flight 99999$/m.test(text);
    });
    return {
      connection,
      finish() {
        connection.send('a');
        return connection.status();
      },
    };
  }

  test('a paused endpoint answers 404, and nothing is stored', async () => {
    const own = await account.createEndpoint();
    const upload = await slowUpload(own);
    await account.call('PATCH', `/api/endpoints/${own.id}`, { is_active: false });
    expect(await upload.finish()).toBe(404);
    expect(upload.connection.received).toContain('"endpoint_inactive"');
    expect((await account.list(own)).total).toBe(0);
  });

  test('a deleted endpoint answers 404', async () => {
    const own = await account.createEndpoint();
    const upload = await slowUpload(own);
    await account.call('DELETE', `/api/endpoints/${own.id}`);
    expect(await upload.finish()).toBe(404);
    expect(upload.connection.received).toContain('"endpoint_not_found"');
  });

  test('a new destination gets the event, a removed one doesn’t', async () => {
    const own = await account.createEndpoint();
    const removed = await account.addDestination(own, 'http://127.0.0.1:1/removed');
    const upload = await slowUpload(own);
    const added = await account.addDestination(own, 'http://127.0.0.1:1/added');
    await account.call('DELETE', `/api/endpoints/${own.id}/destinations/${removed.id}`);
    expect(await upload.finish()).toBe(200);
    const id = /x-hookrelay-event-id: (\S+)/.exec(upload.connection.received)?.[1] as string;
    const { deliveries } = await account.event(own, id);
    expect(deliveries.map((one: { destination_id: string }) => one.destination_id)).toEqual([
      added.id,
    ]);
  });
});

describe('under load', () => {
  test('concurrent requests share commits, and each is stored once', async () => {
    const own = await account.createEndpoint();
    const other = await account.createEndpoint();
    const agent = new http.Agent({ keepAlive: true, maxSockets: 50 });
    const bodies = Array.from({ length: 400 }, (_, i) => `{"n":${i}}`);
    const commits = async () => {
      const { text } = await callApi(server, 'GET', '/metrics');
      return Number(/^hookrelay_commit_batch_events_count (\d+)$/m.exec(text)?.[1]);
    };
    const before = await commits();
    const ids = await Promise.all(
      bodies.map((body, i) => capture((i % 4 ? own : other).capture_url, body, { agent })),
    );
    agent.destroy();
    expect((await commits()) - before).toBeLessThan(300);
    expect(new Set(ids).size).toBe(400);
    expect((await account.list(own)).total).toBe(300);
    expect((await account.list(other)).total).toBe(100);
    for (const i of [0, 1, 199, 399]) {
      expect((await rawBody(ids[i] as string, i % 4 ? own : other)).toString()).toBe(bodies[i]);
    }
  });

  test('a refused request doesn’t harm those beside it', async () => {
    const own = await account.createEndpoint();
    const paused = await account.createEndpoint();
    await account.call('PATCH', `/api/endpoints/${paused.id}`, { is_active: false });
    const urls = [own.capture_url, paused.capture_url, `${server.url}/in/nobody`];
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, i) =>
        request(urls[i % 3] as string, { method: 'POST', body: '{}' }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(
      answers.map((_, i) => (i % 3 === 0 ? 200 : 404)),
    );
    expect((await account.list(own)).total).toBe(20);
  });

  test('bodies past the memory budget get a 503 with Retry-After, and the memory is given back', async () => {
    const busy = await runServer();
    const owner = await register(busy);
    const own = await owner.createEndpoint();
    // The budget is 128 MiB: five bodies of 24 MiB fit, six do not.
    const uploads = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const connection = await connect(busy.port);
        connection.send(
          `POST /in/${own.public_token} HTTP/1.1\r\nhost: x\r\ncontent-length: ${24 * MiB}\r\n\r\n`,
        );
        connection.send(Buffer.alloc(24 * MiB - 1, 'a'));
        return connection;
      }),
    );
    await until('one is refused', () => uploads.some(({ statuses }) => statuses.length > 0));
    const [refused, ...others] = uploads.filter(({ statuses }) => statuses.length > 0);
    expect(others).toEqual([]);
    expect(refused?.statuses).toEqual([503]);
    expect(refused?.received).toMatch(/\r\nretry-after: \d+\r\n/i);
    expect(refused?.received).toContain('"overloaded"');
    expect(refused?.received).toMatch(/\r\naccess-control-allow-origin: \*\r\n/i);
    expect((await callApi(busy, 'GET', '/healthz')).status).toBe(200);
    const rest = uploads.filter((one) => one !== refused);
    await until('the others are all here', () => inFlight(busy, 5 * (24 * MiB - 1)));
    for (const connection of rest) connection.send('a');
    expect(await Promise.all(rest.map((connection) => connection.status()))).toEqual(
      rest.map(() => 200),
    );
    await until('all is given back', () => inFlight(busy, 0));
    expect((await owner.list(own)).total).toBe(5);
  });
});

async function inFlight(of: TestServer, bytes: number): Promise<boolean> {
  const { text } = await callApi(of, 'GET', '/metrics');
  return new RegExp(`^hookrelay_capture_bytes_in_flight ${bytes}$`, 'm').test(text);
}

describe('x-forwarded-for', () => {
  const addressOf = async (of: TestServer, forwarded: string | undefined) => {
    const owner = await register(of);
    const own = await owner.createEndpoint();
    const id = await capture(own.capture_url, '{}', {
      headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
    });
    return (await owner.event(own, id)).source_ip;
  };

  test('is ignored when no proxy is trusted', async () => {
    expect(await addressOf(server, '192.0.2.1')).toBe('127.0.0.1');
  });

  test('is read from its right end, as far as proxies are trusted', async () => {
    const behind = await runServer({ trustProxy: ['127.0.0.1', '10.0.0.0/8', '2001:db8::/32'] });
    for (const [forwarded, address] of [
      [undefined, '127.0.0.1'],
      ['192.0.2.1', '192.0.2.1'],
      ['6.6.6.6, 192.0.2.1', '192.0.2.1'],
      ['6.6.6.6, 192.0.2.1, 10.1.2.3', '192.0.2.1'],
      ['10.1.1.1, 10.2.2.2', '10.1.1.1'],
      ['2001:db9::1, 2001:db8::1', '2001:db9::1'],
      ['::ffff:192.0.2.1', '192.0.2.1'],
      ['192.0.2.1, nonsense', '127.0.0.1'],
      ['nonsense, 10.1.2.3', '10.1.2.3'],
      ['', '127.0.0.1'],
      [' , ,', '127.0.0.1'],
    ] as const) {
      expect([forwarded, await addressOf(behind, forwarded)]).toEqual([forwarded, address]);
    }
    // A metrics page that needs no token is for a listener without a proxy.
    expect((await callApi(behind, 'GET', '/metrics')).status).toBe(404);
  });
});
