import { describe, expect, test } from 'vitest';
import { HookrelayError } from '../../../src/core/errors.ts';
import { readFastRequest } from '../../../src/ingress/fast-path/fast-request.ts';
import type { HandOverCause } from '../../../src/ingress/fast-path/hand-over.ts';
import {
  type Committed,
  fuzzFastPath,
  MAX_BYTES,
  pair,
  post,
  stored,
  TAKEN,
} from '../../fixtures/fast-path-pair.ts';
import { failOnLeaks } from '../../fixtures/leaks.ts';

/*
 * The fast path reads requests as Node does: two servers get the same bytes, and
 * one of them leaves all requests to Node.
 */

failOnLeaks();
const read = (bytes: string) => readFastRequest(Buffer.from(bytes, 'latin1'), MAX_BYTES);

const NOT_TAKEN: [what: string, bytes: string][] = [
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

test.each(TAKEN)('%s is read', (_what, bytes) => {
  expect(read(bytes)).toBeTypeOf('object');
});

test.each(NOT_TAKEN)('%s is left to Node', (_what, bytes) => {
  expect(read(bytes)).toBeTypeOf('string');
});

test('a request over the server’s limit is left to Node', () => {
  const bytes = Buffer.from(post([], '12345'));
  expect(readFastRequest(bytes, 5)).toBeTypeOf('object');
  expect(readFastRequest(bytes, 4)).toBe('large');
});

test.each<[HandOverCause, string]>([
  ['route', 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['route', 'POST /api/me HTTP/1.1\r\nHost: x\r\n'],
  ['large', post([], 'x'.repeat(MAX_BYTES + 1))],
  ['large', post([`a: ${'x'.repeat(MAX_BYTES)}`])],
  ['partial', post([]).slice(0, 20)],
  ['partial', post([]).slice(0, -1)],
  ['partial', 'POST /in/token HTTP/1.1\r\nHo'],
  ['pipelined', post([]) + post([])],
  ['unusual', post([]).replace('1.1', '1.0')],
  ['unusual', 'GET /in/token HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['unusual', post(['Transfer-Encoding: chunked'])],
])('the cause is %s of %j', (cause, bytes) => {
  expect(read(bytes)).toBe(cause);
});

describe('Node reads and answers the same:', () => {
  test('ordinary requests', async () => {
    const { expectSame } = await pair();
    for (const [, bytes] of TAKEN) await expectSame(bytes);
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

  test('every accepted mutation of a request', async () => {
    const seen = await fuzzFastPath(5000, 20_261_122);
    expect(seen.taken).toBeGreaterThan(500);
    expect(seen.left).toBeGreaterThan(2000);
  });
});
