import type { LookupFunction } from 'node:net';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import type { Destination } from '../../../src/core/model.ts';
import { Keys } from '../../../src/core/secrets/keys.ts';
import { destinationSettingsSchema } from '../../../src/core/settings/destination-settings.ts';
import { attemptDelivery } from '../../../src/delivery/attempt/attempt-delivery.ts';
import { failOnLeaks } from '../../fixtures/leaks.ts';
import { httpReceiver, ok, type Received, type Respond, status } from '../../fixtures/receiver.ts';
import { silentLog } from '../../fixtures/silent-log.ts';
import { attempt, type Begun, deliveryTo, POLICY, REQUEST } from '../made-attempts.ts';
import { answering, flood, receiver } from '../receivers.ts';

failOnLeaks();

const NOW = 1_700_000_000_000;
const clock = { now: () => NOW, monotonic: () => performance.now() };
const keys = new Keys(Buffer.alloc(32, 1));
const openSecret = (sealed: Uint8Array, id: string) => keys.open(sealed, id);
const OLD = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
const NEW = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const S = 1000;
const H = 3_600_000;

const seal = (text: string, owner = 'dst_1') => keys.seal(text, owner);

/** A delivery to a destination that has these fields too. */
function having(begun: Begun, fields: Partial<Destination>): Begun {
  return { ...begun, destination: { ...begun.destination, ...fields } };
}

/** Settings as an API call gives them. */
const settings = (given: object) => v.parse(destinationSettingsSchema, given);

function verifies(secret: string, { body, headers }: Received): boolean {
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
}

describe('during a rotation', () => {
  const rotated = (url: string, until: number) =>
    having(deliveryTo(url), {
      sealedSecret: seal(NEW),
      previousSecret: { sealed: seal(OLD), until },
    });

  test('receivers with the new secret and with the old one verify an attempt', async () => {
    const target = await httpReceiver();
    const begun = rotated(target.url, Date.now() + H);
    await attempt(begun, {}, { openSecret });
    const [request] = (await target.received(1)) as [Received];
    expect(verifies(NEW, request)).toBe(true);
    expect(verifies(OLD, request)).toBe(true);
    expect(verifies('whsec_AAAA', request)).toBe(false);
    const [first, second, ...more] = String(request.headers['webhook-signature']).split(' ');
    expect(more).toEqual([]);
    const alone = (signature?: string) => ({
      ...request,
      headers: { ...request.headers, 'webhook-signature': signature },
    });
    expect([verifies(NEW, alone(first)), verifies(OLD, alone(first))]).toEqual([true, false]);
    expect([verifies(NEW, alone(second)), verifies(OLD, alone(second))]).toEqual([false, true]);
  });

  test('the old secret signs until its end, and not at it', async () => {
    const target = await httpReceiver();
    for (const until of [NOW + 1, NOW, NOW - 1]) {
      await attempt(rotated(target.url, until), {}, { openSecret, clock });
    }
    const signatures = target.requests.map(({ headers }) =>
      String(headers['webhook-signature']).split(' '),
    );
    expect(signatures.map(({ length }) => length)).toEqual([2, 1, 1]);
    expect(signatures[1]?.[0]).toBe(signatures[0]?.[0]);
  });

  test('an old secret that can’t be opened is left out', async () => {
    const target = await httpReceiver();
    const begun = having(rotated(target.url, NOW + H), {
      previousSecret: { sealed: seal(OLD, 'dst_2'), until: Date.now() + H },
    });
    await attempt(begun, {}, { openSecret });
    const [request] = (await target.received(1)) as [Received];
    expect(verifies(NEW, request)).toBe(true);
    expect(request.headers['webhook-signature']).not.toContain(' ');
  });

  test('a destination without a secret has no signature', async () => {
    const target = await httpReceiver();
    const begun = having(rotated(target.url, Date.now() + H), { sealedSecret: null });
    await attempt(begun, {}, { openSecret });
    const [request] = (await target.received(1)) as [Received];
    expect(request.headers).not.toHaveProperty('webhook-signature');
  });
});

