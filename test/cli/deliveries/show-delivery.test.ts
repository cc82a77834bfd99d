import { expect, test } from 'vitest';
import type { ListedDeliveryAnswer } from '../../../src/api/deliveries/delivery-answer.ts';
import type { DestinationAnswer } from '../../../src/api/destinations/destination-answer.ts';
import { deliveryColumns } from '../../../src/cli/deliveries/list-deliveries.ts';
import { deliveryPairs } from '../../../src/cli/deliveries/show-delivery.ts';
import { waitText } from '../../../src/cli/events/delivery-wait-text.ts';
import { tableLines } from '../../../src/cli/terminal/table.ts';

const LATER = '2096-11-22T20:08:40.700Z';
const BEFORE = '2026-11-22T20:08:40.700Z';

const delivery: ListedDeliveryAnswer = {
  id: 'dlv_01m82e01zwe5t829t1rrte2381',
  event_id: 'evt_01m82e01zwe5t829t1rrte2381',
  destination_id: 'dst_01m82e014nfqxvvchtn99e4w8s',
  destination_url: 'https://x.example',
  state: 'pending',
  attempts: 2,
  error: { code: 'connect_refused', message: 'the connection was refused' },
  created_at: BEFORE,
  next_attempt_at: LATER,
  waits_for: 'retry',
  unjudged: null,
};
const destination = { id: delivery.destination_id, name: 'billing', url: 'https://x.example' };

test('what an open delivery waits for', () => {
  const text = (change: Partial<ListedDeliveryAnswer>) => waitText({ ...delivery, ...change });
  expect(text({})).toBe(`retry ${LATER}`);
  expect(text({ next_attempt_at: BEFORE })).toBe('retry');
  expect(text({ waits_for: 'rate' })).toBe(`rate ${LATER}`);
  expect(text({ waits_for: 'paused', next_attempt_at: null })).toBe('paused');
  expect(text({ waits_for: 'breaker', next_attempt_at: null })).toBe('breaker');
  expect(text({ waits_for: 'order', next_attempt_at: null })).toBe('order');
  expect(text({ waits_for: null, next_attempt_at: BEFORE })).toBe('a slot');
  for (const state of ['succeeded', 'dead', 'cancelled', 'filtered'] as const) {
    expect(text({ state, waits_for: null, next_attempt_at: null })).toBe('');
  }
});

test('a list has all columns in a pipe, and at 80 columns those that steer', () => {
  const columns = deliveryColumns([destination as DestinationAnswer]);
  const held: ListedDeliveryAnswer = { ...delivery, waits_for: 'breaker', next_attempt_at: null };
  const lines = (width: number) => tableLines([held], columns, { width, dim: String }, String);
  const [titles, row] = lines(Number.POSITIVE_INFINITY);
  expect(titles?.split(/ {2,}/)).toEqual([
    ...['ID', 'EVENT', 'DESTINATION', 'STATE', 'ATTEMPTS', 'WAITS FOR', 'ERROR'],
  ]);
  expect(row).toContain(delivery.event_id);
  const narrow = lines(80);
  expect(Math.max(...narrow.map((line) => line.length))).toBeLessThanOrEqual(80);
  expect(narrow).toHaveLength(2);
  expect(narrow[1]).toMatch(/^dlv_\S+ +billing +pending .*breaker .*connect/);
});

test('a delivery names its destination, also a removed one', () => {
  const shown = (found: DestinationAnswer | null) =>
    Object.fromEntries(deliveryPairs(delivery, found));
  expect(shown(destination as DestinationAnswer)).toMatchObject({
    destination: `billing (${delivery.destination_id})`,
    'waits for': `retry ${LATER}`,
    error: 'connect_refused: the connection was refused',
  });
  expect(shown(null).destination).toBe(`${delivery.destination_id}, removed`);
  const dead = deliveryPairs({ ...delivery, state: 'dead', waits_for: null }, null);
  expect(Object.fromEntries(dead)['waits for']).toBeFalsy();
});

test('a delivery to a one-off URL shows the URL', () => {
  const once = { ...delivery, destination_id: null, destination_url: 'https://once.example/x' };
  const columns = deliveryColumns([destination as DestinationAnswer]);
  const surface = { width: Number.POSITIVE_INFINITY, dim: String };
  expect(tableLines([once], columns, surface, String)[1]).toContain('  https://once.example/x  ');
  expect(Object.fromEntries(deliveryPairs(once, null)).destination).toBe(
    'https://once.example/x, once',
  );
});
