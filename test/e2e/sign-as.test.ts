import { verifySlackRequest } from '@slack/bolt';
import Stripe from 'stripe';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { EndpointAnswer } from '../../src/api/endpoints/endpoint-answer.ts';
import { type Account, callApi, capture, expectStatus, register } from '../fixtures/account.ts';
import { makeToken } from '../fixtures/api-tokens.ts';
import { failOnLeaks } from '../fixtures/leaks.ts';
import { httpReceiver, type Received, type Respond, status } from '../fixtures/receiver.ts';
import { serverOfFile } from '../fixtures/running-server.ts';
import { until } from '../fixtures/until.ts';
import { slackHeaders } from './slack-headers.ts';

/* Deliveries that are signed as their provider signs: the whole server, and the libraries of the providers. */

failOnLeaks();
const server = serverOfFile({ retryAttempts: 3 });

const DAY_MS = 86_400_000;
const SECRET = 'whsec_the_endpoints_secret';
const SIGNING_SECRET = 'the signing secret of the app';
const BODY = '{"id":"evt_1","object":"event","amount":12345678901234567890}';

const { webhooks } = new Stripe('sk_test_1');

const stripeHeaders = (secret = SECRET, payload = BODY) => ({
  'content-type': 'application/json',
  'stripe-signature': webhooks.generateTestHeaderString({ payload, secret }),
});

/** Receivers as services write them: 400 where the library refuses. */
const RECEIVERS: Record<string, Respond> = {
  stripe({ body, headers }, res) {
    try {
      webhooks.constructEvent(body, headers['stripe-signature'] as string, SECRET);
      res.end('ok');
    } catch (error) {
      res.writeHead(400).end((error as Error).message);
    }
  },
  slack({ body, headers }, res) {
    try {
      const options = { signingSecret: SIGNING_SECRET, body: body.toString() };
      verifySlackRequest({ ...options, headers: headers as never });
      res.end('ok');
    } catch (error) {
      res.writeHead(400).end((error as Error).message);
    }
  },
};

/** Moves the clock of the server and of its receivers. Timers stay. */
function clock() {
  const real = Date.now;
  let offset = 0;
  const spy = vi.spyOn(Date, 'now').mockImplementation(() => real() + offset);
  onTestFinished(() => spy.mockRestore());
  return {
    advance(ms: number) {
      offset += ms;
    },
  };
}

interface World {
  account: Account;
  endpoint: EndpointAnswer;
  /** Of an API token, which outlives the session's. */
  authorization: string;
}

async function world(source: object | null = stripeSource()): Promise<World> {
  const account = await register(server);
  const { authorization } = await makeToken(server, account, { scopes: ['read', 'write'] });
  const endpoint = await account.createEndpoint();
  const own = { account, endpoint, authorization };
  if (source) await patchSource(own, source);
  return own;
}

const stripeSource = () => ({ provider: 'stripe', secrets: [SECRET] });

const patchSource = async ({ account, endpoint }: World, source: object | null) =>
  expectStatus(200, await account.call('PATCH', `/api/endpoints/${endpoint.id}`, { source }));

const asToken = ({ authorization }: World, method: string, path: string, body?: unknown) =>
  callApi(server, method, path, body, { headers: { authorization } });

async function settled({ endpoint, ...own }: World, id: string) {
  const path = `/api/endpoints/${endpoint.id}/events/${id}`;
  return until(`the deliveries of ${id} have ended`, async () => {
    const event = expectStatus(200, await asToken({ endpoint, ...own }, 'GET', path));
    const states = event.deliveries.map(({ state }: { state: string }) => state);
    return states.length > 0 && !states.includes('pending') && event;
  });
}

async function attemptsOf(own: World, id: string) {
  const path = `/api/endpoints/${own.endpoint.id}/events/${id}/deliveries`;
  return expectStatus(200, await asToken(own, 'GET', path));
}