describe('a sealed URL', () => {
  const masked = (url: string) => `${url}/********`;

  test('is where attempts go, and their record has it masked', async () => {
    const target = await httpReceiver(({ target: path }, res) => {
      res.writeHead(200, { 'x-path': path }).end(`you asked for ${path}`);
    });
    const url = masked(target.url);
    const sealedUrl = seal(`${target.url}/services/T0/secret`);
    const settings = { ...deliveryTo(url).destination.settings, path: 'ignore' as const };
    const begun = having(deliveryTo(url), { sealedUrl, settings });
    const settlement = await attempt(begun, {}, { openSecret });
    expect((await target.received(1))[0]?.target).toBe('/services/T0/secret');
    expect(settlement?.attempt.destinationUrl).toBe(url);
    expect(JSON.stringify(settlement)).not.toContain('secret');
  });

  test('that cannot be opened is sent to nobody', async () => {
    const target = await httpReceiver();
    const sealedUrl = seal(target.url, 'dst_2');
    const begun = having(deliveryTo(masked(target.url)), { sealedUrl });
    const settlement = await attempt(begun, {}, { openSecret });
    expect(settlement).toMatchObject({ attempt: { error: { code: 'secret_unreadable' } } });
    expect(target.requests).toEqual([]);
  });

  test('counts for nothing beside one in clear, which an older node has set', async () => {
    const target = await httpReceiver();
    const begun = having(deliveryTo(target.url), { sealedUrl: seal('https://old.invalid/') });
    expect((await attempt(begun, {}, { openSecret }))?.next).toEqual({ state: 'succeeded' });
  });
});

describe('the destination’s headers', () => {
  const HEADERS = { authorization: 'Bearer of a long token', 'X-Tenant': 'acme' };

  test('are sent after the sender’s, and masked on record', async () => {
    const target = await httpReceiver();
    const begun = having(deliveryTo(target.url), { sealedHeaders: seal(JSON.stringify(HEADERS)) });
    const rawHeaders = ['Authorization', 'Basic theirs', 'x-tenant', 'theirs', 'X-A', '1'];
    const settlement = await attempt(begun, { rawHeaders }, { openSecret });
    const [request] = (await target.received(1)) as [Received];
    const sent = pairsOf(request.rawHeaders);
    expect(sent.slice(2, 5)).toEqual([
      ['X-A', '1'],
      ['authorization', 'Bearer of a long token'],
      ['X-Tenant', 'acme'],
    ]);
    expect(settlement?.attempt.requestHeaders).toEqual(
      sent.map(([name, value]) => {
        if (name === 'authorization') return [name, '********oken'];
        return [name, name === 'X-Tenant' ? '********' : value];
      }),
    );
  });

  test.each([
    ['sealed for another destination', seal(JSON.stringify(HEADERS), 'dst_2')],
    ['damaged', Buffer.from('damaged')],
    ['no headers', seal('authorization: x')],
    ['headers that would break the request', seal('{"content-length":"0"}')],
  ])('are not sent, nor the request, when they are %s', async (_what, sealedHeaders) => {
    const target = await httpReceiver();
    const settlement = await attempt(
      having(deliveryTo(target.url), { sealedHeaders }),
      {},
      { openSecret },
    );
    expect(settlement).toMatchObject({
      attempt: { error: { code: 'secret_unreadable' }, requestHeaders: null },
      reach: 'not_sent',
      next: { state: 'dead' },
    });
    expect(target.requests).toEqual([]);
  });

  test('never stand in the record of an attempt', async () => {
    const target = await httpReceiver();
    const secret = fc.stringMatching(/^[!-~]{9,30}$/).filter((text) => !/^\*+$/.test(text));
    await fc.assert(
      fc.asyncProperty(fc.array(secret, { minLength: 1, maxLength: 5 }), async (secrets) => {
        const set = Object.fromEntries(secrets.map((value, i) => [`x-key-${i}`, value]));
        const begun = having(deliveryTo(target.url), { sealedHeaders: seal(JSON.stringify(set)) });
        const settlement = await attempt(begun, { rawHeaders: ['X-Key-0', 'x'] }, { openSecret });
        const kept = Object.fromEntries(settlement?.attempt.requestHeaders ?? []);
        for (const [i, value] of secrets.entries()) {
          expect(kept[`x-key-${i}`]).toBe(`********${value.slice(-4)}`);
        }
      }),
      { numRuns: 20 },
    );
  });
});

describe('path', () => {
  test('ignore sends to the URL as it is', async () => {
    const target = await httpReceiver();
    const begun = deliveryTo(`${target.url}/hook/?key=1`, {}, settings({ path: 'ignore' }));
    await attempt(begun);
    await attempt(begun, { path: '/../admin', query: '' });
    expect(target.requests.map((request) => request.target)).toEqual([
      '/hook/?key=1',
      '/hook/?key=1',
    ]);
  });
});

