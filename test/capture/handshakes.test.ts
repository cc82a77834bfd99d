import { createHash, generateKeyPairSync } from 'node:crypto';
import http from 'node:http';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { EndpointAnswer } from '../../src/api/endpoints/endpoint-answer.ts';
import { type Account, expectStatus, register } from '../fixtures/account.ts';
import { type Answer, request } from '../fixtures/http-request.ts';
import { failOnLeaks } from '../fixtures/leaks.ts';
import { httpReceiver } from '../fixtures/receiver.ts';
import { serverOfFile } from '../fixtures/running-server.ts';
import { CHALLENGE, hmac, URL_CHECKS, type UrlCheck } from '../fixtures/url-checks.ts';

/* Checks of a capture URL by the provider of the endpoint's source. */

failOnLeaks();
const server = serverOfFile();
const OTHER = 'cd'.repeat(16);
const REFUSED_AT_ONCE = 100;

let account: Account;

beforeAll(async () => {
  account = await register(server);
});

function endpointOf({ provider, secret }: UrlCheck, enforce: boolean): Promise<EndpointAnswer> {
  return account.createEndpoint({ source: { provider, secrets: [secret], enforce } });
}

function send(
  { capture_url }: EndpointAnswer,
  { method = 'POST', query, body, headers, secret }: UrlCheck,
  agent?: http.Agent,
): Promise<Answer> {
  return request(`${capture_url}${query === undefined ? '' : `?${query}`}`, {
    method,
    headers: headers?.(secret, Date.now()) ?? {},
    ...(method === 'POST' && { body: body ?? '' }),
    ...(agent && { agent }),
  });
}

/** The events of an endpoint, newest first, with all that is known of each. */
async function listed(endpoint: EndpointAnswer) {
  const { data } = await account.list(endpoint);
  return Promise.all(data.map(({ id }: { id: string }) => account.event(endpoint, id)));
}

async function rejectedOf({ id }: EndpointAnswer) {
  return expectStatus(200, await account.call('GET', `/api/endpoints/${id}/rejected`));
}

function expectAnswer(answer: Answer, { status = 200, json, text = '' }: UrlCheck): void {
  expect(answer.status, answer.text).toBe(status);
  expect(answer.headers['x-content-type-options']).toBe('nosniff');
  if (json) {
    expect(answer.json).toEqual(json);
    expect(answer.headers['content-type']).toBe('application/json');
  } else {
    expect(answer.text).toBe(text);
    if (status === 200) expect(answer.headers['content-type']).toMatch(/^text\/plain/);
  }
}

describe.each(URL_CHECKS.map((check) => [check.name, check] as const))('%s', (_, check) => {
  test.each([true, false])(
    'is answered, twice, and not delivered; enforced: %s',
    async (enforce) => {
      const receiver = await httpReceiver();
      const endpoint = await endpointOf(check, enforce);
      await account.addDestination(endpoint, receiver.url);
      const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
      onTestFinished(() => agent.destroy());
      expectAnswer(await send(endpoint, check, agent), check);
      expectAnswer(await send(endpoint, check, agent), check);
      const events = await listed(endpoint);
      expect(events).toHaveLength(2);
      for (const event of events) {
        expect(event).toMatchObject({
          status: 'received',
          duplicate_of: null,
          verification: {
            ...{ state: 'unverified', provider: check.provider },
            ...{ secret: null, reason: null },
          },
        });
        expect(await account.attempts(endpoint, event.id)).toEqual([]);
      }
      expect((await rejectedOf(endpoint)).total).toBe(0);
      expect(receiver.requests).toEqual([]);
    },
  );

  test.each([true, false])(
    'with another signature is as is right; enforced: %s',
    async (enforce) => {
      const endpoint = await endpointOf(check, enforce);
      const answer = await send(endpoint, { ...check, secret: OTHER });
      const [event] = await listed(endpoint);
      const { total } = await rejectedOf(endpoint);
      if (check.forged === 'answered') {
        expectAnswer(answer, check);
        expect(event.verification.state).toBe('unverified');
      } else if (check.forged === 'refused') {
        expect(answer.status).toBe(401);
        expect(answer.text).toBe('');
        expect([event, total]).toEqual([undefined, 1]);
      } else if (enforce) {
        expect(answer.status).toBe(401);
        expect([event, total]).toEqual([undefined, 1]);
      } else {
        expect(answer.json).toEqual({ received: true, event_id: event.id });
        expect(event.verification).toMatchObject({ state: 'failed', reason: 'signature_mismatch' });
      }
    },
  );
});

test('a check of another provider is an event like any', async () => {
  const zoom = URL_CHECKS.find(({ name }) => name === 'Zoom') as UrlCheck;
  const endpoint = await account.createEndpoint({
    source: { provider: 'github', secrets: [zoom.secret] },
  });
  const answer = await send(endpoint, zoom);
  const [event] = await listed(endpoint);
  expect(answer.json).toEqual({ received: true, event_id: event.id });
  expect(event.verification).toMatchObject({ state: 'failed', provider: 'github' });
});

