import { describe, expect, it } from 'vitest';
import {
  type DeliveryHeadersInput,
  deliveryHeaders,
} from '../../../src/delivery/transports/webhook/delivery-headers.ts';

const INPUT: DeliveryHeadersInput = {
  rawHeaders: [],
  eventId: 'evt_1',
  deliveryId: 'dlv_1',
  attempt: 2,
  trigger: 'replay',
  timestampS: 1614265330,
  signature: null,
  hops: 0,
};

const OURS = [
  ['x-hookrelay-event', 'evt_1'],
  ['x-hookrelay-delivery', 'dlv_1'],
  ['x-hookrelay-attempt', '2'],
  ['x-hookrelay-trigger', 'replay'],
  ['x-hookrelay-hops', '1'],
];
const OUR_ID = ['webhook-id', 'evt_1'];
const OUR_TIMESTAMP = ['webhook-timestamp', '1614265330'];

function headersOf(
  rawHeaders: [name: string, value: string][],
  overrides: Partial<DeliveryHeadersInput> = {},
): string[][] {
  const flat = deliveryHeaders({ ...INPUT, rawHeaders: rawHeaders.flat(), ...overrides });
  const pairs: string[][] = [];
  for (let i = 0; i < flat.length; i += 2) pairs.push(flat.slice(i, i + 2));
  return pairs;
}

describe('deliveryHeaders', () => {
  it('adds our headers after the sender’s', () => {
    expect(headersOf([['X-A', '1']])).toEqual([['X-A', '1'], ...OURS, OUR_ID, OUR_TIMESTAMP]);
  });

  it('passes the sender’s headers on with order, case, duplicates and bytes', () => {
    const sent: [string, string][] = [
      ['X-GitHub-Event', 'push'],
      ['x-dup', 'a'],
      ['Set-Cookie', 'a=1'],
      ['X-Dup', 'b, c'],
      ['Stripe-Signature', 't=1,v1=ab'],
      ['x-bytes', '\xe9\xff\tü'],
      ['x-empty', ''],
      ['Authorization', 'Basic eA=='],
      ['X-Forwarded-For', '1.2.3.4'],
      ['content-type', 'application/json'],
      ['Content-Encoding', 'gzip'],
    ];
    expect(headersOf(sent).slice(0, sent.length)).toEqual(sent);
  });

  it.each([
    'Connection',
    'Keep-Alive',
    'Proxy-Authorization',
    'Proxy-Connection',
    'TE',
    'Trailer',
    'Transfer-Encoding',
    'Upgrade',
    'Host',
    'Content-Length',
    'Accept-Encoding',
    'Expect',
    'X-Hookrelay-Event',
    'x-hookrelay-anything',
  ])('drops %s', (name) => {
    expect(headersOf([[name, '1']])).toEqual([...OURS, OUR_ID, OUR_TIMESTAMP]);
  });

  it('drops headers that any Connection header names, before or after it', () => {
    const sent: [string, string][] = [
      ['X-Before', '1'],
      ['connection', 'keep-alive, X-Before'],
      ['X-After', '1'],
      ['Connection', 'x-AFTER ,,'],
      ['X-Stays', '1'],
    ];
    expect(headersOf(sent)[0]).toEqual(['X-Stays', '1']);
  });

  it('counts relays', () => {
    const sent = headersOf([['X-Hookrelay-Hops', '4']], { hops: 4 });
    expect(sent.filter(([name]) => name === 'x-hookrelay-hops')).toEqual([
      ['x-hookrelay-hops', '5'],
    ]);
  });

  it.each([
    ['x-a', 'a\r\nx-injected: 1'],
    ['x-a', 'a\x00'],
    ['x-a', 'a\x7f'],
    ['x-a', 'Ā'],
    ['x a', 'a'],
    ['', 'a'],
    ['x-ä', 'a'],
  ])('drops %j: %j, which would fail every attempt', (name, value) => {
    expect(headersOf([[name, value]])).toEqual([...OURS, OUR_ID, OUR_TIMESTAMP]);
  });
});

describe('webhook-* headers', () => {
  const SENDERS: [string, string][] = [
    ['Webhook-Id', 'msg_theirs'],
    ['Webhook-Timestamp', '1'],
    ['Webhook-Signature', 'v1,theirs'],
  ];

  it('with a secret, ours replace the sender’s', () => {
    expect(headersOf(SENDERS, { signature: 'v1,ours' })).toEqual([
      ...OURS,
      OUR_ID,
      OUR_TIMESTAMP,
      ['webhook-signature', 'v1,ours'],
    ]);
  });

  it('without a secret, the sender’s pass and ours stay out', () => {
    expect(headersOf(SENDERS)).toEqual([...SENDERS, ...OURS]);
  });

  it('without a secret, ours fill the gaps', () => {
    expect(headersOf([['Webhook-Id', 'theirs']])).toEqual([
      ['Webhook-Id', 'theirs'],
      ...OURS,
      OUR_TIMESTAMP,
    ]);
  });

  it('other webhook-* headers are the sender’s own', () => {
    const sent = headersOf([['Webhook-Topic', 'a']], { signature: 'v1,ours' });
    expect(sent[0]).toEqual(['Webhook-Topic', 'a']);
  });
});
