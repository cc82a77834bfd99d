import { once } from 'node:events';
import net from 'node:net';
import { describe, expect, it } from 'vitest';
import { idleMs } from '../../../../../src/delivery/transports/webhook/connection/idle-time.ts';
import { answering, attempts, OK, post, receiver, serve } from '../../../receivers.ts';

const withHeader = (header: string) => OK.replace('\r\n', `\r\n${header}\r\n`);

describe('a connection', () => {
  it.each([
    [null, 4000],
    ['', 4000],
    ['max=100', 4000],
    ['timeout=5', 4000],
    ['timeout=65, max=100', 30_000],
    ['max=100, Timeout=3', 2000],
    ['timeout=1', 0],
    ['timeout=0', -1000],
    [`timeout=${'9'.repeat(400)}`, 30_000],
  ])('after Keep-Alive %j is idle for %i ms at most', (keepAlive, ms) => {
    expect(idleMs(keepAlive)).toBe(ms);
  });

  it('is closed when it has been idle for that long', async () => {
    const sockets: net.Socket[] = [];
    const target = await receiver((socket) => {
      sockets.push(socket);
      socket.on('data', () => socket.write(withHeader('Keep-Alive: timeout=2')));
    });
    const attempt = attempts();
    await attempt(post(target.origin));
    const endedAt = performance.now();
    await once(sockets[0] as net.Socket, 'close');
    expect(performance.now() - endedAt).toBeGreaterThan(900);
  });

  it.each([
    ['a response that closes', withHeader('Connection: close'), {}],
    ['a Keep-Alive of 1 s', withHeader('Keep-Alive: timeout=1'), {}],
    ['a response up to its end', 'HTTP/1.0 200 OK\r\ncontent-length: 2\r\n\r\nok', {}],
    ['a 204 that has a length', 'HTTP/1.1 204 x\r\ncontent-length: 2\r\n\r\n', {}],
    ['a HEAD', 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n', { method: 'HEAD' }],
    ['a GET with a body', OK, { method: 'GET' }],
  ])('is not used again after %s', async (_what, response, request) => {
    const target = await answering(response);
    const attempt = attempts({ maxConnectionsPerOrigin: 1 });
    for (let i = 0; i < 2; i++) {
      expect(await attempt(post(target.origin, request))).toMatchObject({ error: null });
    }
    expect(target.connections).toBe(2);
  });

  it('can lead to an IPv6 address', async () => {
    const answer = (socket: net.Socket) => socket.on('data', () => socket.write(OK));
    const target = await serve(net.createServer(), answer, 'connection', '::1');
    const outcome = await attempts()(post(`http://[::1]:${target.port}`));
    expect(outcome).toMatchObject({ responseCode: 200, responseBody: 'ok' });
    expect(target.received).toContain(`\r\nhost: [::1]:${target.port}\r\n`);
  });

  it('carries a large body', async () => {
    const body = Buffer.alloc(3 * 1024 * 1024, 'large body ');
    const target = await answering(OK);
    const attempt = attempts();
    for (let i = 0; i < 2; i++) {
      expect(await attempt(post(target.origin, { body }))).toMatchObject({ responseCode: 200 });
    }
    expect(target.connections).toBeLessThanOrEqual(2);
    expect(target.received.split('\r\n\r\n').at(-1)).toBe(body.toString());
  });
});

describe('a request', () => {
  it.each([
    ['a line break in a value', { headers: ['x-a', 'a\r\nx-b: c'] }],
    ['a line break in a name', { headers: ['x-a: b\r\nx-b', 'c'] }],
    ['a bare LF in a value', { headers: ['x-a', 'a\nb'] }],
    ['a coding', { headers: ['Transfer-Encoding', 'chunked'] }],
    ['a length', { headers: ['content-length', '0'] }],
    ['an empty name', { headers: ['', 'c'] }],
    ['a character of two bytes', { headers: ['x-a', '\u0100'] }],
    ['a blank in the path', { path: '/a b' }],
    ['a line break in the path', { path: '/ HTTP/1.1\r\nx: y\r\n' }],
    ['a path without a slash', { path: 'a' }],
    ['a blank in the method', { method: 'NO WAY' }],
    ['CONNECT', { method: 'CONNECT' }],
  ])('is not sent with %s', async (_what, request) => {
    const target = await answering(OK);
    const outcome = await attempts()(post(target.origin, request));
    expect(outcome).toMatchObject({
      responseCode: null,
      error: { code: 'unknown', message: 'The request cannot be sent by HTTP/1.1.' },
      wasSent: false,
    });
    expect(target.connections).toBe(0);
  });
});
