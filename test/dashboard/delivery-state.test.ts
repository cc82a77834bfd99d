import { expect, test } from 'vitest';
import { deliveriesText } from '../../src/dashboard/text/delivery-state.ts';

const NOW = Date.parse('2026-11-24T03:00:00Z');
const one = (state: string, settings: object = {}) =>
  ({ state, waits_for: null, attempts: 1, next_attempt_at: null, ...settings }) as never;

test('a retry doesn’t hide what was delivered', () => {
  const retrying = one('pending', { waits_for: 'retry', next_attempt_at: '2026-11-24T03:04:00Z' });
  expect(deliveriesText([one('succeeded'), one('succeeded'), retrying], NOW)).toBe(
    '2 of 3 delivered, 1 retrying in 4 min',
  );
});

test('what is held, under way, filtered or given up is told apart', () => {
  const held = one('pending', { waits_for: 'paused', attempts: 3 });
  const first = one('pending', { waits_for: 'retry', attempts: 0 });
  expect(deliveriesText([held, first, one('filtered'), one('dead'), one('cancelled')], NOW)).toBe(
    '0 of 4 delivered, 1 under way, 1 held, 1 gave up, 1 cancelled, 1 filtered',
  );
  expect(deliveriesText([one('filtered')], NOW)).toBe('1 filtered');
});
