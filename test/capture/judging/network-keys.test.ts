import { beforeAll, describe, expect, test, vi } from 'vitest';
import type { EndpointAnswer } from '../../../src/api/endpoints/endpoint-answer.ts';
import { GuardedGet } from '../../../src/delivery/transports/webhook/guarded-get.ts';
import { type Account, expectStatus, register } from '../../fixtures/account.ts';
import { type Answer, request } from '../../fixtures/http-request.ts';
import { failOnLeaks } from '../../fixtures/leaks.ts';
import { httpReceiver } from '../../fixtures/receiver.ts';
import { serverOfFile } from '../../fixtures/running-server.ts';
import { snsMessage } from '../../providers/vectors/aws-sns.ts';
import PAYPAL from '../../providers/vectors/paypal.ts';

/* Whole captures of providers whose keys are on the network, which the tests stand in for. */

failOnLeaks();
const server = serverOfFile();
const OTHER = 'arn:aws:sns:eu-west-1:123456789012:returns';
/** Pages of the network by their URLs; others can't be had. */
const pages = new Map<string, string>();
const asked: string[] = [];

let account: Account;
let topics = 0;

beforeAll(async () => {
  vi.spyOn(GuardedGet.prototype, 'text').mockImplementation(async (url) => {
    asked.push(url);
    const page = pages.get(url);
    if (page === undefined) throw new Error('no such page');
    return page;
  });
  account = await register(server);
  return () => vi.restoreAllMocks();
});

/** A topic, and an endpoint that it posts to. */
async function made(source: Record<string, unknown> | null = {}) {
  const topic = `arn:aws:sns:eu-west-1:123456789012:orders-${++topics}`;
  const provider = { provider: 'aws-sns', secrets: [topic] };
  const input = source === null ? {} : { source: { ...provider, ...source } };
  const endpoint = await account.createEndpoint(input);
  return { topic, endpoint, url: `/api/endpoints/${endpoint.id}` };
}

const post = ({ capture_url }: EndpointAnswer, body: Buffer, headers = {}): Promise<Answer> =>
  request(capture_url, { method: 'POST', body, headers });

const verificationOf = async (endpoint: EndpointAnswer, { json }: Answer) =>
  (await account.event(endpoint, json.event_id)).verification;

function serve(name: string, topic: string): Buffer {
  const { body, key } = snsMessage(name, topic, Date.now());
  pages.set(key.url, key.text);
  return body;
}

const VERIFIED = { state: 'verified', provider: 'aws-sns', secret: 1, reason: null };

