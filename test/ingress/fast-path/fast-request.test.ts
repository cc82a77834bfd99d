import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { HookrelayError } from '../../../src/core/errors.ts';
import type { CapturedRequest, CaptureResponse } from '../../../src/core/model.ts';
import { readFastRequest } from '../../../src/ingress/fast-path/fast-request.ts';
import { type CaptureServerOptions, captureServer } from '../../fixtures/capture-server.ts';
import { failOnLeaks } from '../../fixtures/leaks.ts';
import { seededRandom } from '../../fixtures/random.ts';
import { connect } from '../../fixtures/raw-connection.ts';

/*
 * What is read here is read as Node reads it: two servers get the same bytes, of
 * which one leaves all of them to Node.
 */

failOnLeaks();
const MAX_BYTES = 8 * 1024;
const read = (bytes: string) => readFastRequest(Buffer.from(bytes, 'latin1'), MAX_BYTES);

const post = (headers: readonly string[], body = '{"a":1}', target = '/in/token') =>
  `POST ${target} HTTP/1.1\r\nHost: x\r\n${headers.map((line) => `${line}\r\n`).join('')}Content-Length: ${body.length}\r\n\r\n${body}`;

const ORDINARY: [what: string, bytes: string][] = [
  ['the least', post([])],
  ['an empty body', post([], '')],
  ['any bytes for a body', post([], '\0\xff\r\n\r\nPOST /in/x HTTP/1.1\r\n\r\n')],
  ['the largest body', post([], 'x'.repeat(MAX_BYTES))],
  ['a path and a query as they came', post([], '', '/in/token/a//%zz/../b?c=d&e=%?/"<>{}|')],
  ['an empty query', post([], '', '/in/token?')],
  ['a path that is a slash', post([], '', '/in/token/')],
  ['PUT', post([]).replace('POST', 'PUT')],
  ['PATCH', post([]).replace('POST', 'PATCH')],
  ['a name and a port for a host', post([]).replace('Host: x', 'hOsT: a-b.example:8080')],
  ['an IPv6 address for a host', post([]).replace('Host: x', 'Host: [::1]:80')],
  ['a content type', post(['Content-Type: application/json; charset="utf-8"'])],
  ['a provider’s header', post(['X-GitHub-Event: push', 'X-Hub-Signature-256: sha256=00'])],
  ['the same header twice', post(['X-A: 1', 'x-a: 2', 'X-A: 1'])],
  ['blanks, colons and marks in a value', post(['X-A: a  b: c,;"<>\\ ~!'])],
  ['a name of digits and a line', post(['1_-2: a'])],
  ['Connection: keep-alive', post(['Connection: Keep-Alive'])],
  ['Connection: close', post(['Connection: close'])],
  ['a proxy’s header', post(['X-Forwarded-For: 203.0.113.9, 127.0.0.1', 'Via: 1.1 caddy'])],
  ['64 headers', post(Array.from({ length: 62 }, (_, i) => `X-${i}: ${i}`))],
];