describe.each([
  ['stripe', () => stripeSource(), () => stripeHeaders()],
  [
    'slack',
    () => ({ provider: 'slack', secrets: ['an older one', SIGNING_SECRET].reverse() }),
    () => slackHeaders(SIGNING_SECRET, BODY, Date.now()),
  ],
])('%s’s library', (name, source, headers) => {
  test('accepts retries and replays a day later, only with sign_as', async () => {
    const time = clock();
    const own = await world(source());
    const { account, endpoint } = own;
    const signing = await httpReceiver(status(503));
    const passing = await httpReceiver(status(503));
    // Later than the clock's days: a retry that comes by itself would leave nothing to retry.
    const settings = { breaker: 'off', retry: { schedule: ['7d', '7d'] } };
    const as = { ...settings, sign_as: 'provider' };
    const { id: dst } = await account.addDestination(endpoint, signing.url, undefined, as);
    await account.addDestination(endpoint, passing.url, undefined, settings);
    const id = await capture(endpoint.capture_url, BODY, { headers: headers() });
    await Promise.all([signing.received(1), passing.received(1)]);
    signing.respond = RECEIVERS[name] as Respond;
    passing.respond = RECEIVERS[name] as Respond;

    time.advance(DAY_MS);
    const { deliveries } = await until('both attempts are on record', async () => {
      const event = expectStatus(200, await asToken(own, 'GET', `/api/events/${id}`));
      return event.deliveries.every((one: Json) => one.attempts === 1) && event;
    });
    for (const delivery of deliveries) {
      expectStatus(202, await asToken(own, 'POST', `/api/deliveries/${delivery.id}/retry`));
    }
    await Promise.all([signing.received(2), passing.received(2)]);
    const codes = await until('both retries are on record', async () => {
      const made = await attemptsOf(own, id);
      const last = made.filter((one: Json) => one.attempt === 2);
      return (
        last.length === 2 &&
        Object.fromEntries(last.map((one: Json) => [one.destination_id === dst, one.response_code]))
      );
    });
    expect(codes).toEqual({ true: 200, false: 400 });

    time.advance(DAY_MS);
    const replay = `/api/endpoints/${endpoint.id}/events/${id}/replay`;
    expectStatus(202, await asToken(own, 'POST', replay, { destination_ids: [dst] }));
    const [, , replayed] = (await signing.received(3)) as Received[];
    expect(replayed?.headers['x-hookrelay-verification']).toBe(`verified; provider=${name}`);
    await until('the replay is delivered', async () => {
      const event = expectStatus(200, await asToken(own, 'GET', `/api/events/${id}`));
      return event.deliveries.some(
        (one: Json) =>
          one.destination_id === dst && one.trigger === 'replay' && one.state === 'succeeded',
      );
    });
  });
});

// biome-ignore lint/suspicious/noExplicitAny: the tests read the API's JSON
type Json = any;

