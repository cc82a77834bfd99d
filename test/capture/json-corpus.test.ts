import { beforeAll, expect, test } from 'vitest';
import type { EndpointAnswer } from '../../src/api/endpoints/endpoint-answer.ts';
import { type Account, capture, register } from '../fixtures/account.ts';
import { JSON_CASES } from '../fixtures/json-corpus.ts';
import { failOnLeaks } from '../fixtures/leaks.ts';
import { httpReceiver } from '../fixtures/receiver.ts';
import { serverOfFile } from '../fixtures/running-server.ts';

/* Bytes are bytes: captured, shown, searched and delivered as they came, JSON or not. */

failOnLeaks();
const server = serverOfFile();
let account: Account;
let endpoint: EndpointAnswer;

beforeAll(async () => {
  account = await register(server);
  endpoint = await account.createEndpoint();
});

test.each(JSON_CASES)('%s is stored, shown and found', async (_name, verdict, bytes) => {
  const id = await capture(endpoint.capture_url, bytes, {
    headers: { 'content-type': 'application/json' },
  });
  const path = `/api/endpoints/${endpoint.id}/events/${id}`;
  const raw = await account.call('GET', `${path}/raw`);
  expect(raw.body.equals(Buffer.from(bytes))).toBe(true);
  const view = await account.call('GET', path);
  expect(view.status).toBe(200);
  const { body, body_encoding: encoding } = view.json;
  const isText = Buffer.from(Buffer.from(bytes).toString()).equals(Buffer.from(bytes));
  if (verdict === 'yes') {
    expect(encoding).toBe('json');
    // The original text: no number, key or escape is rewritten.
    expect(view.text).toContain(Buffer.from(bytes).toString().trim());
  } else if (verdict === 'no') {
    expect(encoding).toBe(isText ? 'text' : 'base64');
    expect(body).toBe(Buffer.from(bytes).toString(isText ? 'utf8' : 'base64'));
  }
  expect(({} as Record<string, unknown>).isAdmin).toBeUndefined();
});

test.each([100_000, 1_000_000])('nested %i deep: stored, shown and found', async (depth) => {
  const text = `${'['.repeat(depth)}"needle"${']'.repeat(depth)}`;
  const id = await capture(endpoint.capture_url, text);
  const { status, text: view } = await account.call('GET', `/api/events/${id}`);
  expect(status).toBe(200);
  expect(view.includes(text) || view.includes(JSON.stringify(text))).toBe(true);
  const found = await account.list(endpoint, '?q=needle');
  expect(found.data.map((event) => event.id)).toContain(id);
});

test('all payloads are delivered byte for byte', async () => {
  const target = await httpReceiver();
  const other = await account.createEndpoint();
  await account.addDestination(other, target.url);
  const sent = new Map<string, Uint8Array>();
  for (const [, , bytes] of JSON_CASES) sent.set(await capture(other.capture_url, bytes), bytes);
  for (const { headers, body } of await target.received(JSON_CASES.length)) {
    const wanted = sent.get(headers['webhook-id'] as string) as Uint8Array;
    expect(body.equals(Buffer.from(wanted))).toBe(true);
    sent.delete(headers['webhook-id'] as string);
  }
  expect(sent.size).toBe(0);
  await account.call('DELETE', `/api/endpoints/${other.id}`);
  await server.stop();
});
