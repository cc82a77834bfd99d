import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { failOnLeaks } from '../../fixtures/leaks.ts';
import { type HttpReceiver, httpReceiver, status } from '../../fixtures/receiver.ts';
import { silentLog } from '../../fixtures/silent-log.ts';
import { attempt, type Begun, deliveryTo, REQUEST, SECRET, sealed } from '../made-attempts.ts';

failOnLeaks();

async function received(target: HttpReceiver) {
  const [request, ...more] = await target.received(1);
  expect(more).toEqual([]);
  return request as NonNullable<typeof request>;
}

describe('an attempt sends', () => {
  test('the captured request, below the destination’s own path', async () => {
    const target = await httpReceiver();
    const url = `${target.url}/hook?key=1`;
    const begun = deliveryTo(url);
    const settlement = await attempt(begun);
    expect(await received(target)).toMatchObject({
      method: 'POST',
      target: '/hook/sub/path?key=1&a=b',
      body: REQUEST.body,
      headers: {
        host: new URL(target.url).host,
        'content-type': 'application/json',
        'content-length': '7',
        'x-hookrelay-event': 'evt_1',
        'x-hookrelay-delivery': 'dlv_1',
        'x-hookrelay-attempt': '1',
        'x-hookrelay-trigger': 'capture',
        'x-hookrelay-hops': '1',
        'webhook-id': 'evt_1',
        'webhook-timestamp': expect.stringMatching(/^\d{10}$/),
      },
    });
    expect(target.requests[0]?.headers['webhook-signature']).toBeUndefined();
    expect(settlement).toEqual({
      claim: begun.claim,
      attempt: {
        destinationUrl: url,
        id: expect.stringMatching(/^att_/),
        responseCode: 200,
        responseHeaders: expect.arrayContaining([['Connection', 'keep-alive']]),
        responseBody: 'ok',
        responseTruncated: false,
        durationMs: expect.any(Number),
        error: null,
        attemptedAt: expect.any(Number),
        requestHeaders: expect.arrayContaining([['content-length', '7']]),
        ruleVersion: 3,
      },
      capturedHeaders: REQUEST.rawHeaders,
      timedOut: false,
      reach: 'answered',
      holdMs: null,
      next: { state: 'succeeded' },
    });
  });

  test('a signature that the standardwebhooks package verifies', async () => {
    const target = await httpReceiver();
    await attempt(sealed(deliveryTo(target.url)));
    const { body, headers } = await received(target);
    const verified = new Webhook(SECRET).verify(body, headers as Record<string, string>);
    expect(verified).toEqual({ a: 1 });
    expect(() =>
      new Webhook(SECRET).verify('{"a":2}', headers as Record<string, string>),
    ).toThrow();
  });

  test('a signature over bytes that are not text', async () => {
    const target = await httpReceiver();
    const bytes = Buffer.from([0xff, 0xfe, 0]);
    await attempt(sealed(deliveryTo(target.url)), { body: bytes });
    const { body, headers } = await received(target);
    expect(body).toEqual(bytes);
    const { createHmac } = await import('node:crypto');
    const expected = createHmac('sha256', Buffer.from(SECRET.slice(6), 'base64'))
      .update(`evt_1.${headers['webhook-timestamp']}.`)
      .update(bytes)
      .digest('base64');
    expect(headers['webhook-signature']).toBe(`v1,${expected}`);
  });

  test("the attempt's number and trigger", async () => {
    const target = await httpReceiver();
    await attempt(deliveryTo(target.url, { attempts: 4, probes: 3, trigger: 'replay' }));
    expect((await received(target)).headers).toMatchObject({
      'x-hookrelay-attempt': '8',
      'x-hookrelay-trigger': 'replay',
    });
  });
});

describe('an attempt does not send', () => {
  const dead = (code: string) =>
    expect.objectContaining({
      attempt: expect.objectContaining({
        responseCode: null,
        responseHeaders: null,
        responseBody: null,
        durationMs: 0,
        error: { code, message: expect.stringMatching(/./) },
        requestHeaders: null,
      }),
      timedOut: false,
      reach: 'not_sent',
      holdMs: null,
      next: { state: 'dead' },
    });

  test.each([
    ['none', [], true],
    ['5', ['x-hookrelay-hops', '5'], true],
    ['6', ['X-Hookrelay-Hops', '6'], false],
    ['999', ['x-hookrelay-hops', '999'], false],
    ['what is no number', ['x-hookrelay-hops', 'six'], true],
    ['nothing', ['x-hookrelay-hops', ''], true],
    ['a negative number', ['x-hookrelay-hops', '-6'], true],
  ])('a request in a loop: hops of %s', async (_name, rawHeaders, isSent) => {
    const target = await httpReceiver();
    const settlement = await attempt(deliveryTo(target.url), { rawHeaders });
    if (isSent) {
      expect(settlement?.next).toEqual({ state: 'succeeded' });
      const came = Number(rawHeaders[1]);
      const hops = (await received(target)).headers['x-hookrelay-hops'];
      expect(hops).toBe(String(came > 0 ? came + 1 : 1));
    } else {
      expect(settlement).toEqual(dead('loop'));
      expect(target.requests).toEqual([]);
    }
  });

  test('to a path outside the destination’s own', async () => {
    const target = await httpReceiver();
    const settlement = await attempt(deliveryTo(`${target.url}/hook`), { path: '/../admin' });
    expect(settlement).toEqual(dead('invalid_path'));
    expect(target.requests).toEqual([]);
  });

  test('an unsigned request when the secret can’t be opened', async () => {
    const target = await httpReceiver();
    const settlement = await attempt(
      sealed(deliveryTo(target.url)),
      {},
      { openSecret: () => null },
    );
    expect(settlement).toEqual(dead('secret_unreadable'));
    expect(target.requests).toEqual([]);
  });

  test('anything once the server drains, and records nothing', async () => {
    const target = await httpReceiver();
    const signal = AbortSignal.abort();
    expect(await attempt(deliveryTo(target.url), {}, { signal })).toBeNull();
    expect(target.requests).toEqual([]);
  });
});