describe('timeout', () => {
  const after =
    (ms: number): Respond =>
    (request, res) =>
      void setTimeout(ok, ms, request, res);

  test('of the destination is longer than the server’s', async () => {
    const target = await httpReceiver(after(200));
    const begun = deliveryTo(target.url, {}, settings({ timeout: '30s' }));
    expect((await attempt(begun, {}, { timeoutMs: 50 }))?.next.state).toBe('succeeded');
  });

  test('of the destination bounds its connection too', async () => {
    const target = await httpReceiver();
    const lookup: LookupFunction = (_name, _options, callback) =>
      void setTimeout(callback, 200, null, [{ address: '127.0.0.1', family: 4 }]);
    const url = `http://slow.example:${new URL(target.url).port}`;
    const begun = deliveryTo(url, {}, settings({ timeout: '30s' }));
    const names = { lookup, resolve: () => Promise.resolve([]) };
    const settlement = await attempt(begun, {}, { timeoutMs: 50, names });
    expect(settlement?.next.state).toBe('succeeded');
  });

  test('of the destination is shorter than the server’s', async () => {
    const target = await httpReceiver(() => {});
    const begun = deliveryTo(target.url, {}, settings({ timeout: '1s' }));
    const settlement = await attempt(begun, {}, { timeoutMs: 60_000 });
    expect(settlement?.attempt.error?.message).toBe('No response after 1000 ms.');
    expect(settlement?.timedOut).toBe(true);
  });
});

describe('retry', () => {
  const SCHEDULE = { schedule: ['0s', '5m', '2h'] };
  const GROWING = { attempts: 2, base: '2s', factor: 3, max: '1h' };

  test.each<[string, object, number, Record<string, string>, number, object, number | null]>([
    ['its own first delay', GROWING, 500, {}, 0, { delay: 2 * S }, null],
    ['its own number of attempts', GROWING, 500, {}, 1, { state: 'dead' }, null],
    ['a schedule’s first entry', SCHEDULE, 500, {}, 0, { delay: 0 }, null],
    ['a schedule’s last entry', SCHEDULE, 500, {}, 2, { delay: 2 * H }, null],
    ['the end of a schedule', SCHEDULE, 500, {}, 3, { state: 'dead' }, null],
    ['Retry-After', SCHEDULE, 429, { 'retry-after': '60' }, 0, { delay: 60 * S }, 60 * S],
    ['less than its delay', SCHEDULE, 503, { 'retry-after': '60' }, 1, { delay: 300 * S }, 60 * S],
    ['too much', GROWING, 503, { 'retry-after': '99999' }, 0, { delay: H }, H],
    [
      'too much of a schedule',
      SCHEDULE,
      503,
      { 'retry-after': '9999' },
      0,
      { delay: 2 * H },
      2 * H,
    ],
    ['no wait', GROWING, 503, { 'retry-after': '0' }, 0, { delay: 2 * S }, null],
    ['a wait that a 500 asks', GROWING, 500, { 'retry-after': '60' }, 0, { delay: 2 * S }, null],
    ['410, kept', { ...GROWING, give_up_on: [] }, 410, {}, 0, { delay: 2 * S }, null],
    ['4xx', { ...GROWING, give_up_on: ['4xx'] }, 404, {}, 0, { state: 'dead' }, null],
    ['4xx, but 429', { ...GROWING, give_up_on: ['4xx'] }, 429, {}, 0, { delay: 2 * S }, null],
  ])('%s', async (_what, retry, code, headers, attempts, expected, holdMs) => {
    const target = await httpReceiver(status(code, headers));
    const begun = deliveryTo(target.url, { attempts }, settings({ retry }));
    const settlement = await attempt(begun, {}, { clock });
    const { delay } = expected as { delay?: number };
    expect(settlement?.next).toEqual(
      delay === undefined ? expected : { state: 'pending', nextAttemptAt: NOW + delay },
    );
    expect(settlement?.holdMs).toBe(holdMs);
  });
});