describe('SNS', () => {
  test('a message is verified by its certificate, which is fetched once', async () => {
    const { topic, endpoint } = await made();
    const answers = await Promise.all(
      ['version 1', 'version 2', 'a subject'].map((name) => post(endpoint, serve(name, topic))),
    );
    for (const answer of answers) expect(await verificationOf(endpoint, answer)).toEqual(VERIFIED);
    expect(asked.filter((url) => url.endsWith('.pem'))).toHaveLength(1);
  });

  test('a message of another topic fails', async () => {
    const { endpoint } = await made();
    const answer = await post(endpoint, serve('version 2', OTHER));
    expect(await verificationOf(endpoint, answer)).toMatchObject({ reason: 'signature_mismatch' });
  });

  test('a subscription is stored, then confirmed, and not delivered', async () => {
    const receiver = await httpReceiver();
    const { topic, endpoint, url } = await made({ enforce: true });
    expectStatus(201, await account.call('POST', `${url}/destinations`, { url: receiver.url }));
    const body = serve('a subscription', topic);
    const { SubscribeURL } = JSON.parse(String(body));
    const failed = await post(endpoint, body);
    expect(failed.status).toBe(503);
    expect(failed.json.error.code).toBe('handshake_failed');
    pages.set(SubscribeURL, '<ConfirmSubscriptionResponse/>');
    const answer = await post(endpoint, body);
    expect([answer.status, answer.text]).toEqual([200, '']);
    expect(asked.filter((one) => one === SubscribeURL)).toHaveLength(2);
    const stored = await account.call('GET', `${url}/events?verification=unverified`);
    expect(expectStatus(200, stored).total).toBe(2);
    const message = await post(endpoint, serve('version 2', topic));
    expect(message.status).toBe(200);
    const [delivered, ...others] = await receiver.received(1);
    expect(delivered?.headers['x-hookrelay-verification']).toBe('verified; provider=aws-sns');
    expect(others).toEqual([]);
  });

  test('no URL is asked for a subscription of another topic, or one that is changed', async () => {
    const { topic, endpoint } = await made();
    const before = asked.length;
    await post(endpoint, serve('a subscription', OTHER));
    const changed = String(serve('a subscription', topic)).replace('&Token=', '&Token=0');
    await post(endpoint, Buffer.from(changed));
    expect(asked.slice(before).filter((url) => url.includes('Action='))).toEqual([]);
  });

  test('a subscription is confirmed five times a minute at most', async () => {
    const { topic, endpoint } = await made();
    const body = serve('a subscription', topic);
    pages.set(JSON.parse(String(body)).SubscribeURL, 'ok');
    const statuses: number[] = [];
    for (let i = 0; i < 7; i++) statuses.push((await post(endpoint, body)).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 503, 503]);
  });

  test('a removed subscription is an event, and asks for nothing', async () => {
    const { topic, endpoint } = await made();
    const before = asked.filter((url) => url.includes('Action=')).length;
    const answer = await post(endpoint, serve('a removed subscription', topic));
    expect(await verificationOf(endpoint, answer)).toEqual(VERIFIED);
    expect(asked.filter((url) => url.includes('Action='))).toHaveLength(before);
  });

  test('without its certificate, each enforced message gets 503 and is kept apart', async () => {
    const { topic, endpoint, url } = await made({ enforce: true });
    const other = topic.replace('eu-west-1', 'eu-central-1');
    expectStatus(200, await account.call('PATCH', url, { source: { secrets: [OTHER, other] } }));
    const { body } = snsMessage('version 2', other, Date.now());
    const moved = Buffer.from(String(body).replace('sns.eu-west-1', 'sns.eu-central-1'));
    const sent = 201;
    const answers = await Promise.all(Array.from({ length: sent }, () => post(endpoint, moved)));
    const told = answers.map(({ status, headers, json }) => [
      ...[status, headers['retry-after'], json.error.code],
    ]);
    expect(new Set(told.map(String))).toEqual(new Set(['503,30,key_unavailable']));
    const { data, total } = expectStatus(200, await account.call('GET', `${url}/rejected`));
    expect(total).toBe(sent);
    expect(data[0].verification).toMatchObject({ state: 'failed', reason: 'key_unavailable' });
    expectStatus(200, await account.call('PATCH', url, { source: { enforce: false } }));
    const captured = await post(endpoint, moved);
    expect(await verificationOf(endpoint, captured)).toMatchObject({ reason: 'key_unavailable' });
  });

  test('a rejected message is accepted with the topics of now', async () => {
    const { topic, endpoint, url } = await made({ enforce: true });
    expectStatus(200, await account.call('PATCH', url, { source: { secrets: [OTHER] } }));
    expect((await post(endpoint, serve('version 2', topic))).status).toBe(401);
    const { data } = expectStatus(200, await account.call('GET', `${url}/rejected`));
    expectStatus(200, await account.call('PATCH', url, { source: { secrets: [topic] } }));
    const accepted = await account.call('POST', `${url}/rejected/${data[0].id}/accept`);
    expect(expectStatus(201, accepted).verification).toEqual(VERIFIED);
  });

  test('past events are checked with their certificates', async () => {
    const { topic, endpoint, url } = await made(null);
    for (const name of ['version 1', 'version 2']) await post(endpoint, serve(name, topic));
    await post(endpoint, serve('version 2', OTHER));
    await post(endpoint, Buffer.from('{}'));
    const source = { provider: 'aws-sns', secrets: [topic] };
    const checked = await account.call('POST', `${url}/source/check`, { source });
    expect(expectStatus(200, checked)).toMatchObject({
      checked: 4,
      verified: 2,
      failed: { signature_mismatch: 1, signature_missing: 1 },
    });
  });

  test('a repeated message is a duplicate', async () => {
    const { topic, endpoint, url } = await made();
    expectStatus(200, await account.call('PATCH', url, { dedupe: { by: 'provider' } }));
    const body = serve('version 2', topic);
    const first = await post(endpoint, body);
    const second = await post(endpoint, body);
    expect(second.json.duplicate_of).toBe(first.json.event_id);
  });

  test('a secret that is no TopicArn is refused', async () => {
    const { url } = await made();
    const answer = await account.call('PATCH', url, { source: { secrets: ['orders'] } });
    expect(expectStatus(400, answer).error.message).toContain('must be a TopicArn');
  });
});

