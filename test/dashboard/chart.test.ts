import { describe, expect, test } from 'vitest';
import { bandPath, linePath } from '../../src/dashboard/parts/chart/paths.ts';
import {
  countLabel,
  durationLabel,
  niceDuration,
  niceTop,
  timeTicks,
} from '../../src/dashboard/parts/chart/ticks.ts';

/* The axes and the lines of charts. */

test.each([
  [0, 1],
  [1, 1],
  [2, 2],
  [3, 5],
  [20, 20],
  [21, 50],
  [999, 1000],
  [1001, 2000],
])('an axis up to %i ends at %i', (most, top) => {
  expect(niceTop(most)).toBe(top);
});

test.each([
  [0.4, '1 ms', '0.5 ms'],
  [420, '500 ms', '250 ms'],
  [1200, '2 s', '1 s'],
  [9000, '10 s', '5 s'],
  [31_000, '1 min', '30 s'],
  [300_000, '10 min', '5 min'],
  [5_000_000, '2 h', '1 h'],
])('an axis of durations up to %i ms ends at %s, with %s half way', (most, top, half) => {
  expect(durationLabel(niceDuration(most))).toBe(top);
  expect(durationLabel(niceDuration(most) / 2)).toBe(half);
});

test('counts of an axis are short, and no part of an event is one', () => {
  expect([500, 20_000, 1_000_000, 2.5].map(countLabel)).toEqual(['500', '20K', '1M', '']);
});

describe('times of an axis', () => {
  const from = Date.parse('2026-11-20T09:17:00Z');
  const texts = (hours: number, most: number) =>
    timeTicks(from, from + hours * 3_600_000, most, 'utc').map(({ text }) => text);

  test('are round, and have one form', () => {
    expect(texts(1, 6)).toEqual(['09:20', '09:30', '09:40', '09:50', '10:00', '10:10']);
    expect(texts(24, 6)).toEqual(['12:00', '16:00', '20:00', '00:00', '04:00', '08:00']);
    expect(texts(168, 4)).toEqual(['Nov 21', 'Nov 23', 'Nov 25', 'Nov 27']);
  });

  test('are few on a narrow chart', () => {
    for (const hours of [1, 24, 168]) expect(texts(hours, 0.2).length).toBeLessThanOrEqual(2);
  });
});

describe('a line', () => {
  const x = (i: number) => i * 10;
  const y = (value: number) => 100 - value;

  test('breaks where a value is missing, and shows a lone one', () => {
    expect(linePath([1, 2, null, 4], x, y)).toBe('M0.0 99.0L10.0 98.0M28.0 96.0h4');
    expect(linePath([1], x, y, 5)).toBe('M-5.0 99.0h10');
    expect(linePath([null, null], x, y)).toBe('');
  });

  test('and a band over it break at the same places, and a lone value is a column', () => {
    expect(bandPath([1, 1, null, 1], [5, 6, null, 7], x, y, 5)).toBe(
      'M0.0 95.0L10.0 94.0L10.0 99.0L0.0 99.0ZM25.0 93.0H35.0V99.0H25.0Z',
    );
  });
});