describe('what wasn’t verified is never signed', () => {
  /** An endpoint with a destination that signs, and a receiver that counts. */
  async function signing(source: object | null = stripeSource()) {
    const own = await world(source ?? stripeSource());
    const target = await httpReceiver();
    const as = { sign_as: 'provider' };
    const { id: dst } = await own.account.addDestination(own.endpoint, target.url, undefined, as);
    return { ...own, target, dst };
  }

  const signedHeaders = (own: World, id: string, body: object = {}) =>
    own.account.call('POST', `/api/events/${id}/signed-headers`, body);

  /** The delivery died unsent, a replay dies too, and the API gives no headers. */
  async function refused(own: Awaited<ReturnType<typeof signing>>, id: string, sent = 0) {
    const replay = `/api/endpoints/${own.endpoint.id}/events/${id}/replay`;
    await settled(own, id);
    expectStatus(202, await own.account.call('POST', replay, { destination_ids: [own.dst] }));
    const event = await settled(own, id);
    expect(event.deliveries.at(-1)).toMatchObject({ state: 'dead' });
    const made = await attemptsOf(own, id);
    expect(made.at(-1)).toMatchObject({ error: { code: 'not_verified' }, request_headers: null });
    expect(await signedHeaders(own, id)).toMatchObject({
      status: 409,
      json: { error: { code: 'not_verified' } },
    });
    expect(own.target.requests).toHaveLength(sent);
  }

  test.each([
    ['a request without a signature', {}],
    ['a forgery', stripeHeaders('whsec_of_an_attacker')],
    ['a signature of another body', stripeHeaders(SECRET, '{"id":"evt_0"}')],
    ['an old signature', { 'stripe-signature': 't=1,v1=00' }],
    ['a claim', { 'x-hookrelay-verification': 'verified; provider=stripe' }],
    ['a hostile header', { 'stripe-signature': `t=1,${'v1=,'.repeat(1000)}` }],
  ])('%s', async (_, headers) => {
    const own = await signing();
    await refused(own, await capture(own.endpoint.capture_url, BODY, { headers }));
  });

  test('an edited copy of a verified event', async () => {
    const own = await signing();
    const id = await capture(own.endpoint.capture_url, BODY, { headers: stripeHeaders() });
    await own.target.received(1);
    const path = `/api/endpoints/${own.endpoint.id}/events/${id}/edit`;
    for (const edits of [{ body: '{"id":"evt_2"}' }, {}]) {
      const to = { destination_ids: [own.dst] };
      const copy = expectStatus(201, await own.account.call('POST', path, { ...edits, ...to }));
      expect(copy.verification).toMatchObject({ state: 'unverified', reason: 'edited' });
      await refused(own, copy.id, 1);
    }
  });

  test('an event from before the source', async () => {
    const own = await world(null);
    const target = await httpReceiver();
    const id = await capture(own.endpoint.capture_url, BODY, { headers: stripeHeaders() });
    await patchSource(own, stripeSource());
    const as = { sign_as: 'provider' };
    const { id: dst } = await own.account.addDestination(own.endpoint, target.url, undefined, as);
    const replay = `/api/endpoints/${own.endpoint.id}/events/${id}/replay`;
    expectStatus(202, await own.account.call('POST', replay));
    await refused({ ...own, target, dst }, id);
  });

  test('an event that another provider verified, and one whose source is gone', async () => {
    const own = await signing();
    const id = await capture(own.endpoint.capture_url, BODY, { headers: stripeHeaders() });
    await own.target.received(1);
    await patchSource(own, { provider: 'slack', secrets: [SECRET] });
    await refused(own, id, 1);
    await patchSource(own, null);
    await refused(own, id, 1);
    // A token vouches for no body.
    await patchSource(own, { provider: 'token', in: 'header.x-token', secrets: ['of mine'] });
    const token = await capture(own.endpoint.capture_url, BODY, {
      headers: { ...stripeHeaders(), 'x-token': 'of mine' },
    });
    await refused(own, token, 1);
  });

  test('an event of somebody else, or by a token that only reads', async () => {
    const own = await signing();
    const other = await signing();
    const id = await capture(own.endpoint.capture_url, BODY, { headers: stripeHeaders() });
    expect(await signedHeaders(other, id)).toMatchObject({ status: 404 });
    const path = `/api/events/${id}/signed-headers`;
    expect(await callApi(server, 'POST', path, {})).toMatchObject({ status: 401 });
    const { authorization } = await makeToken(server, own.account, { scopes: ['read'] });
    const reading = { headers: { authorization } };
    expect(await callApi(server, 'POST', path, {}, reading)).toMatchObject({
      status: 403,
      json: { error: { code: 'scope_required' } },
    });
    const elsewhere = await own.account.createEndpoint();
    const limited = await makeToken(server, own.account, {
      scopes: ['read', 'write'],
      endpoint_ids: [elsewhere.id],
    });
    const asLimited = { headers: { authorization: limited.authorization } };
    expect(await callApi(server, 'POST', path, {}, asLimited)).toMatchObject({ status: 404 });
  });
});

describe('POST /api/events/{eventId}/signed-headers', () => {
  test('answers headers that the provider’s library accepts now', async () => {
    const time = clock();
    const own = await world();
    const id = await capture(own.endpoint.capture_url, BODY, { headers: stripeHeaders() });
    time.advance(DAY_MS);
    const path = `/api/events/${id}/signed-headers`;
    const answer = expectStatus(200, await asToken(own, 'POST', path));
    expect(answer.provider).toBe('stripe');
    const [[name, value]] = Object.entries(answer.headers) as [[string, string]];
    expect(name).toBe('Stripe-Signature');
    expect(webhooks.constructEvent(BODY, value, SECRET)).toMatchObject({ id: 'evt_1' });
  });

  test('signs the URL that it gets, otherwise the one that the provider knows', async () => {
    const secrets = ['token'];
    const own = await world({ provider: 'twilio', secrets, url: 'https://shop.example.com/sms' });
    const { getExpectedTwilioSignature, validateRequest } = (await import('twilio')).default;
    const params = { MessageSid: 'SM1', Body: 'hi' };
    const registered = 'https://shop.example.com/sms';
    const id = await capture(own.endpoint.capture_url, 'MessageSid=SM1&Body=hi', {
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'x-twilio-signature': getExpectedTwilioSignature('token', registered, params),
      },
    });
    const path = `/api/events/${id}/signed-headers`;
    const signatureFor = async (body: object) =>
      expectStatus(200, await own.account.call('POST', path, body)).headers['X-Twilio-Signature'];
    const elsewhere = 'http://localhost:3000/sms?a=b';
    expect(validateRequest('token', await signatureFor({}), registered, params)).toBe(true);
    const there = await signatureFor({ url: elsewhere });
    expect(validateRequest('token', there, elsewhere, params)).toBe(true);
    for (const body of [{ url: 'ftp://x' }, { url: 1 }, { uri: elsewhere }]) {
      const refused = await own.account.call('POST', path, body);
      expect(refused).toMatchObject({ status: 400, json: { error: { code: 'invalid_input' } } });
    }
    const { id: dst, url } = await own.account.addDestination(
      own.endpoint,
      'https://example.com/sms?b=1',
    );
    const allowed = [
      own.endpoint.capture_url,
      registered,
      url,
      'http://127.0.0.1/x',
      'http://[::1]/',
    ];
    for (const one of allowed) {
      expect(validateRequest('token', await signatureFor({ url: one }), one, params)).toBe(true);
    }
    const others = [
      `${registered}BodyPay`,
      `${registered}?Body=x`,
      `${url}&Body`,
      'https://example.com/sms',
      'https://example.org/',
      'http://localhost.example.com/',
      'http://localhost@example.com/',
      'https://shop.example.com@localhost/',
      'https://shop.example.com.localhost/',
      // A parser reads localhost in these, another may read another host.
      'http://localhost\\@example.com/',
      'http://local\thost/',
      'http:localhost/',
      'http://\u24dbocalhost/',
      ' http://localhost/',
      ` ${registered}`,
      `${registered}\n`,
    ];
    for (const one of others) {
      const refused = await own.account.call('POST', path, { url: one });
      expect([one, refused.status, refused.json.error]).toMatchObject([
        ...[one, 400],
        { code: 'url_not_allowed', hint: expect.any(String) },
      ]);
    }
    const one = `/api/endpoints/${own.endpoint.id}/destinations/${dst}`;
    expect(await own.account.call('DELETE', one)).toMatchObject({ status: 204 });
    expect(await own.account.call('POST', path, { url })).toMatchObject({ status: 400 });
    const another = { url: `${elsewhere}&bodySHA256=${'0'.repeat(64)}` };
    expect(await own.account.call('POST', path, another)).toMatchObject({ status: 409 });
  });

  test('signs for any URL where the signature doesn’t cover it', async () => {
    const own = await world();
    const id = await capture(own.endpoint.capture_url, BODY, { headers: stripeHeaders() });
    const url = 'https://example.org/anything';
    const path = `/api/events/${id}/signed-headers`;
    expectStatus(200, await own.account.call('POST', path, { url }));
  });
});

