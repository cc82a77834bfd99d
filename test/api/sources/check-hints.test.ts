import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { EndpointAnswer } from '../../../src/api/endpoints/endpoint-answer.ts';
import type { SourceCheckAnswer } from '../../../src/api/sources/source-check-answer.ts';
import { type Account, callApi, capture, expectStatus, register } from '../../fixtures/account.ts';
import { failOnLeaks } from '../../fixtures/leaks.ts';
import { serverOfFile } from '../../fixtures/running-server.ts';

/* Why requests fail, in words: of single ones, and over the past events of a source. */

failOnLeaks();
const server = serverOfFile();

const SECRET = 'whsec_c2VjcmV0IG9mIHRoZSBzZW5kZXI=';

async function made(input: Record<string, unknown> = {}) {
  server.secrets.push(SECRET);
  const account = await register(server);
  const endpoint = await account.createEndpoint(input);
  return { account, endpoint };
}

const stripe = (...secrets: string[]) => ({ provider: 'stripe', secrets });

/** Headers of a body as Stripe signs it. */
function signed(body: string, secret: string, ageS = 0): Record<string, string> {
  const t = Math.floor(Date.now() / 1000) - ageS;
  const v1 = createHmac('sha256', secret).update(`${t}.${body}`).digest('hex');
  return { 'stripe-signature': `t=${t},v1=${v1}` };
}

const send = ({ capture_url }: EndpointAnswer, body: string, headers: Record<string, string>) =>
  capture(capture_url, body, { headers });

async function checked(
  account: Account,
  { id }: EndpointAnswer,
  source: object,
): Promise<SourceCheckAnswer> {
  return expectStatus(
    200,
    await account.call('POST', `/api/endpoints/${id}/source/check`, { source }),
  );
}

describe('past events under a source', () => {
  test.each([
    ['secret_prefix', SECRET.slice('whsec_'.length), 'with one whsec_ in front of it'],
    ['secret_encoding', 'whsec_secret of the sender', 'once it is encoded in base64, with whsec_'],
  ])('%s: %s', async (code, pasted, how) => {
    const { account, endpoint } = await made();
    await send(endpoint, '{"a":1}', signed('{"a":1}', SECRET));
    await send(endpoint, '{"a":2}', signed('{"a":2}', SECRET));
    const found = await checked(account, endpoint, stripe(pasted));
    expect(found).toMatchObject({ checked: 2, verified: 0, failed: { signature_mismatch: 2 } });
    const message = expect.stringContaining(`secret 1 fits 2 events ${how}`);
    expect(found.hints).toEqual([{ code, secret: 1, events: 2, message }]);
    expect(JSON.stringify(found)).not.toContain(pasted);
    expect(JSON.stringify(found)).not.toContain(SECRET.slice('whsec_'.length));
  });

  test('a wrong secret gives no hint', async () => {
    const { account, endpoint } = await made();
    await send(endpoint, '{}', signed('{}', SECRET));
    const found = await checked(account, endpoint, stripe('73656372657420206f66'));
    expect(found).toMatchObject({ failed: { signature_mismatch: 1 }, hints: [] });
  });

  test('a secret of a custom source with blanks and quotes', async () => {
    const { account, endpoint } = await made();
    const scheme = {
      ...{ signature: 'header.x-sig', form: '{hex}', algorithm: 'hmac-sha256' },
      signed: '{body}',
    };
    const signature = createHmac('sha256', 'of mine').update('x').digest('hex');
    await send(endpoint, 'x', { 'x-sig': signature });
    const by = (secret: string) => ({ provider: 'custom', scheme, secrets: [secret] });
    const quoted = await checked(account, endpoint, by('"of mine"'));
    expect(quoted.hints).toMatchObject([{ code: 'secret_quotes' }]);
    const broken = await checked(account, endpoint, by('of mine\\n'));
    expect(broken.hints).toMatchObject([{ code: 'secret_blanks' }]);
  });

  test('one of two secrets fits nothing; two that fit the same requests are both used', async () => {
    const { account, endpoint } = await made();
    await send(endpoint, '{}', signed('{}', SECRET));
    const found = await checked(account, endpoint, stripe(SECRET, 'whsec_old'));
    expect(found.hints).toEqual([
      {
        ...{ code: 'secret_unused', secret: 2, events: 1 },
        message: 'secret 2 fits none of the last 1 event',
      },
    ]);
    const { 'stripe-signature': first = '' } = signed('{}', SECRET);
    const { 'stripe-signature': other = '' } = signed('{}', 'whsec_old');
    await send(endpoint, '{}', { 'stripe-signature': `${first},${other.split(',')[1]}` });
    expect((await checked(account, endpoint, stripe(SECRET, 'whsec_old'))).hints).toEqual([]);
  });

  test('a secret of test mode for live events', async () => {
    const { account, endpoint } = await made();
    const event = (livemode: boolean) => JSON.stringify({ object: 'event', livemode });
    await send(endpoint, event(false), signed(event(false), SECRET));
    await send(endpoint, event(true), signed(event(true), 'whsec_live'));
    const found = await checked(account, endpoint, stripe(SECRET));
    expect(found.hints).toMatchObject([{ code: 'secret_of_test_mode', events: 1, secret: null }]);
    const other = await checked(account, endpoint, stripe('whsec_live'));
    expect(other.hints).toMatchObject([{ code: 'secret_of_live_mode', events: 1 }]);
    expect((await checked(account, endpoint, stripe(SECRET, 'whsec_live'))).hints).toEqual([]);
  });

  test('a clock that is off, and a body that something rewrote', async () => {
    const { account, endpoint } = await made();
    await send(endpoint, '{}', signed('{}', SECRET, 432));
    await send(endpoint, '{"a":1}', signed('{"a": 1}', SECRET));
    const found = await checked(account, endpoint, stripe(SECRET));
    expect(found.failed).toEqual({ timestamp_too_old: 1, body_reserialized: 1 });
    expect(found.hints).toMatchObject([
      {
        code: 'body_reserialized',
        events: 1,
        message: expect.stringContaining('as Python writes'),
      },
      { code: 'clock_off', events: 1, message: expect.stringMatching(/signed 7 min 1\d s before/) },
    ]);
  });

  test('another URL', async () => {
    const { account, endpoint } = await made();
    const right = `https://shop.example/in/${endpoint.public_token}`;
    const signature = createHmac('sha256', SECRET).update(`${right}{}`).digest('base64');
    await send(endpoint, '{}', {
      'x-square-hmacsha256-signature': signature,
      'x-forwarded-host': 'shop.example',
    });
    const found = await checked(account, endpoint, { provider: 'square', secrets: [SECRET] });
    expect(found.failed).toEqual({ url_mismatch: 1 });
    expect(found.hints).toMatchObject([
      { code: 'url_mismatch', events: 1, message: expect.stringContaining(right) },
    ]);
  });
});

