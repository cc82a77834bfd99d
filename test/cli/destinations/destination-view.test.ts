import { expect, test } from 'vitest';
import type { Destination } from '../../../src/api/answers/destination.ts';
import {
  destinationColumns,
  destinationPairs,
} from '../../../src/cli/destinations/destination-view.ts';
import { tableLines } from '../../../src/cli/terminal/table.ts';
import { DEFAULT_DESTINATION_SETTINGS } from '../../../src/core/settings/destination-settings.ts';

const AT = '2026-11-22T20:08:40.700Z';

const plain: Destination = {
  id: 'dst_01m82e014nfqxvvchtn99e4w8s',
  url: 'https://example.com/hooks',
  name: null,
  filter: null,
  state: 'active',
  path: 'append',
  timeout: null,
  retry: null,
  rate: null,
  concurrency: 'auto',
  order_by: null,
  breaker: 'on',
  hold: '3d',
  sign_as: null,
  headers: null,
  created_at: AT,
  health: { state: 'healthy', since: null, consecutive_failures: 0, next_probe_at: null },
  waiting: { count: 0, at_least: false, oldest_at: null },
};

const steered: Destination = {
  ...plain,
  name: 'billing',
  secret: '********5678',
  previous_expires_at: AT,
  filter: { body: { a: 1 } },
  state: 'paused',
  path: 'ignore',
  timeout: '30s',
  retry: { attempts: 5, base: '10s', factor: 2, max: '1h', give_up_on: ['4xx', 501] },
  rate: { limit: 10, per: 'second' },
  concurrency: 64,
  breaker: 'off',
  hold: null,
  headers: { authorization: '********cret', 'x-team': '********' },
  health: { state: 'open', since: AT, consecutive_failures: 12, next_probe_at: AT },
  waiting: { count: 10_000, at_least: true, oldest_at: AT },
};

const pairs = (destination: Destination) =>
  destinationPairs(destination, DEFAULT_DESTINATION_SETTINGS);

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
  expect(pairs(steered)).toEqual([
    ['id', plain.id],
    ['name', 'billing'],
    ['url', plain.url],
    ['secret', '********5678'],
    ['old secret', `signs too until ${AT}`],
    ['state', 'paused'],
    ['filter', '{"body":{"a":1}}'],
    ['path', 'ignore'],
    ['timeout', '30s'],
    ['retry', '5 attempts, after 10s, then × 2 up to 1h; gives up on 4xx, 501'],
    ['rate', '10/second'],
    ['concurrency', '64'],
    ['breaker', 'off'],
    ['hold', 'never'],
    ['header', 'authorization: ********cret'],
    ['header', 'x-team: ********'],
    ['health', `open since ${AT}, 12 failures in a row, next probe ${AT}`],
    ['waiting', `at least 10,000 deliveries, the oldest made ${AT}`],
    ['added', AT],
  ]);
});

test('a schedule and a single attempt read well', () => {
  const retryOf = (retry: Destination['retry']) =>
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
  const rows = [{ ...plain, health: failing }, open, steered];
  const lines = tableLines(rows, destinationColumns, { width: 80, dim: (text) => text }, String);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
  expect(lines).toHaveLength(4);
  expect(lines[1]).toMatch(/^dst_\S+ .* failing +0/);
  expect(lines[2]).toMatch(/ open +10,000\+/);
  expect(lines[3]).toMatch(/ paused +10,000\+/);
});
