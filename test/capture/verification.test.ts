import { createHmac } from 'node:crypto';
import http from 'node:http';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { EndpointAnswer } from '../../src/api/endpoints/endpoint-answer.ts';
import { type Account, callApi, expectStatus, register } from '../fixtures/account.ts';
import { type Answer, type RequestOptions, request } from '../fixtures/http-request.ts';
import { failOnLeaks } from '../fixtures/leaks.ts';
import { connect } from '../fixtures/raw-connection.ts';
import { httpReceiver } from '../fixtures/receiver.ts';
import { serverOfFile } from '../fixtures/running-server.ts';
import { until } from '../fixtures/until.ts';

failOnLeaks();
const server = serverOfFile();
const SECRET = 'the secret of the sender';
const OTHER = 'the secret of another sender';
const MiB = 1024 * 1024;
const AT_ONCE = 100;

let account: Account;

beforeAll(async () => {
  server.secrets.push(SECRET, OTHER, signature('{}'));
  account = await register(server);
});

function signature(body: string | Uint8Array, secret = SECRET): string {
  return createHmac('sha256', secret).update(body).digest('hex');
}

/** The header of GitHub's signature. */
function signed(body: string | Uint8Array, secret = SECRET): Record<string, string> {
  return { 'x-hub-signature-256': `sha256=${signature(body, secret)}` };
}

function send(
  { capture_url }: EndpointAnswer,
  body: string | Uint8Array,
  headers: RequestOptions['headers'] = signed(body),
  options: RequestOptions = {},
): Promise<Answer> {
  return request(capture_url, { method: 'POST', body, ...options, headers });
}

async function change({ id }: EndpointAnswer, patch: Record<string, unknown>): Promise<void> {
  expectStatus(200, await account.call('PATCH', `/api/endpoints/${id}`, patch));
}

/** An endpoint that GitHub sends to. */
function endpointOf(source: Record<string, unknown> = {}, more = {}): Promise<EndpointAnswer> {
  return account.createEndpoint({
    source: { provider: 'github', secrets: [SECRET], ...source },
    ...more,
  });
}

async function verificationOf(endpoint: EndpointAnswer, { json }: Answer) {
  return (await account.event(endpoint, json.event_id)).verification;
}

async function rejectedOf({ id }: EndpointAnswer) {
  return expectStatus(200, await account.call('GET', `/api/endpoints/${id}/rejected?limit=100`));
}

