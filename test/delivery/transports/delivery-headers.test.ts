import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type DeliveryHeadersInput,
  deliveryHeaders,
} from '../../../src/delivery/transports/webhook/delivery-headers.ts';
import { readDestinationHeaders } from '../../../src/delivery/transports/webhook/destination-headers.ts';

const INPUT: DeliveryHeadersInput = {
  rawHeaders: [],
  eventId: 'evt_1',
  deliveryId: 'dlv_1',
  attempt: 2,
  trigger: 'replay',
  timestampS: 1614265330,
  signature: null,
  hops: 0,
  verification: 'verified; provider=stripe',
  resigned: null,
  own: null,
};

const OURS = [
  ['x-hookrelay-event', 'evt_1'],
  ['x-hookrelay-delivery', 'dlv_1'],
  ['x-hookrelay-attempt', '2'],
  ['x-hookrelay-trigger', 'replay'],
  ['x-hookrelay-hops', '1'],
  ['x-hookrelay-verification', 'verified; provider=stripe'],
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

describe("the destination's own headers", () => {
  const own = readDestinationHeaders('{"authorization":"Bearer x","X-Tenant":"a"}');

  it('follow the sender’s and replace those of the same name, whatever their case', () => {
    const sent = headersOf(
      [
        ['Authorization', 'Basic theirs'],
        ['X-A', '1'],
        ['AUTHORIZATION', 'Basic also theirs'],
        ['x-tenant', 'theirs'],
      ],
      { own },
    );
    expect(sent).toEqual([
      ['X-A', '1'],
      ['authorization', 'Bearer x'],
      ['X-Tenant', 'a'],
      ...OURS,
      OUR_ID,
      OUR_TIMESTAMP,
    ]);
  });

  it('stay when the sender names them as headers of its connection', () => {
    const sent = headersOf([['Connection', 'authorization']], { own });
    expect(sent[0]).toEqual(['authorization', 'Bearer x']);
  });

  it('replace every header of their name, and no other', () => {
    const name = fc.stringMatching(/^[a-zA-Z]{1,3}$/);
    const value = fc.stringMatching(/^[!-~]{0,4}$/);
    const sender = fc.array(fc.tuple(name, value), { maxLength: 20 });
    const owned = fc.uniqueArray(fc.tuple(name, value), {
      maxLength: 5,
      selector: ([one]) => one.toLowerCase(),
    });
    fc.assert(
      fc.property(sender, owned, (theirs, mine) => {
        const set = readDestinationHeaders(JSON.stringify(Object.fromEntries(mine)));
        const names = new Set(mine.map(([one]) => one.toLowerCase()));
        const isPassed = ([one]: [string, string]) =>
          !names.has(one.toLowerCase()) && one.toLowerCase() !== 'te';
        // `te` belongs to a connection: no destination may set it.
        if (names.has('te')) {
          expect(set).toBeNull();
          return;
        }
        expect(headersOf(theirs, { own: set })).toEqual([
          ...theirs.filter(isPassed),
          ...mine,
          ...OURS,
          OUR_ID,
          OUR_TIMESTAMP,
        ]);
      }),
    );
  });
});

describe('readDestinationHeaders', () => {
  it.each([
    ['no JSON', 'authorization: x'],
    ['no object', '["authorization"]'],
    ['null', 'null'],
    ['a value that is no text', '{"x-a":1}'],
    ['a line break', '{"x-a":"a\\r\\nx-b: 1"}'],
    ['a character beyond a byte', '{"x-a":"Ā"}'],
    ['a name with a space', '{"x a":"1"}'],
    ['an empty name', '{"":"1"}'],
    ['host', '{"Host":"elsewhere.example"}'],
    ['content-length', '{"content-length":"0"}'],
    ['transfer-encoding', '{"transfer-encoding":"chunked"}'],
    ['a proxy header', '{"proxy-authorization":"x"}'],
    ['a signature header', '{"Webhook-Signature":"v1,x"}'],
    ['a header of ours', '{"x-hookrelay-event":"x"}'],
  ])('refuses %s', (_what, text) => {
    expect(readDestinationHeaders(text)).toBeNull();
  });

  it('keeps order and case', () => {
    const headers = readDestinationHeaders('{"X-B":"2","x-a":""}');
    expect(headers?.flat).toEqual(['X-B', '2', 'x-a', '']);
    expect(headers?.names).toEqual(new Set(['x-b', 'x-a']));
  });
});