describe('a single request', () => {
  test('says why it failed, in the answer to the sender and where it is stored', async () => {
    const { account, endpoint } = await made({ source: { ...stripe(SECRET), enforce: true } });
    const headers = signed('{}', SECRET, 432);
    const refused = await callApi({ url: endpoint.capture_url }, 'POST', '', '{}', { headers });
    const says = /it was signed 7 min 1\d s before it came; at most 5 min are allowed/;
    expect(expectStatus(401, refused).error.message).toMatch(says);
    const path = `/api/endpoints/${endpoint.id}`;
    const list = expectStatus(200, await account.call('GET', `${path}/rejected`));
    const rejected = await account.call('GET', `${path}/rejected/${list.data[0].id}`);
    expect(expectStatus(200, rejected).verification_failure).toEqual({
      message: expect.stringMatching(says),
      hint: expect.stringContaining('clock'),
    });
  });

  test('of a custom scheme says it too, and one that is right says nothing', async () => {
    const scheme = {
      ...{ signature: 'header.x-sig', form: '{hex}', algorithm: 'hmac-sha256' },
      ...{ signed: '{header.x-at}.{body}', timestamp: 'header.x-at', tolerance: '2m' },
    };
    const source = { provider: 'custom', scheme, secrets: [SECRET] };
    const { account, endpoint } = await made({ source });
    const at = (ageS: number) => {
      const t = Math.floor(Date.now() / 1000) - ageS;
      const signature = createHmac('sha256', SECRET).update(`${t}.{}`).digest('hex');
      return { 'x-at': String(t), 'x-sig': signature };
    };
    const late = await send(endpoint, '{}', at(3600));
    const found = expectStatus(200, await account.call('GET', `/api/events/${late}`));
    expect(found.verification_failure.message).toMatch(/signed 1 h( 1 s)? before .* 2 min/);
    const right = await send(endpoint, '{}', at(0));
    const event = expectStatus(200, await account.call('GET', `/api/events/${right}`));
    expect(event.verification_failure).toBeNull();
  });
});

test.each([
  [`"${SECRET}"`, 'must have no quotes around it'],
  [`whsec_${SECRET}`, 'must have whsec_ only once'],
  [`${SECRET}\n`, 'must have no blanks or line breaks around it'],
])('a secret that was pasted as %j is refused', async (secret, message) => {
  const { account, endpoint } = await made();
  const answer = await account.call('PATCH', `/api/endpoints/${endpoint.id}`, {
    source: stripe(secret),
  });
  expect(expectStatus(400, answer).error.issues).toEqual([{ path: 'source.secrets.0', message }]);
});