/** How many requests the fast path took, and how many it handed over. */
async function fastPath(): Promise<{ taken: number; handedOver: number }> {
  const { text } = await callApi(server, 'GET', '/metrics');
  const sum = (name: RegExp) =>
    [...text.matchAll(name)].reduce((all, [, count]) => all + Number(count), 0);
  return {
    taken: sum(/^hookrelay_fast_path_requests_total (\d+)$/gm),
    handedOver: sum(/^hookrelay_fast_path_handovers_total\{cause="(?!route)[^}]*\} (\d+)$/gm),
  };
}

const VERIFIED = { state: 'verified', provider: 'github', secret: 1, reason: null };
const FAILED = { ...VERIFIED, state: 'failed', secret: null, reason: 'signature_mismatch' };
const NOT_CHECKED = { state: 'unverified', provider: null, secret: null, reason: null };

describe('an event', () => {
  test('is verified, failed or unverified, on the fast path', async () => {
    const endpoint = await endpointOf();
    const plain = await account.createEndpoint();
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    const before = await fastPath();
    const answers = [
      await send(endpoint, '{}', signed('{}'), { agent }),
      await send(endpoint, '{}', signed('{ }'), { agent }),
      await send(endpoint, '{}', {}, { agent }),
      await send(plain, '{}', signed('{}'), { agent }),
    ];
    await change(endpoint, { source: { enforce: true } });
    const refused = await send(endpoint, '{}', {}, { agent });
    const after = await fastPath();
    expect(refused.status).toBe(401);
    expect(after.taken - before.taken).toBe(5);
    expect(after.handedOver).toBe(before.handedOver);
    expect(await verificationOf(endpoint, answers[0] as Answer)).toEqual(VERIFIED);
    expect(await verificationOf(endpoint, answers[1] as Answer)).toEqual(FAILED);
    expect(await verificationOf(endpoint, answers[2] as Answer)).toEqual({
      ...FAILED,
      reason: 'signature_missing',
    });
    expect(await verificationOf(plain, answers[3] as Answer)).toEqual(NOT_CHECKED);
  });

  test('goes to destinations by its verdict, and a bulk replay judges that again', async () => {
    const receiver = await httpReceiver();
    const endpoint = await endpointOf();
    const filter = 'verification=verified';
    const { id } = await account.addDestination(endpoint, receiver.url, undefined, { filter });
    await send(endpoint, '"forged"', signed('"forged"', OTHER));
    await send(endpoint, '"signed"');
    await receiver.received(1);
    const path = `/api/endpoints/${endpoint.id}`;
    const changed = { filter: 'verification=failed' };
    expectStatus(200, await account.call('PATCH', `${path}/destinations/${id}`, changed));
    expectStatus(202, await account.call('POST', `${path}/replay`, { filtered_by: id }));
    await receiver.received(2);
    expect(receiver.requests.map(({ body }) => body.toString())).toEqual(['"signed"', '"forged"']);
  });

  test('is verified by any secret', async () => {
    const endpoint = await endpointOf({ secrets: [OTHER, SECRET] });
    expect(await verificationOf(endpoint, await send(endpoint, 'x'))).toEqual({
      ...VERIFIED,
      secret: 2,
    });
    const other = await send(endpoint, 'x', signed('x', OTHER));
    expect(await verificationOf(endpoint, other)).toEqual(VERIFIED);
  });

  test('is verified by the secret of now', async () => {
    const endpoint = await endpointOf();
    for (let round = 0; round < 10; round++) {
      const [right, wrong] = round % 2 === 0 ? [OTHER, SECRET] : [SECRET, OTHER];
      await change(endpoint, { source: { secrets: [right] } });
      const answers = await Promise.all([
        send(endpoint, 'x', signed('x', right)),
        send(endpoint, 'x', signed('x', wrong)),
      ]);
      const states = await Promise.all(answers.map((one) => verificationOf(endpoint, one)));
      expect(states.map(({ state }) => state)).toEqual(['verified', 'failed']);
    }
    await change(endpoint, { source: null });
    expect(await verificationOf(endpoint, await send(endpoint, 'x'))).toEqual(NOT_CHECKED);
  });

  test.each([64 * 1024, 64 * 1024 + 1, MiB])('of %d bytes is verified', async (size) => {
    const endpoint = await endpointOf({ enforce: true });
    const body = Buffer.alloc(size, '{"a":1}');
    expect(await verificationOf(endpoint, await send(endpoint, body))).toEqual(VERIFIED);
    body[size - 1] = 0;
    const forged = await send(endpoint, body, signed(Buffer.alloc(size, '{"a":1}')));
    expect(forged.status).toBe(401);
    const { data } = await rejectedOf(endpoint);
    expect(data).toMatchObject([{ size, verification: FAILED }]);
  });

  test.each(['GET', 'HEAD', 'DELETE', 'OPTIONS'])('of a %s is verified too', async (method) => {
    const endpoint = await endpointOf({ enforce: true });
    const answer = await request(endpoint.capture_url, { method, headers: signed('') });
    expect(answer.status).toBe(200);
    const { data } = await account.list(endpoint);
    expect(data).toMatchObject([{ method }]);
    const forged = await request(endpoint.capture_url, { method, headers: signed('x') });
    expect(forged.status).toBe(401);
    expect((await rejectedOf(endpoint)).data).toMatchObject([{ method, size: 0 }]);
  });
});

describe('an enforced source', () => {
  test('refuses what fails, and says why without a secret', async () => {
    const endpoint = await endpointOf({ enforce: true });
    const answer = await send(endpoint, '{}', signed('{}', OTHER));
    expect(answer.status).toBe(401);
    expect(answer.json.error).toEqual({
      code: 'signature_invalid',
      message: expect.stringContaining('signature_mismatch'),
      hint: expect.stringContaining('secret'),
    });
    expect(answer.headers['x-hookrelay-event-id']).toBeUndefined();
    expect(answer.headers['access-control-allow-origin']).toBe('*');
    for (const told of [SECRET, signature('{}')]) expect(answer.text).not.toContain(told);
    const missing = await send(endpoint, '{}', {});
    expect(missing.json.error.message).toContain('signature_missing');
    expect((await account.list(endpoint)).total).toBe(0);
    expect((await rejectedOf(endpoint)).total).toBe(2);
    await change(endpoint, { source: { enforce: false } });
    expect(await verificationOf(endpoint, await send(endpoint, '{}', {}))).toMatchObject({
      state: 'failed',
    });
  });

  test('spares test events and edited copies', async () => {
    const endpoint = await endpointOf({ enforce: true });
    const path = `/api/endpoints/${endpoint.id}`;
    const sent = await account.call('POST', `${path}/test-events`, { sample: 'github.push' });
    const { event_id } = expectStatus(201, sent);
    const unverified = { ...NOT_CHECKED, provider: 'github' };
    expect((await account.event(endpoint, event_id)).verification).toEqual(unverified);
    const edited = await account.call('POST', `${path}/events/${event_id}/edit`, { body: 'x' });
    expect(expectStatus(201, edited).verification).toEqual({ ...unverified, reason: 'edited' });
  });

  test.each<[string, string | string[]]>([
    ['8 KB of commas', ','.repeat(8000)],
    ['8 KB of signatures', 'sha256=ab,'.repeat(800)],
    ['no hexadecimal', 'sha256=%%%%'],
    ['half a signature', 'sha256=abcdef'],
    ['Latin-1', 'sha256=\xe9\xff'],
    ['nothing', ''],
    ['only the prefix', 'sha256='],
    ['repeated ones', Array(200).fill('sha256=00')],
  ])('refuses a header of %s', async (_, value) => {
    const endpoint = await endpointOf({ enforce: true });
    const answer = await send(endpoint, '{}', { 'x-hub-signature-256': value });
    expect([answer.status, answer.json.error.code]).toEqual([401, 'signature_invalid']);
  });

  test('takes a right signature among wrong ones', async () => {
    const endpoint = await endpointOf({ enforce: true });
    const right = signed('{}')['x-hub-signature-256'] as string;
    const wrong = `sha256=${'0'.repeat(64)}`;
    const answer = await send(endpoint, '{}', { 'x-hub-signature-256': [wrong, right] });
    expect(await verificationOf(endpoint, answer)).toEqual(VERIFIED);
  });

  test('never sees headers that are too long or have a NUL', async () => {
    const endpoint = await endpointOf({ enforce: true });
    const head = `POST /in/${endpoint.public_token} HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\n`;
    for (const [value, status] of [
      [','.repeat(100_000), 431],
      ['sha256=\0', 400],
    ] as const) {
      const connection = await connect(server.port);
      connection.send(`${head}x-hub-signature-256: ${value}\r\n\r\n`);
      expect(await connection.status()).toBe(status);
    }
    expect((await rejectedOf(endpoint)).total).toBe(0);
  });

  test('keeps little of a flood, and takes what is verified beside it', async () => {
    const endpoint = await endpointOf({ enforce: true });
    const began = performance.now();
    const forged = '{"forged":true}';
    const answers = await Promise.all(
      Array.from({ length: 1000 }, (_, i) =>
        i % 20 === 0 ? send(endpoint, '{}') : send(endpoint, forged, signed(forged, OTHER)),
      ),
    );
    const windows = Math.ceil((performance.now() - began) / 1000) + 1;
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(50);
    expect(statuses.filter((status) => status === 401)).toHaveLength(950);
    const { total } = await rejectedOf(endpoint);
    expect(total).toBeGreaterThanOrEqual(20);
    expect(total).toBeLessThanOrEqual(20 * windows);
    expect((await account.list(endpoint)).total).toBe(50);
  });

  test('that changes in a flood counts for each request sent after the answer', async () => {
    const endpoint = await endpointOf({ enforce: true });
    const flood = () =>
      Promise.all(Array.from({ length: 200 }, () => send(endpoint, '{}', signed('{}', OTHER))));
    const isPatched = { value: false };
    const floods = (async () => {
      const answers: Answer[] = [];
      while (!isPatched.value) answers.push(...(await flood()));
      return answers;
    })();
    await until('a second keeps its share', async () => (await rejectedOf(endpoint)).total >= 20);
    await change(endpoint, { source: { secrets: [OTHER] } });
    const after = await flood();
    isPatched.value = true;
    expect(new Set(after.map(({ status }) => status))).toEqual(new Set([200]));
    const during = (await floods).map(({ status }) => status);
    expect(during).toContain(401);
  });
});

describe('a rejected request', () => {
  test('is accepted once, by the secrets of now', async () => {
    const receiver = await httpReceiver();
    const endpoint = await endpointOf({ enforce: true });
    await account.addDestination(endpoint, `${receiver.url}/`);
    const url = `${endpoint.capture_url}/sub?a=b`;
    const headers = { ...signed('{"a":1}', OTHER), 'x-github-event': 'push' };
    await request(url, { method: 'PUT', body: '{"a":1}', headers });
    const [{ id }] = (await rejectedOf(endpoint)).data;
    const accept = () =>
      account.call('POST', `/api/endpoints/${endpoint.id}/rejected/${id}/accept`);
    for (const enforce of [true, false]) {
      await change(endpoint, { source: { enforce } });
      const early = await accept();
      expect([early.status, early.json.error.code]).toEqual([409, 'not_verified']);
      expect(early.json.error.message).toContain('signature_mismatch');
    }
    expect((await rejectedOf(endpoint)).total).toBe(1);
    await change(endpoint, { source: { secrets: [SECRET, OTHER] } });
    const [first, second] = await Promise.all([accept(), accept()]);
    expect([first?.status, second?.status].toSorted()).toEqual([201, 404]);
    const event = [first, second].find((one) => one?.status === 201)?.json;
    expect(event).toMatchObject({
      method: 'PUT',
      path: '/sub',
      query: 'a=b',
      event_type: 'push',
      verification: { ...VERIFIED, secret: 2 },
    });
    expect((await rejectedOf(endpoint)).total).toBe(0);
    expect((await account.list(endpoint)).total).toBe(1);
    await receiver.received(1);
    expect(receiver.requests[0]?.target).toBe('/sub?a=b');
  });
});

describe('once only', () => {
  const delivery = (id: string, body = '{}', secret = SECRET) => ({
    ...signed(body, secret),
    'x-github-delivery': id,
  });

  test('of a hundred at once, one is the first and is delivered', async () => {
    const receiver = await httpReceiver();
    const endpoint = await endpointOf({}, { dedupe: { by: 'provider' } });
    await account.addDestination(endpoint, `${receiver.url}/`);
    const forged = await send(endpoint, '{}', delivery('d1', '{}', OTHER));
    expect(forged.json).toEqual({ received: true, event_id: expect.any(String) });
    const answers = await Promise.all(
      Array.from({ length: AT_ONCE }, () => send(endpoint, '{}', delivery('d1'))),
    );
    const firsts = answers.filter(({ json }) => json.duplicate_of === undefined);
    expect(firsts).toHaveLength(1);
    const first = firsts[0]?.json.event_id;
    for (const { status, json } of answers) {
      const repeats = json.event_id === first ? {} : { duplicate_of: first };
      expect([status, json]).toEqual([
        200,
        { received: true, event_id: json.event_id, ...repeats },
      ]);
    }
    // What the next one delivers is behind all of these.
    const last = await send(endpoint, '{}', delivery('d2'));
    await until('the last is delivered', async () => {
      return (await account.event(endpoint, last.json.event_id)).status === 'delivered';
    });
    await until('the forged one is delivered', async () => {
      return (await account.event(endpoint, forged.json.event_id)).status === 'delivered';
    });
    expect(receiver.requests.map(({ headers }) => headers['webhook-id']).toSorted()).toEqual(
      [forged.json.event_id, first, last.json.event_id].toSorted(),
    );
  });

  test('tells a repeat with another body, and starts again when its first is deleted', async () => {
    const endpoint = await account.createEndpoint({ dedupe: { by: ['header.x-id'] } });
    const sent = (body: string) => send(endpoint, body, { 'x-id': '1' });
    const first = (await sent('a')).json.event_id;
    const same = (await sent('a')).json;
    const other = (await sent('b')).json;
    expect([same.duplicate_of, other.duplicate_of]).toEqual([first, first]);
    expect(await account.event(endpoint, same.event_id)).toMatchObject({
      duplicate_of: first,
      duplicate_conflict: false,
    });
    expect(await account.event(endpoint, other.event_id)).toMatchObject({
      duplicate_of: first,
      duplicate_conflict: true,
    });
    const path = `/api/endpoints/${endpoint.id}/events/${first}`;
    expectStatus(204, await account.call('DELETE', path));
    expect((await sent('a')).json.duplicate_of).toBeUndefined();
  });

  test('counts from the change', async () => {
    const endpoint = await account.createEndpoint();
    const sent = async () => (await send(endpoint, 'a', { 'x-id': '1' })).json.duplicate_of;
    expect(await sent()).toBeUndefined();
    await change(endpoint, { dedupe: { by: ['header.x-id'] } });
    expect([await sent(), await sent()]).toEqual([undefined, expect.any(String)]);
    await change(endpoint, { dedupe: { by: ['header.x-id', 'method'] } });
    expect([await sent(), await sent()]).toEqual([undefined, expect.any(String)]);
    await change(endpoint, { dedupe: null });
    expect(await sent()).toBeUndefined();
  });

  test('leaves an endpoint’s own answer as it is', async () => {
    const response = { status: 202, content_type: 'text/plain', body: 'ok' };
    const endpoint = await account.createEndpoint({ dedupe: { by: ['body'] }, response });
    expect((await send(endpoint, 'a', {})).status).toBe(202);
    const again = await send(endpoint, 'a', {});
    expect([again.status, again.text]).toEqual([202, 'ok']);
    expect((await account.list(endpoint, '?duplicates=only')).total).toBe(1);
  });
});
