import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AttemptRequest } from '../../../src/delivery/transports/webhook/attempt.ts';
import {
  REQUEST_HEADERS_MAX_BYTES,
  sentHeaders,
} from '../../../src/delivery/transports/webhook/sent-headers.ts';
import { answering, attempts, OK, post } from '../receivers.ts';

/** The header lines of the last request that a receiver got, as pairs. */
function lastHeaders(received: string, body: Uint8Array): string[][] {
  const text = received.slice(0, received.length - body.byteLength);
  const head = text.slice(text.lastIndexOf(' HTTP/1.1\r\n'), -'\r\n\r\n'.length);
  const lines = head.split('\r\n').slice(1);
  return lines.map((line) => {
    const end = line.indexOf(': ');
    return [line.slice(0, end), line.slice(end + 2)];
  });
}

const SECRET_NAMES = new Set(['x-key', 'authorization']);

const sizeOf = (pairs: readonly (readonly string[])[]) =>
  pairs.reduce((sum, [name = '', value = '']) => sum + `${name}: ${value}\r\n`.length, 0);

describe('the headers of an attempt', () => {
  it('are those that the receiver got, in order', async () => {
    const target = await answering(OK);
    const attempt = attempts();
    const request = fc.record({
      method: fc.constantFrom(
        ...['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'],
        ...['QUERY', 'PROPFIND', 'PROPPATCH', 'REPORT'],
      ),
      body: fc.uint8Array({ maxLength: 20 }),
      headers: fc
        .array(
          fc.tuple(
            fc.stringMatching(/^X-[a-zA-Z]{1,4}$/),
            fc.stringMatching(/^[a-z\xe0-\xff]{0,8}$/),
          ),
          { maxLength: 8 },
        )
        .map((pairs) => pairs.flat()),
      isAlone: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(request, async (given) => {
        target.received = '';
        const sent = post(target.origin, given);
        expect((await attempt(sent))?.responseCode).toBe(200);
        expect(sentHeaders(sent, null)).toEqual(lastHeaders(target.received, given.body));
      }),
    );
  });

  it('name a host without its default port', () => {
    const hosts = ['https://a.example', 'https://a.example:8443', 'http://[::1]:80'].map(
      (url) => sentHeaders(post(new URL(url).origin), null)[0]?.[1],
    );
    expect(hosts).toEqual(['a.example', 'a.example:8443', '[::1]']);
  });

  it('mask the values of secret headers, whatever their case', () => {
    const headers = ['X-Key', 'a long enough secret', 'authorization', 'short', 'x-other', 'shown'];
    const pairs = sentHeaders(post('http://a.example', { headers }), SECRET_NAMES);
    expect(pairs.slice(2, 5)).toEqual([
      ['X-Key', '********cret'],
      ['authorization', '********'],
      ['x-other', 'shown'],
    ]);
  });

  it('end with the last that fits into 16 KiB', () => {
    const length = fc.integer({ min: 0, max: 6000 });
    fc.assert(
      fc.property(fc.array(length, { maxLength: 12 }), (lengths) => {
        const request: AttemptRequest = post('http://a.example', {
          headers: lengths.flatMap((size, i) => [`x-${i}`, 'v'.repeat(size)]),
        });
        const all = [
          ['host', 'a.example'],
          ['connection', 'keep-alive'],
          ...lengths.map((size, i) => [`x-${i}`, 'v'.repeat(size)]),
          ['content-length', '5'],
        ];
        const kept = sentHeaders(request, null);
        expect(kept).toEqual(all.slice(0, kept.length));
        expect(sizeOf(kept)).toBeLessThanOrEqual(REQUEST_HEADERS_MAX_BYTES);
        if (kept.length < all.length) {
          const more = sizeOf(all.slice(0, kept.length + 1));
          expect(more).toBeGreaterThan(REQUEST_HEADERS_MAX_BYTES);
        }
      }),
    );
  });
});