describe('the next state', () => {
  test.each<[string, number, Record<string, string>, number, object]>([
    ['500', 500, {}, 0, { delay: 1000 }],
    ['the second 500', 500, {}, 1, { delay: 5000 }],
    ['the last 500', 500, {}, 2, { state: 'dead' }],
    ['a redirect', 302, { location: '/elsewhere' }, 0, { delay: 1000 }],
    ['404', 404, {}, 0, { delay: 1000 }],
    ['410', 410, {}, 0, { state: 'dead' }],
    ['429 with Retry-After', 429, { 'retry-after': '30' }, 0, { delay: 30_000 }],
    ['503 with a large Retry-After', 503, { 'retry-after': '1000000000' }, 0, { delay: 60_000 }],
    ['503 with a small Retry-After', 503, { 'retry-after': '0' }, 0, { delay: 1000 }],
    ['429 with a bad Retry-After', 429, { 'retry-after': 'soon' }, 0, { delay: 1000 }],
    ['500 with Retry-After', 500, { 'retry-after': '30' }, 0, { delay: 1000 }],
    ['202', 202, {}, 0, { state: 'succeeded' }],
    ['204', 204, {}, 2, { state: 'succeeded' }],
  ])('%s', async (_name, code, headers, attempts, expected) => {
    const target = await httpReceiver(status(code, headers));
    // The clock stands still, so the delay is only the policy's.
    const clock = { now: () => 1_000_000, monotonic: () => performance.now() };
    const settlement = await attempt(deliveryTo(target.url, { attempts }), {}, { clock });
    const { delay } = expected as { delay?: number };
    expect(settlement?.attempt.responseCode).toBe(code);
    expect(settlement?.next).toEqual(
      delay === undefined ? expected : { state: 'pending', nextAttemptAt: 1_000_000 + delay },
    );
    expect(target.requests).toHaveLength(1);
  });

  test.each<[string, Parameters<typeof attempt>[2], (begun: Begun) => Begun]>([
    [
      'a secret that throws',
      {
        openSecret() {
          throw new Error('a bug');
        },
      },
      sealed,
    ],
    [
      'a transport that throws',
      {
        transport: {
          attempt() {
            throw new Error('a bug');
          },
        },
      },
      (claim) => claim,
    ],
    [
      'a stored URL that is none',
      {},
      (begun) => ({ ...begun, destination: { ...begun.destination, url: 'damaged' } }),
    ],
  ])('a fault of our own, %s, is recorded, retried later, and logged', async (_, given, of) => {
    const target = await httpReceiver();
    const clock = { now: () => 1_000_000, monotonic: () => performance.now() };
    const logged: string[] = [];
    const log = { ...silentLog, error: (message: string) => void logged.push(message) };
    for (const [attempts, next] of [
      [0, { state: 'pending', nextAttemptAt: 1_001_000 }],
      [2, { state: 'dead' }],
    ] as const) {
      const begun = of(deliveryTo(target.url, { attempts }));
      const settlement = await attempt(begun, {}, { ...given, clock, log });
      expect(settlement?.attempt).toMatchObject({
        responseCode: null,
        error: { code: 'internal', message: expect.not.stringContaining('bug') },
      });
      expect(settlement?.reach).toBe('not_sent');
      expect(settlement?.next).toEqual(next);
    }
    expect(logged).toHaveLength(2);
    expect(target.requests).toEqual([]);
  });

  test('a damaged stored request is recorded, retried later, and logged', async () => {
    const target = await httpReceiver();
    const logged: unknown[] = [];
    const log = { ...silentLog, error: (...line: unknown[]) => void logged.push(line) };
    const settlement = await attempt(deliveryTo(target.url), 'damaged', { log });
    expect(settlement?.attempt.error?.code).toBe('request_unreadable');
    expect(settlement?.reach).toBe('not_sent');
    expect(settlement?.next.state).toBe('pending');
    expect(target.requests).toEqual([]);
    expect(logged).toEqual([
      [
        expect.stringContaining('damaged'),
        { delivery: 'dlv_1', event: 'evt_1', hint: expect.stringContaining('doctor --full') },
      ],
    ]);
  });

  test("a timeout counts against the destination's health", async () => {
    const target = await httpReceiver(() => {});
    const settlement = await attempt(deliveryTo(target.url), {}, { timeoutMs: 50 });
    expect(settlement?.timedOut).toBe(true);
    expect(settlement?.reach).toBe('failed');
    expect(settlement?.attempt.error?.code).toBe('timeout');
    expect(settlement?.next.state).toBe('pending');
  });
});
