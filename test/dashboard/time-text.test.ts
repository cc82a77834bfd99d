import { expect, test } from 'vitest';
import { briefTime, clockTime, exactTime, saidTime } from '../../src/dashboard/text/time-text.ts';

const NOW = Date.parse('2026-11-24T14:05:30.500Z');

test.each([
  ['2026-11-24T14:05:30.400Z', 'now'],
  ['2026-11-24T14:05:18.500Z', '12 s'],
  ['2026-11-24T14:01:00.000Z', '4 min'],
  ['2026-11-24T14:06:00.500Z', 'in 30 s'],
  ['2026-11-24T09:05:00.000Z', '09:05'],
  ['2026-11-21T14:05:00.000Z', 'Nov 21, 14:05'],
  ['2025-11-21T14:05:00.000Z', 'Nov 21 2025, 14:05'],
])('%s is %s', (at, expected) => {
  expect(briefTime(Date.parse(at), NOW, 'utc')).toBe(expected);
});

test.each([
  ['2026-11-24T14:05:30.400Z', 'just now'],
  ['2026-11-24T14:05:18.500Z', '12 s ago'],
  ['2026-11-24T14:01:00.000Z', '4 min ago'],
  ['2026-11-24T14:06:00.500Z', 'in 30 s'],
  ['2026-11-24T17:06:00.500Z', 'at 17:06'],
  ['2026-11-24T09:05:00.000Z', 'at 09:05'],
  ['2026-11-21T14:05:00.000Z', 'on Nov 21, 14:05'],
  ['2025-11-21T14:05:00.000Z', 'on Nov 21 2025, 14:05'],
])('%s is said as %s', (at, expected) => {
  expect(saidTime(Date.parse(at), NOW, 'utc')).toBe(expected);
});

test('an exact time names its zone', () => {
  expect(exactTime(NOW, 'utc')).toBe('2026-11-24 14:05:30.500 UTC');
});

test.each([
  ['2026-11-24T09:05:08.900Z', '09:05:08'],
  ['2026-11-23T23:59:59.000Z', '2026-11-23 23:59:59'],
])('the clock of %s is %s', (at, expected) => {
  expect(clockTime(Date.parse(at), NOW, 'utc')).toBe(expected);
});