function signedByPaypal() {
  const [vector] = PAYPAL;
  const body = Buffer.from(vector?.body ?? '');
  const toSign = { method: 'POST', url: '', body, at: Date.now() };
  const secret = vector?.secret ?? '';
  const signed = vector?.sign(toSign, secret);
  if (!signed) throw new Error('no vector');
  return { body, secret, ...signed };
}

test('a check of past events leaves captures their fetches', async () => {
  const { body, secret, headers, key } = signedByPaypal();
  const urlOf = (name: string) => `https://api.paypal.com/v1/notifications/certs/CERT-${name}`;
  const postWith = (to: EndpointAnswer, certificate: string) => {
    const sent = headers.filter(([name]) => name.toLowerCase() !== 'paypal-cert-url');
    return post(to, body, { ...Object.fromEntries(sent), 'paypal-cert-url': urlOf(certificate) });
  };
  const endpoint = await account.createEndpoint();
  for (let i = 0; i < 11; i++) await postWith(endpoint, `forged-${i}`);
  const source = { provider: 'paypal', secrets: [secret], enforce: true };
  const path = `/api/endpoints/${endpoint.id}`;
  const checked = await account.call('POST', `${path}/source/check`, { source });
  expect(expectStatus(200, checked).failed).toEqual({ key_unavailable: 11 });
  expect(asked.filter((url) => url.startsWith(urlOf('forged')))).toHaveLength(10);
  expectStatus(200, await account.call('PATCH', path, { source }));
  pages.set(urlOf('genuine'), key.text);
  expect((await postWith(endpoint, 'genuine')).status).toBe(200);
});

test('PayPal is authenticated by its certificate', async () => {
  const { body, secret, headers, key } = signedByPaypal();
  pages.set(key.url, key.text);
  const endpoint = await account.createEndpoint({
    source: { provider: 'paypal', secrets: ['WEBHOOK_ID', secret], enforce: true },
  });
  const answer = await post(endpoint, body, Object.fromEntries(headers));
  expect(answer.status).toBe(200);
  expect(await verificationOf(endpoint, answer)).toEqual({
    ...{ state: 'authenticated', provider: 'paypal', secret: 2, reason: null },
  });
  const changed = await post(endpoint, Buffer.from('{}'), Object.fromEntries(headers));
  expect(changed.status).toBe(401);
});

test('the list of providers has both', async () => {
  const providers = expectStatus(200, await account.call('GET', '/api/providers'));
  const found = (name: string) => providers.find((one: { name: string }) => one.name === name);
  expect(found('aws-sns')).toMatchObject({
    ...{ verifies: true, signs: false, fields: ['secrets'], handshake: true },
    dedupes_by: ['body.MessageId'],
  });
  expect(found('paypal')).toMatchObject({
    ...{ verifies: true, signs: false, fields: ['secrets'], dedupes_by: ['body.id'] },
  });
});
