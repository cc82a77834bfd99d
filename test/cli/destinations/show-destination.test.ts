import { expect, test } from 'vitest';
import type { DestinationAnswer } from '../../../src/api/destinations/destination-answer.ts';
import {
  destinationColumns,
  destinationPairs,
} from '../../../src/cli/destinations/show-destination.ts';
import { tableLines } from '../../../src/cli/terminal/table.ts';
import { DEFAULT_DESTINATION_SETTINGS } from '../../../src/core/settings/destination-settings.ts';
import { SHOWN_DEFAULTS, SHOWN_FRESH, SHOWN_SETTINGS } from '../../fixtures/new-destination.ts';

const AT = '2026-11-22T20:08:40.700Z';

const plain: DestinationAnswer = {
  id: 'dst_01m82e014nfqxvvchtn99e4w8s',
  url: 'https://example.com/hooks',
  created_at: AT,
  ...SHOWN_DEFAULTS,
  ...SHOWN_FRESH,
};

const steered: DestinationAnswer = {
  ...plain,
  ...SHOWN_SETTINGS,
  secret: '********5678',
  previous_expires_at: AT,
  health: { state: 'open', since: AT, consecutive_failures: 12, next_probe_at: AT },
  waiting: { count: 10_000, at_least: true, oldest_at: AT },
};

const pairs = (destination: DestinationAnswer) =>
  destinationPairs(destination, DEFAULT_DESTINATION_SETTINGS).filter(([, text]) => text);

test('a destination without settings of its own shows none', () => {
  expect(pairs(plain)).toEqual([
    ['id', plain.id],
    ['url', plain.url],
    ['secret', 'none'],
    ['state', 'active'],
    ['health', 'healthy'],
    ['waiting', 'nothing'],
    ['added', AT],
  ]);
});

test('every setting that differs from its default is shown in words', () => {
  for (const setting of Object.keys(
    DEFAULT_DESTINATION_SETTINGS,
  ) as (keyof typeof SHOWN_SETTINGS)[]) {
    expect(SHOWN_SETTINGS[setting], setting).not.toEqual(SHOWN_DEFAULTS[setting]);
  }
  expect(pairs(steered)).toEqual([
    ['id', plain.id],
    ['name', 'billing'],
    ['url', plain.url],
    ['secret', '********5678'],
    ['old secret', `signs too until ${AT}`],
    ['state', 'paused'],
    ['filter', '{"body":{"type":"invoice.paid"}}'],
    ['path', 'ignore'],
    ['timeout', '5s'],
    ['retry', '3 attempts, after 1s, then × 2.5 up to 1m; gives up on 4xx, 501'],
    ['rate', '10/minute'],
    ['concurrency', '4'],
    ['order by', 'body.customer.id'],
    ['breaker', 'off'],
    ['hold', 'never'],
    ['sign as', 'provider'],
    ['header', 'authorization: ********9c2d'],
    ['header', 'x-shop: ********'],
    ['health', `open since ${AT}, 12 failures in a row, next probe ${AT}`],
    ['waiting', `at least 10,000 deliveries, the oldest made ${AT}`],
    ['added', AT],
  ]);
});

test('a schedule and a single attempt read well', () => {
  const retryOf = (retry: DestinationAnswer['retry']) =>
    Object.fromEntries(pairs({ ...plain, retry })).retry;
  expect(retryOf({ schedule: ['5s', '5m'] })).toBe('3 attempts, after 5s, 5m');
  expect(retryOf({ schedule: [] })).toBe('1 attempt');
  expect(retryOf({ schedule: ['5s'], give_up_on: [] })).toBe(
    '2 attempts, after 5s; gives up on no status',
  );
});

test('a list fits 80 columns and shows what is wrong', () => {
  const failing = { ...plain.health, state: 'failing' as const, consecutive_failures: 1 };
  const open = {
    ...steered,
    state: 'active' as const,
    url: 'https://example.com/xxx',
  };
  const refusing = { ...failing, state: 'refusing' as const, consecutive_failures: 275 };
  const rows = [{ ...plain, health: failing }, open, steered, { ...plain, health: refusing }];
  const lines = tableLines(rows, destinationColumns, { width: 80, dim: (text) => text }, String);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
  expect(lines).toHaveLength(5);
  expect(lines[1]).toMatch(/^dst_\S+ .* failing +0/);
  expect(lines[2]).toMatch(/ open +10,000\+/);
  expect(lines[3]).toMatch(/ paused +10,000\+/);
  expect(lines[4]).toMatch(/ refusing +0/);
  const shown = Object.fromEntries(pairs({ ...plain, health: { ...refusing, since: AT } }));
  expect(shown.health).toBe(`refusing since ${AT}, 275 failures in a row`);
});
