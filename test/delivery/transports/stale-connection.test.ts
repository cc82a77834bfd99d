import { describe, expect, it } from 'vitest';
import { StaleRetries } from '../../../src/delivery/transports/webhook/stale-retries.ts';
import { answering, attempts, closingWhenReused, OK, post, receiver } from '../receivers.ts';

const STALE = {
  responseCode: null,
  error: {
    code: 'reset',
    message: 'The receiver closed a kept connection as the request was written.',
  },
  wasStale: true,
};

describe.each(['end', 'resetAndDestroy'] as const)('a kept connection that ends (%s)', (how) => {
  it('under a request is stale, unless the request was its first', async () => {
    const target = await closingWhenReused(how);
    const attempt = attempts({ maxConnectionsPerOrigin: 1 });
    expect(await attempt(post(target.origin))).toMatchObject({ responseCode: 200 });
    expect(await attempt(post(target.origin))).toMatchObject(STALE);
    const crashing = await receiver((socket) => socket.once('data', () => socket[how]()));
    expect(await attempt(post(crashing.origin))).toMatchObject({
      error: { code: 'reset' },
      wasStale: false,
    });
  });

  it('once the answer has begun is not stale', async () => {
    let requests = 0;
    const target = await receiver((socket) => {
      socket.on('data', () => {
        if (++requests === 1) socket.write(OK);
        else socket.write('HTTP/1.1 2', () => socket[how]());
      });
    });
    const attempt = attempts({ maxConnectionsPerOrigin: 1 });
    expect(await attempt(post(target.origin))).toMatchObject({ responseCode: 200 });
    expect(await attempt(post(target.origin))).toMatchObject({ wasStale: false });
    expect([target.connections, requests]).toEqual([1, 2]);
  });

  it('does not affect a request with its own connection', async () => {
    const target = await closingWhenReused(how);
    const attempt = attempts({ maxConnectionsPerOrigin: 1 });
    expect(await attempt(post(target.origin))).toMatchObject({ responseCode: 200 });
    for (let i = 0; i < 3; i++) {
      const alone = await attempt(post(target.origin, { isAlone: true }));
      expect(alone).toMatchObject({ responseCode: 200, error: null });
    }
    expect(target.connections).toBe(4);
    expect(target.received.match(/connection: close/g)).toHaveLength(3);
    // The first connection stays open for others.
    expect(await attempt(post(target.origin))).toMatchObject(STALE);
    expect(target.connections).toBe(4);
  });
});

it('a request with its own connection leaves no connection behind', async () => {
  const target = await answering(OK);
  const attempt = attempts();
  for (let i = 0; i < 3; i++) await attempt(post(target.origin, { isAlone: true }));
  expect(target.connections).toBe(3);
});

describe('StaleRetries', () => {
  it('remembers a delivery for one attempt', () => {
    const retries = new StaleRetries();
    retries.add('dlv_1');
    expect([retries.take('dlv_2'), retries.take('dlv_1'), retries.take('dlv_1')]).toEqual([
      false,
      true,
      false,
    ]);
  });

  it('forgets the oldest past ten thousand', () => {
    const retries = new StaleRetries();
    for (let i = 0; i <= 10_000; i++) retries.add(`dlv_${i}`);
    expect(['dlv_0', 'dlv_1', 'dlv_10000'].map((id) => retries.take(id))).toEqual([
      false,
      true,
      true,
    ]);
  });
});
