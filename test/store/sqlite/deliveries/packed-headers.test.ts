import { expect, test } from 'vitest';
import type { HeaderPair } from '../../../../src/core/model.ts';
import {
  type HeaderSource,
  packHeaders,
  unpackHeaders,
} from '../../../../src/store/sqlite/deliveries/packed-headers.ts';

const SOURCE: HeaderSource = {
  eventId: 'evt_1',
  deliveryId: 'dlv_1',
  destinationUrl: 'http://127.0.0.1:8080/hook',
  trigger: 'capture',
  attemptedAt: 1_785_542_400_999,
  captured: ['Host', 'hooks.example', 'User-Agent', 'Stripe/1.0', 'Accept', '*/*'],
  size: 17,
};

const SENT: HeaderPair[] = [
  ['host', '127.0.0.1:8080'],
  ['connection', 'keep-alive'],
  ['User-Agent', 'Stripe/1.0'],
  ['Accept', '*/*'],
  ['authorization', 'Bea••••'],
  ['x-hookrelay-event', 'evt_1'],
  ['x-hookrelay-delivery', 'dlv_1'],
  ['x-hookrelay-attempt', '1'],
  ['x-hookrelay-trigger', 'capture'],
  ['x-hookrelay-hops', '1'],
  ['webhook-id', 'evt_1'],
  ['webhook-timestamp', '1785542400'],
  ['webhook-signature', 'v1,abc'],
  ['content-length', '17'],
];
/** What a database may have. A change of it would change what recorded attempts show. */
const PACKED =
  '[[8,10],[11,13],["authorization","Bea••••"],[0,7],["webhook-signature","v1,abc"],[7,8]]';

test('a row keeps only what does not follow from the event and the attempt', () => {
  expect(packHeaders(SENT, SOURCE)).toBe(PACKED);
  expect(unpackHeaders(PACKED, () => SOURCE)).toEqual(SENT);
});

test.each<[string, HeaderPair[]]>([
  ['none', []],
  ['in another order', SENT.toReversed()],
  ['repeated', [...SENT, ...SENT]],
  ['of another case', SENT.map(([name, value]): HeaderPair => [name.toUpperCase(), value])],
  ['with other values', SENT.map(([name]): HeaderPair => [name, ''])],
])('headers %s come back as they are', (_, sent) => {
  expect(unpackHeaders(packHeaders(sent, SOURCE), () => SOURCE)).toEqual(sent);
});

test('a row with all headers needs neither the event nor the attempt', () => {
  const source = () => {
    throw new Error('read');
  };
  expect(unpackHeaders(JSON.stringify(SENT), source)).toEqual(SENT);
});
