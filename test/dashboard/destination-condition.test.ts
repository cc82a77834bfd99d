import { describe, expect, test } from 'vitest';
import type { DeliveryAnswer } from '../../src/api/deliveries/delivery-answer.ts';
import type { DestinationAnswer } from '../../src/api/destinations/destination-answer.ts';
import { mayCancel, mayRetry } from '../../src/dashboard/text/delivery-state.ts';
import {
  healthText,
  waitingText,
  waitText,
} from '../../src/dashboard/text/destination-condition.ts';

const NOW = Date.parse('2026-11-21T14:05:00.000Z');
const LATER = '2026-11-21T14:05:30.000Z';
const EARLIER = '2026-11-21T14:04:10.000Z';

test.each<[Partial<DestinationAnswer['health']>, string]>([
  [{}, 'healthy'],
  [
    { state: 'failing', since: EARLIER, consecutive_failures: 1 },
    'failing since 14:04:10, 1 failure in a row',
  ],
  [
    { state: 'refusing', since: EARLIER, consecutive_failures: 275 },
    'refusing since 14:04:10, 275 failures in a row',
  ],
  [
    { state: 'open', since: EARLIER, consecutive_failures: 12, next_probe_at: LATER },
    'breaker open since 14:04:10, next probe at 14:05:30 (in 30 s)',
  ],
  [
    { state: 'open', since: EARLIER, next_probe_at: EARLIER },
    'breaker open since 14:04:10, next probe now',
  ],
])('the health %j is "%s"', (health, text) => {
  const healthy = {
    state: 'healthy' as const,
    since: null,
    consecutive_failures: 0,
    next_probe_at: null,
  };
  expect(healthText({ ...healthy, ...health }, NOW, 'utc')).toBe(text);
});

test.each<[number, boolean, string | null, string]>([
  [0, false, null, 'nothing waits'],
  [1, false, EARLIER, '1 delivery waits, from 14:04:10'],
  [12, false, EARLIER, '12 deliveries wait, the oldest from 14:04:10'],
  [10_000, true, EARLIER, 'at least 10,000 deliveries wait, the oldest from 14:04:10'],
])('%i that wait, at least: %j, are "%s"', (count, at_least, oldest_at, text) => {
  expect(waitingText({ count, at_least, oldest_at }, NOW, 'utc')).toBe(text);
});

describe('an open delivery', () => {
  test.each<[DeliveryAnswer['waits_for'], string | null, RegExp]>([
    ['paused', null, /^Waits until the destination is resumed$/],
    ['breaker', null, /breaker.*probe/],
    ['transform', null, /transform/],
    ['order', null, /^Waits behind an earlier delivery of the same key$/],
    ['rate', LATER, /rate or its Retry-After: next attempt in 30 s, at .*14:05:30/],
    ['rate', EARLIER, /Retry-After$/],
    ['retry', LATER, /^Attempt #3 in 30 s, at .*14:05:30/],
    ['retry', EARLIER, /^An attempt is under way/],
    [null, EARLIER, /^An attempt is under way/],
    [null, null, /^An attempt is under way/],
  ])('that waits for %s, next at %s', (waits_for, next_attempt_at, text) => {
    expect(waitText({ waits_for, next_attempt_at, attempts: 2 }, NOW, 'utc')).toMatch(text);
  });
});

test.each<[DeliveryAnswer['state'], DeliveryAnswer['waits_for'], boolean, boolean]>([
  ['pending', null, true, true],
  ['pending', 'breaker', true, true],
  ['pending', 'paused', false, true],
  ['dead', null, true, false],
  ['succeeded', null, false, false],
  ['cancelled', null, false, false],
  ['filtered', null, false, false],
])('a delivery that is %s and waits for %s: retry %s, cancel %s', (state, waits_for, ...may) => {
  expect([mayRetry({ state, waits_for }), mayCancel({ state })]).toEqual(may);
});