describe('the reach', () => {
  test.each([
    [200, 'answered'],
    [302, 'answered'],
    [404, 'answered'],
    [410, 'answered'],
    [429, 'failed'],
    [500, 'failed'],
    [503, 'failed'],
  ])('of a %i is %s', async (code, reach) => {
    const target = await httpReceiver(status(code));
    expect((await attempt(deliveryTo(target.url)))?.reach).toBe(reach);
  });

  test('of no connection is failed', async () => {
    const target = await httpReceiver();
    await target.close();
    const settlement = await attempt(deliveryTo(target.url));
    expect(settlement).toMatchObject({
      reach: 'failed',
      attempt: { error: { code: 'connect_refused' }, requestHeaders: null },
    });
  });

  test('of a name that doesn’t resolve is failed', async () => {
    const gone = Object.assign(new Error('gone'), { code: 'ENOTFOUND' });
    const lookup: LookupFunction = (_name, _options, callback) => callback(gone, []);
    const names = { lookup, resolve: () => Promise.reject(gone) };
    const settlement = await attempt(deliveryTo('http://gone.example'), {}, { names });
    expect(settlement).toMatchObject({
      reach: 'failed',
      attempt: { error: { code: 'dns_error' }, requestHeaders: null },
    });
  });

  test('of a blocked address is not_sent', async () => {
    const target = await httpReceiver();
    const url = target.url.replace('http:', 'https:');
    const settlement = await attempt(deliveryTo(url), {}, { allowPrivate: false });
    expect(settlement).toMatchObject({
      reach: 'not_sent',
      attempt: { error: { code: 'blocked_address' } },
    });
  });

  test.each([
    ['no HTTP', 'SSH-2.0-OpenSSH_9.6\r\n\r\n', 'invalid_response'],
    ['an upgrade', 'HTTP/1.1 101 Switching Protocols\r\n\r\n', 'invalid_response'],
  ])('of %s is failed', async (_what, answer, code) => {
    const target = await answering(answer);
    const settlement = await attempt(deliveryTo(target.origin));
    expect(settlement).toMatchObject({ reach: 'failed', attempt: { error: { code } } });
  });

  test('of a reset is failed, and its headers were sent', async () => {
    const target = await receiver((socket) => void socket.once('data', () => socket.destroy()));
    const settlement = await attempt(deliveryTo(target.origin));
    expect(settlement).toMatchObject({ reach: 'failed', attempt: { error: { code: 'reset' } } });
    expect(settlement?.attempt.requestHeaders?.[0]).toEqual(['host', `127.0.0.1:${target.port}`]);
  });

  test('of a flood is failed', async () => {
    const early = 'HTTP/1.1 103 Early Hints\r\n\r\n';
    const target = await receiver((socket) => flood(socket, '', early));
    const settlement = await attempt(deliveryTo(target.origin, {}, settings({ timeout: '30s' })));
    expect(settlement).toMatchObject({
      reach: 'failed',
      attempt: { error: { code: 'response_flood' } },
    });
  });

  test.each([
    [200, 'answered', null],
    [500, 'failed', 'timeout'],
    [404, 'failed', 'timeout'],
  ])('of a %i whose body never ends is %s', async (code, reach, error) => {
    const target = await httpReceiver((_request, res) => {
      res.writeHead(code, { 'content-length': 100 }).write('begun');
    });
    const settlement = await attempt(deliveryTo(target.url), {}, { timeoutMs: 100 });
    expect(settlement).toMatchObject({ reach, timedOut: true, attempt: { responseCode: code } });
    expect(settlement?.attempt.error?.code ?? null).toBe(error);
  });
});

describe('a probe', () => {
  const probing = (url: string, attempts = 0) =>
    deliveryTo(url, { attempts, probes: 4, probe: 'oldest' });

  test.each<[string, Respond, object]>([
    ['503', status(503, { 'retry-after': '60' }), { next: { state: 'held' }, holdMs: 60 * S }],
    ['500 after the last attempt', status(500), { next: { state: 'held' }, holdMs: null }],
    ['404', status(404), { next: { state: 'dead' } }],
    ['410', status(410), { next: { state: 'dead' } }],
    ['200', ok, { next: { state: 'succeeded' } }],
  ])('that is answered %s', async (_what, respond, expected) => {
    const target = await httpReceiver(respond);
    const settlement = await attempt(probing(target.url, POLICY.attempts - 1));
    expect(settlement).toMatchObject(expected);
    expect(target.requests[0]?.headers['x-hookrelay-attempt']).toBe(`${POLICY.attempts + 4}`);
  });

  test('that is answered 404 counts as an attempt', async () => {
    const target = await httpReceiver(status(404));
    const settlement = await attempt(probing(target.url), {}, { clock });
    expect(settlement?.next).toEqual({ state: 'pending', nextAttemptAt: NOW + S });
  });

  test('that couldn’t be sent is held', async () => {
    const target = await httpReceiver();
    const damaged = await attempt(probing(target.url), 'damaged');
    expect(damaged).toMatchObject({ reach: 'not_sent', next: { state: 'held' } });
    const { claim, destination } = probing(target.url);
    const broken = await attemptDelivery(
      claim,
      { destination, request: REQUEST, signer: null },
      {
        transport: { attempt: () => Promise.reject(new Error('a bug')) },
        clock,
        log: silentLog,
        policy: POLICY,
        random: Math.random,
      },
    );
    expect(broken).toMatchObject({ reach: 'not_sent', next: { state: 'held' } });
  });

  test('with a secret that can’t be opened leaves its delivery dead', async () => {
    const target = await httpReceiver();
    const begun = having(probing(target.url), { sealedSecret: seal(NEW, 'dst_2') });
    expect(await attempt(begun, {}, { openSecret })).toMatchObject({
      reach: 'not_sent',
      next: { state: 'dead' },
    });
  });
});

function pairsOf(flat: readonly string[]): string[][] {
  return flat.flatMap((name, i) => (i % 2 === 0 ? [[name, flat[i + 1] as string]] : []));
}
