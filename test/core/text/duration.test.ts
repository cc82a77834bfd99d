import { describe, expect, test } from 'vitest';
import {
  formatDuration,
  formatExactDuration,
  formatRelativeTime,
  parseDuration,
  spellDuration,
} from '../../../src/core/text/duration.ts';

describe('parseDuration', () => {
  test.each([
    ['500ms', 500],
    ['5s', 5000],
    ['1.5s', 1500],
    ['10m', 600_000],
    ['24h', 86_400_000],
    ['30d', 2_592_000_000],
    ['0s', 0],
    [' 5s ', 5000],
    ['0.4ms', 0],
  ])('%j is %d ms', (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });

  test.each([
    '',
    '5',
    's',
    '5 s',
    '-5s',
    '+5s',
    '5S',
    '5sec',
    '.5s',
    '5.s',
    '1e3s',
    '1h30m',
    'Infinitys',
    `${'9'.repeat(20)}d`,
    '5s\n6s',
  ])('%j is refused', (text) => {
    expect(parseDuration(text)).toBeNull();
  });
});

describe('spellDuration', () => {
  test.each([
    [0, '0ms'],
    [1, '1ms'],
    [999, '999ms'],
    [1000, '1s'],
    [1500, '1500ms'],
    [60_000, '1m'],
    [90_000, '90s'],
    [86_400_000, '24h'],
    [2 * 86_400_000, '48h'],
    [3 * 86_400_000, '3d'],
    [86_400_001, '86400001ms'],
  ])('%d ms is %j', (ms, text) => {
    expect(spellDuration(ms)).toBe(text);
  });

  test('its output parses back to the same', () => {
    for (let ms = 1; ms < 1e12; ms = ms * 3 + 1) expect(parseDuration(spellDuration(ms))).toBe(ms);
  });
});

test.each([
  [0, '0 ms'],
  [849.6, '850 ms'],
  [1000, '1 s'],
  [9840, '9.8 s'],
  [12_345, '12 s'],
  [750_000, '13 min'],
  [27 * 3_600_000, '27 h'],
  [72 * 3_600_000, '3 days'],
])('formatDuration(%d) is %j', (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});

test.each([
  [850, '850 ms'],
  [30_999, '30 s'],
  [432_000, '7 min 12 s'],
  [27 * 3_600_000, '27 h'],
  [76 * 3_600_000, '3 days 4 h'],
])('formatExactDuration(%d) is %j', (ms, text) => {
  expect(formatExactDuration(ms)).toBe(text);
});

test.each([
  [-999, 'now'],
  [-12_900, '12 s ago'],
  [180_000, 'in 3 min'],
  [-5 * 86_400_000, '5 days ago'],
])('formatRelativeTime(%d) is %j', (ms, text) => {
  expect(formatRelativeTime(ms)).toBe(text);
});