describe('eBay hashes the URL as it is registered', () => {
  const TOKEN = 'ebay-verification-token-0123456789';
  const hash = (url: string) =>
    createHash('sha256').update(`${CHALLENGE}${TOKEN}${url}`).digest('hex');

  test.each([null, 'https://hooks.example.com/ebay', 'https://hooks.example.com/?to=ebay'])(
    '%j',
    async (url) => {
      const endpoint = await account.createEndpoint({
        source: { provider: 'ebay', secrets: [TOKEN], url, enforce: true },
      });
      const query = url?.includes('?') ? 'to=ebay&' : '';
      const answer = await request(`${endpoint.capture_url}?${query}challenge_code=${CHALLENGE}`, {
        method: 'GET',
      });
      expect(answer.status, answer.text).toBe(200);
      expect(answer.json).toEqual({ challengeResponse: hash(url ?? endpoint.capture_url) });
      const [event] = await listed(endpoint);
      expect(event.verification).toMatchObject({ state: 'unverified', provider: 'ebay' });
    },
  );

  test('with the verification token as the first secret', async () => {
    const key = generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).publicKey;
    const pem = key.export({ type: 'spki', format: 'pem' }).toString().replaceAll('\n', '');
    const endpoint = await account.createEndpoint({
      source: { provider: 'ebay', secrets: [pem, TOKEN], enforce: true },
    });
    const query = `challenge_code=${CHALLENGE}`;
    const answer = await request(`${endpoint.capture_url}?${query}`, { method: 'GET' });
    expect(answer.status).toBe(401);
  });
});

test('unsigned checks of an enforced URL are answered, and 60 an hour are stored', async () => {
  const check = URL_CHECKS.find(({ name }) => name === 'X') as UrlCheck;
  const endpoint = await endpointOf(check, true);
  const answers = await Promise.all(
    Array.from({ length: REFUSED_AT_ONCE }, () => send(endpoint, check)),
  );
  for (const answer of answers) expectAnswer(answer, check);
  expect((await account.list(endpoint)).total).toBe(60);
  expect((await rejectedOf(endpoint)).total).toBe(0);
  const stored = answers.filter(({ headers }) => headers['x-hookrelay-event-id']);
  expect(stored).toHaveLength(60);
  await account.call('PATCH', `/api/endpoints/${endpoint.id}`, { source: { enforce: false } });
  await send(endpoint, check);
  expect((await account.list(endpoint)).total).toBe(61);
});

test('a check neither claims the key of an event nor repeats one', async () => {
  const body = `{"event":"endpoint.url_validation","payload":{"plainToken":"t1"}}`;
  const zoom = URL_CHECKS.find(({ name }) => name === 'Zoom') as UrlCheck;
  const endpoint = await account.createEndpoint({
    source: { provider: 'zoom', secrets: [zoom.secret] },
    dedupe: { by: ['method'] },
  });
  const signed = (text: string): UrlCheck => ({
    ...zoom,
    body: text,
    headers(secret, now) {
      const time = String(Math.floor(now / 1000));
      return {
        'x-zm-signature': `v0=${hmac(secret, `v0:${time}:${text}`)}`,
        'x-zm-request-timestamp': time,
      };
    },
  });
  for (const text of [body, '{"event":"a"}', body, '{"event":"b"}'])
    await send(endpoint, signed(text));
  const events = (await listed(endpoint)).toReversed();
  const first = events[1].id;
  expect(events.map((event: { duplicate_of: string }) => event.duplicate_of)).toEqual([
    ...[null, null, null],
    first,
  ]);
});

describe('what a secret computes for anybody signs no event', () => {
  test('of X: a body that is such a token fails, even as a token', async () => {
    const check = URL_CHECKS.find(({ name }) => name === 'X') as UrlCheck;
    const endpoint = await endpointOf(check, true);
    for (const token of ['1', 'true', 'null', 'a=b', 'x'.repeat(128)]) {
      const { json } = await send(endpoint, { ...check, query: `crc_token=${token}` });
      const forged = await request(endpoint.capture_url, {
        method: 'POST',
        body: token,
        headers: { 'x-twitter-webhooks-signature': json.response_token },
      });
      expect(forged.status, token).toBe(401);
    }
  });

  test.each(['{"a":1}', '[]', '"a"', 'a b', '1.5', 'a&b', '', 'x'.repeat(129), 'é', 'a\n', 'a%0A'])(
    'of X: %j is hashed for nobody',
    async (text) => {
      const check = URL_CHECKS.find(({ name }) => name === 'X') as UrlCheck;
      const endpoint = await endpointOf(check, true);
      const query = `crc_token=${encodeURIComponent(text)}`;
      expect((await send(endpoint, { ...check, query })).status).toBe(401);
    },
  );

  test.each(['hmacsha256={}', 'hmacsha256=1', '{}', '890e4665'])(
    'of LinkedIn: %j is hashed for nobody',
    async (text) => {
      const check = URL_CHECKS.find(({ name }) => name === 'LinkedIn') as UrlCheck;
      const endpoint = await endpointOf(check, true);
      const query = `challengeCode=${encodeURIComponent(text)}`;
      expect((await send(endpoint, { ...check, query })).status).toBe(401);
    },
  );
});