describe('sign_as of a destination', () => {
  const issue = { status: 400, json: { error: { issues: [{ path: 'sign_as' }] } } };

  test('needs a source that can sign', async () => {
    const { account, endpoint, ...rest } = await world(null);
    const own = { account, endpoint, ...rest };
    const path = `/api/endpoints/${endpoint.id}/destinations`;
    const url = 'https://example.com/';
    const add = () => account.call('POST', path, { url, sign_as: 'provider' });
    expect(await add()).toMatchObject(issue);
    await patchSource(own, { provider: 'token', in: 'header.x-token', secrets: ['a'] });
    expect(await add()).toMatchObject(issue);
    await patchSource(own, stripeSource());
    const added = expectStatus(201, await add());
    expect(added.sign_as).toBe('provider');
    expect(await account.call('POST', path, { url, sign_as: 'stripe' })).toMatchObject(issue);
    // A later change of the source is not refused, and neither are other changes.
    await patchSource(own, null);
    const one = `${path}/${added.id}`;
    expectStatus(200, await account.call('PATCH', one, { name: 'billing' }));
    expect(await account.call('PATCH', one, { sign_as: 'provider' })).toMatchObject(issue);
    const restored = expectStatus(200, await account.call('PATCH', one, { sign_as: null }));
    expect(restored.sign_as).toBeNull();
  });

  test('excludes a secret where both sign in the same headers', async () => {
    const secrets = ['whsec_c2Vjb25kLXNlY3JldC1vZi0yNC1ieQ=='];
    const own = await world({ provider: 'standard-webhooks', secrets });
    const { account, endpoint } = own;
    const path = `/api/endpoints/${endpoint.id}/destinations`;
    const url = 'https://example.com/';
    const as = { url, sign_as: 'provider' };
    expect(await account.call('POST', path, { ...as, secret: 'mine' })).toMatchObject(issue);
    const { id } = expectStatus(201, await account.call('POST', path, as));
    const secret = { secret: 'mine' };
    expect(await account.call('PATCH', `${path}/${id}`, secret)).toMatchObject(issue);
    expect(await account.call('POST', `${path}/${id}/rotate-secret`, {})).toMatchObject(issue);
    const both = { secret: 'mine', sign_as: null };
    expectStatus(200, await account.call('PATCH', `${path}/${id}`, both));
    await patchSource(own, stripeSource());
    expectStatus(200, await account.call('PATCH', `${path}/${id}`, { sign_as: 'provider' }));
    expectStatus(200, await account.call('POST', `${path}/${id}/rotate-secret`, {}));
  });
});