const NOT_ORDINARY: [what: string, bytes: string][] = [
  ['nothing', ''],
  ['a part of the request line', 'POST /in/token HTTP/1.1'],
  ['a part of the request line and one byte', 'POST /in/token HTTP/1.1X'],
  ['a request line', 'POST /in/token HTTP/1.1\r\n'],
  ['the end of another request', '\r\n\r\n'],
  ['an empty line first', `\r\n${post([])}`],
  ['a part of the body', post([]).slice(0, -1)],
  ['more than the body', `${post([])}x`],
  ['two requests', post([]) + post([])],
  ['a body over the limit', post([], 'x'.repeat(MAX_BYTES + 1))],
  ['a long head', post([`X-A: ${'b'.repeat(MAX_BYTES)}`])],
  ['many headers', post(Array.from({ length: 63 }, (_, i) => `X-${i}: ${i}`))],
  ['GET', post([]).replace('POST', 'GET')],
  ['a method in lower case', post([]).replace('POST', 'post')],
  ['HTTP/1.0', post([]).replace('HTTP/1.1', 'HTTP/1.0')],
  ['HTTP/1.1 and more', post([]).replace('HTTP/1.1', 'HTTP/1.1 ')],
  ['another route', post([], '', '/api/endpoints')],
  ['no token', post([], '', '/in/')],
  ['a token that can’t be one', post([], '', '/in/a.b')],
  ['a token too long', post([], '', `/in/${'a'.repeat(65)}`)],
  ['an absolute target', post([], '', 'http://x/in/token')],
  ['two slashes first', post([], '', '//in/token')],
  ['a fragment', post([], '', '/in/token/a#b')],
  ['a byte past ASCII in the target', post([], '', '/in/token/\xe9')],
  ['a blank in the target', post([], '', '/in/token/a b')],
  ['no Host', post([]).replace('Host: x\r\n', '')],
  ['two Hosts', post(['host: x'])],
  ['no host in Host', post([]).replace('Host: x', 'Host: x/y')],
  ['an empty Host', post([]).replace('Host: x', 'Host:')],
  ['no length', 'POST /in/token HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['two lengths', post(['Content-Length: 7'])],
  ['a length with a zero first', post([]).replace('Length: 7', 'Length: 07')],
  ['a signed length', post([]).replace('Length: 7', 'Length: +7')],
  ['a hexadecimal length', post([]).replace('Length: 7', 'Length: 0x7')],
  ['a list of lengths', post([]).replace('Length: 7', 'Length: 7, 7')],
  ['a fraction for a length', post([]).replace('Length: 7', 'Length: 7.0')],
  ['an exponent for a length', post([]).replace('Length: 7', 'Length: 7e0')],
  ['chunks', post(['Transfer-Encoding: chunked'])],
  ['an expectation', post(['Expect: 100-continue'])],
  ['an upgrade', post(['Connection: upgrade', 'Upgrade: websocket'])],
  ['an upgrade without a Connection', post(['Upgrade: h2c'])],
  ['a Connection of two', post(['Connection: keep-alive, x-a'])],
  ['two Connections', post(['Connection: close', 'Connection: keep-alive'])],
  ['a Proxy-Connection', post(['Proxy-Connection: close'])],
  ['trailers', post(['Trailer: x-a'])],
  ['two content types', post(['Content-Type: a/b', 'content-type: c/d'])],
  ['two X-Forwarded-For', post(['X-Forwarded-For: 1.2.3.4', 'X-Forwarded-For: 1.2.3.4'])],
  ['a folded header', post(['X-A: b', ' c'])],
  ['a header folded by a tab', post(['X-A: b', '\tc'])],
  ['a header without a name', post([': b'])],
  ['a header without a colon', post(['abc'])],
  ['a blank in a name', post(['a b: c'])],
  ['a blank before the colon', post(['a : c'])],
  ['no blank after the colon', post(['a:c'])],
  ['two blanks after the colon', post(['a:  c'])],
  ['a tab after the colon', post(['a:\tc'])],
  ['a blank at the end', post(['a: c '])],
  ['a tab in a value', post(['a: b\tc'])],
  ['an empty value', post(['a: '])],
  ['a byte past ASCII in a value', post(['a: \xe9'])],
  ['a byte past ASCII in a name', post(['\xe9: a'])],
  ['NUL in a value', post(['a: b\0c'])],
  ['DEL in a value', post(['a: b\x7fc'])],
  ['CR in a value', post(['a: b\rc: d'])],
  ['LF in a value', post(['a: b\nc: d'])],
  ['LF after the request line', post([]).replace('HTTP/1.1\r\n', 'HTTP/1.1\n')],
  ['LF after a header', post([]).replace('Host: x\r\n', 'Host: x\n')],
  ['LF after the head', post([]).replace('\r\n\r\n', '\r\n\n')],
  ['CR after the head', post([]).replace('\r\n\r\n', '\r\n\r')],
];

test.each(ORDINARY)('%s is read', (_what, bytes) => {
  expect(read(bytes)).not.toBeNull();
});

test.each(NOT_ORDINARY)('%s is left to Node', (_what, bytes) => {
  expect(read(bytes)).toBeNull();
});

test('what is over the limit of the server is left to Node', () => {
  const bytes = Buffer.from(post([], '12345'));
  expect(readFastRequest(bytes, 5)).not.toBeNull();
  expect(readFastRequest(bytes, 4)).toBeNull();
});

type Committed = () => Awaited<ReturnType<CaptureServerOptions['commit']>>;

const stored = (response: CaptureResponse | null = null) =>
  ({ stored: true, event: {}, response }) as never;

/** Both servers, and what each captured and answered of the same bytes. */
async function pair(committed: Committed = () => stored()) {
  const captured: CapturedRequest[] = [];
  const commit = async (request: CapturedRequest) => {
    // A copy: what it was read from is freed when it is answered.
    captured.push({ ...request, body: Buffer.from(request.body) });
    return committed();
  };
  const here = await captureServer({ commit });
  const node = await captureServer({ commit, fastPathMaxBytes: -1 });
  const ofOne = async (port: number, bytes: string) => {
    captured.length = 0;
    const { socket } = await connect(port);
    socket.write(Buffer.from(bytes, 'latin1'));
    const [answered] = await once(socket, 'data');
    socket.destroy();
    expect(captured).toHaveLength(1);
    const { id, receivedAt, body, ...request } = captured[0] as CapturedRequest;
    const answer = String(answered)
      .replaceAll(id, 'ID')
      .replaceAll(/req_\w+/g, 'REQUEST')
      .replace(/\r\nDate: [A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT\r\n/, '\r\n');
    return { request, body: Buffer.from(body).toString('latin1'), answer };
  };
  const expectSame = async (bytes: string) => {
    const before = here.fast();
    const ours = await ofOne(here.port, bytes);
    expect(here.fast()).toBe(before + 1);
    const nodes = await ofOne(node.port, bytes);
    expect(node.fast()).toBe(0);
    const { publicToken, path, query, method, rawHeaders, contentType, sourceIp } = ours.request;
    const { provider, eventType } = ours.request;
    const fields = { publicToken, path, query, method, rawHeaders, contentType, sourceIp };
    expect({ ...fields, provider, eventType }).toEqual(nodes.request);
    expect(ours.body).toBe(nodes.body);
    expect(ours.answer).toBe(nodes.answer);
    return ours.answer;
  };
  return { expectSame };
}

describe('as Node reads and answers it:', () => {
  test('what is ordinary', async () => {
    const { expectSame } = await pair();
    for (const [, bytes] of ORDINARY) await expectSame(bytes);
  });

  test.each<[number, string, Committed]>([
    ...[200, 201, 204, 205, 206, 299, 302, 304, 404, 418, 500, 599].map(
      (status): [number, string, Committed] => [
        status,
        'of its own',
        () => stored({ status, content_type: 'text/plain; charset=utf-8', body: 'a “b”\r\n' }),
      ],
    ),
    [200, 'of its own, empty', () => stored({ status: 200, content_type: 'a/b', body: '' })],
    [404, 'of an unknown URL', () => ({ stored: false, reason: 'endpoint_not_found' })],
    [404, 'of a paused URL', () => ({ stored: false, reason: 'endpoint_inactive' })],
    [
      503,
      'of a full disk',
      () => {
        throw new HookrelayError('storage_full', 'full', { hint: 'free some', retryAfterS: 30 });
      },
    ],
    [
      500,
      'of a fault',
      () => {
        throw new Error('a fault');
      },
    ],
  ])('an answer %i %s', async (status, _what, committed) => {
    const { expectSame } = await pair(committed);
    const answer = await expectSame(post([]));
    expect(answer.startsWith(`HTTP/1.1 ${status} `)).toBe(true);
  });

  test('whatever is taken of requests with a few bytes, lines or letters changed', async () => {
    const random = seededRandom(20_261_122);
    const { expectSame } = await pair();
    const seen = { taken: 0, left: 0 };
    for (let i = 0; i < 5000; i++) {
      const bytes = changed(ORDINARY[i % ORDINARY.length]?.[1] as string, random);
      if (read(bytes) === null) {
        seen.left++;
        continue;
      }
      seen.taken++;
      await expectSame(bytes);
    }
    expect(seen.taken).toBeGreaterThan(500);
    expect(seen.left).toBeGreaterThan(2000);
  });
});

/** Bytes that mean something to a parser, or nearly do. */
const MARKS = [...'\r\n\t\0 :;,=?#/%&.-_"[]09azAZ\x7f\x80\xa0\xff', '\r\n', '\r\n\r\n', ': '];

function changed(bytes: string, random: () => number): string {
  const at = (length: number) => Math.floor(random() * length);
  const headEnd = bytes.indexOf('\r\n\r\n') + 6;
  let text = bytes;
  for (let left = 1 + at(3); left > 0; left--) {
    const from = at(Math.min(headEnd, text.length));
    const mark = MARKS[at(MARKS.length)] as string;
    const kind = at(5);
    if (kind === 0) text = text.slice(0, from) + mark + text.slice(from);
    else if (kind === 1) text = text.slice(0, from) + mark + text.slice(from + 1);
    else if (kind === 2) text = text.slice(0, from) + text.slice(from + 1 + at(3));
    else if (kind === 3)
      text = text.slice(0, from) + swapped(text.charAt(from)) + text.slice(from + 1);
    else {
      const lines = text.split('\r\n');
      const line = lines[at(lines.length)] as string;
      lines.splice(1 + at(Math.max(1, lines.length - 2)), 0, line);
      text = lines.join('\r\n');
    }
  }
  return text;
}

function swapped(letter: string): string {
  const upper = letter.toUpperCase();
  return upper === letter ? letter.toLowerCase() : upper;
}
