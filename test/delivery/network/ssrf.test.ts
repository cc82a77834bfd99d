import { once } from 'node:events';
import net from 'node:net';
import tls from 'node:tls';
import { describe, expect, it } from 'vitest';
import { checkDestinationUrl } from '../../../src/delivery/transports/webhook/destination-url.ts';
import { PRIVATE_HOSTS } from '../../fixtures/private-hosts.ts';
import {
  attempts,
  lookupAnswering,
  post,
  type Receiver,
  receiver,
  selfSigned,
  serve,
} from '../receivers.ts';

/**
 * A listener on every address of this machine. Any successful attack would reach it, so it must
 * never see a connection. It speaks TLS, because TLS may drop options that guard plain sockets.
 */
function victim() {
  const server = tls.createServer(selfSigned('localhost'));
  server.on('tlsClientError', () => {});
  const answer = (socket: net.Socket) => socket.end('HTTP/1.1 200 OK\r\n\r\nsecret');
  return serve(server, answer, 'secureConnection', null);
}

/** Connections to the listener so far. They are accepted in order, and our own comes last. */
async function connectionsTo(listener: Receiver): Promise<number> {
  const own = net.connect(listener.port, '127.0.0.1');
  own.on('error', () => {});
  own.end();
  own.resume();
  await once(own, 'close');
  return listener.connections - 1;
}

describe('a stored URL with a private address', () => {
  it.each(PRIVATE_HOSTS)('is blocked without a connection: %s', async (host) => {
    const listener = await victim();
    const attempt = attempts({ allowPrivate: false });
    const { origin } = new URL(`https://${host}:${listener.port}`);
    const outcome = await attempt(post(origin));
    expect(outcome?.error?.code).toBe('blocked_address');
    expect(outcome).toMatchObject({ responseCode: null, responseBody: null, timedOut: false });
    expect(await connectionsTo(listener)).toBe(0);
  });

  it('reaches the listener once private destinations are allowed', async () => {
    const listener = await victim();
    const attempt = attempts({ allowPrivate: true });
    const outcome = await attempt(post(`https://127.0.0.1:${listener.port}`));
    expect(outcome?.error?.code).toBe('tls_error');
    expect(await connectionsTo(listener)).toBe(1);
  });

  it('is not requested over http: either', async () => {
    const listener = await victim();
    const { lookup, calls } = lookupAnswering(['8.8.8.8']);
    const attempt = attempts({ allowPrivate: false, lookup });
    for (const origin of [listener.origin, `http://public.example:${listener.port}`]) {
      expect((await attempt(post(origin)))?.error?.code).toBe('blocked_address');
    }
    expect(calls).toEqual([]);
    expect(await connectionsTo(listener)).toBe(0);
  });
});

describe('a name that resolves to a private address', () => {
  it.each([
    [['127.0.0.1']],
    [['::1']],
    [['::ffff:127.0.0.1']],
    [['8.8.8.8', '127.0.0.1']],
    [['127.0.0.1', '8.8.8.8']],
    [['2606:4700:4700::1111', '127.0.0.1']],
    [['not an address']],
  ])('is blocked without a connection: %j', async (addresses) => {
    const listener = await victim();
    const { lookup, calls } = lookupAnswering(addresses);
    const attempt = attempts({ allowPrivate: false, lookup });
    const outcome = await attempt(post(`https://hooks.example:${listener.port}`));
    expect(outcome?.error).toEqual({
      code: 'blocked_address',
      message: 'The name leads to an address that is not public.',
    });
    expect(calls).toEqual(['hooks.example']);
    expect(await connectionsTo(listener)).toBe(0);
  });

  it('is blocked after rebinding: public at the check, private at the connect', async () => {
    const listener = await victim();
    const origin = `https://rebind.example:${listener.port}`;
    await checkDestinationUrl(origin, {
      allowPrivate: false,
      resolve: async () => [{ address: '8.8.8.8', family: 4 }],
    });
    const { lookup } = lookupAnswering(['127.0.0.1']);
    const attempt = attempts({ allowPrivate: false, lookup });
    expect((await attempt(post(origin)))?.error?.code).toBe('blocked_address');
    expect(await connectionsTo(listener)).toBe(0);
  });

  it('is resolved again for every connection', async () => {
    const listener = await victim();
    const { lookup, calls } = lookupAnswering(['10.0.0.1'], ['127.0.0.1']);
    const attempt = attempts({ allowPrivate: false, lookup });
    for (let i = 0; i < 3; i++) {
      const outcome = await attempt(post(`https://rebind.example:${listener.port}`));
      expect(outcome?.error?.code).toBe('blocked_address');
    }
    expect(calls).toHaveLength(3);
    expect(await connectionsTo(listener)).toBe(0);
  });
});

it('a redirect to a private address is not followed', async () => {
  const inside = await victim();
  const location = `http://127.0.0.1:${inside.port}/latest/meta-data/`;
  const redirecting = await receiver((socket) => {
    socket.end(`HTTP/1.1 307 No\r\nlocation: ${location}\r\ncontent-length: 0\r\n\r\n`);
  });
  const outcome = await attempts()(post(redirecting.origin));
  expect(outcome).toMatchObject({ responseCode: 307, error: null });
  expect(await connectionsTo(inside)).toBe(0);
});
