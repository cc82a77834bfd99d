import { beforeAll, describe, expect, test } from 'vitest';
import type { EndpointAnswer } from '../../../src/api/endpoints/endpoint-answer.ts';
import { type Account, capture, register } from '../../fixtures/account.ts';
import { openStream } from '../../fixtures/event-stream.ts';
import { failOnLeaks } from '../../fixtures/leaks.ts';
import { httpReceiver } from '../../fixtures/receiver.ts';
import { serverOfFile } from '../../fixtures/running-server.ts';

/* Streams with `type` and `where`, on a whole server. */

failOnLeaks();
const server = serverOfFile();

let account: Account;
let endpoint: EndpointAnswer;

beforeAll(async () => {
  account = await register(server);
  endpoint = await account.createEndpoint();
  let close = async () => {};
  const target = await httpReceiver(undefined, (end) => {
    close = end;
  });
  await account.addDestination(endpoint, target.url);
  return () => close();
});

const STRIPE = { 'stripe-signature': 't=1,v1=00' };
const send = (n: number, type: string) =>
  capture(endpoint.capture_url, JSON.stringify({ type, n }), { headers: STRIPE });
const follow = (query: string, lastEventId?: string, path = '/api/stream') =>
  openStream(server, `${path}?${query}`, account.authorization, lastEventId);
const byType = 'type=invoice.paid';
const byRule = `where=${encodeURIComponent('body.n>=10 and type=invoice.paid')}`;

describe.each([
  ['of the account', () => '/api/stream'],
  ['of an endpoint', () => `/api/endpoints/${endpoint.id}/stream`],
])('a stream %s', (_, path) => {
  test('has the events that fit and their attempts, live and after a resume', async () => {
    const [typed, ruled, both] = await Promise.all(
      [byType, byRule, `${byType}&where=body.n<10`].map((query) =>
        follow(query, undefined, path()),
      ),
    );
    const begin = ruled?.lastId;
    const one = await send(1, 'invoice.paid');
    await send(11, 'invoice.voided');
    const two = await send(12, 'invoice.paid');
    const resumed = await follow(byRule, begin, path());
    for (const [stream, wanted] of [
      [typed, [one, two]],
      [ruled, [two]],
      [both, [one]],
      [resumed, [two]],
    ] as const) {
      await stream?.received('attempt', wanted.length);
      const events = stream?.of('event').map(({ data }) => [data.id, data.event_type]);
      expect(events).toEqual(wanted.map((id) => [id, 'invoice.paid']));
      expect(
        stream
          ?.of('attempt')
          .map(({ data }) => data.event_id)
          .sort(),
      ).toEqual([...wanted].sort());
    }
  });
});

test('a stream without a filter has types that only bodies name, in order', async () => {
  const stream = await follow('');
  const sent: unknown[] = [];
  for (let i = 0; i < 20; i++) {
    const isStripe = i % 3 === 0;
    const headers = isStripe ? STRIPE : { 'x-github-event': 'push' };
    const body = JSON.stringify({ type: `t${i}` });
    const id = await capture(endpoint.capture_url, body, { headers });
    sent.push([id, isStripe ? `t${i}` : 'push']);
  }
  await stream.received('event', 20);
  expect(stream.of('event').map(({ data }) => [data.id, data.event_type])).toEqual(sent);
});
