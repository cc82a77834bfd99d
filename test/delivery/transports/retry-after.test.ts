import { describe, expect, it } from 'vitest';
import { parseRetryAfter } from '../../../src/delivery/transports/webhook/retry-after.ts';

const NOW = Date.UTC(1994, 10, 6, 8, 49, 7);
const DAY = 86_400_000;

describe('parseRetryAfter', () => {
  it.each([
    ['0', 0],
    ['120', 120_000],
    [' 7 ', 7000],
    ['86400', DAY],
    ['1000000000', DAY],
    ['9'.repeat(400), DAY],
    ['Sun, 06 Nov 1994 08:49:37 GMT', 30_000],
    ['Sunday, 06-Nov-94 08:49:37 GMT', 30_000],
    ['Sun Nov  6 08:49:37 1994', 30_000],
    ['Fri, 31 Dec 2100 23:59:59 GMT', DAY],
  ])('reads %j', (value, ms) => {
    expect(parseRetryAfter(value, NOW)).toBe(ms);
  });

  it.each([
    undefined,
    '',
    '-1',
    '-120',
    '+5',
    '1e9',
    '1.5',
    '0x10',
    '5 s',
    '5, 10',
    'soon',
    'Sun, 06 Nov 1994 08:49:07 GMT',
    'Sun, 06 Nov 1993 08:49:37 GMT',
    'Sun, 99 Nov 1994 99:49:37 GMT',
    '1994-11-06T08:49:37Z',
    'Sun, 06 Nov 1994 08:49:37 PST',
    'Nov 7 1994',
  ])('ignores %j', (value) => {
    expect(parseRetryAfter(value, NOW)).toBeNull();
  });
});
