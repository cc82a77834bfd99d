import { InvalidArgumentError } from '@commander-js/extra-typings';
import { describe, expect, test } from 'vitest';
import {
  eventId,
  httpMethod,
  instant,
  serverUrl,
  someText,
  wholeNumber,
} from '../../src/cli/arguments.ts';

const refuses = (parse: (value: string) => unknown, value: string) =>
  expect(() => parse(value), value).toThrow(InvalidArgumentError);

describe('an instant', () => {
  test('is ISO 8601 in the forms of the API', () => {
    expect(instant('2026-01-31')).toBe('2026-01-31T00:00:00.000Z');
    expect(instant('2026-01-31T12:00:00+02:00')).toBe('2026-01-31T10:00:00.000Z');
  });

  test.each([
    ['10m', 600_000],
    ['500ms', 500],
    ['1.5h', 5_400_000],
    ['30d', 30 * 86_400_000],
  ])('%s is a duration before now', (text, ms) => {
    const before = Date.now();
    const at = Date.parse(instant(text));
    expect(at).toBeGreaterThanOrEqual(before - ms);
    expect(at).toBeLessThanOrEqual(Date.now() - ms);
  });

  test.each(['', 'yesterday', '10', '-5m', '2026-02-30', '99999999d', '1e9d'])(
    'is never %s',
    (text) => {
      refuses(instant, text);
    },
  );
});

test('a server is an http URL without parts that could mislead', () => {
  expect(serverUrl(' http://127.0.0.1:8484/ ')).toBe('http://127.0.0.1:8484');
  expect(serverUrl('HTTPS://Hooks.Example.com:443')).toBe('https://hooks.example.com');
  expect(serverUrl('https://example.com/relay//')).toBe('https://example.com/relay');
  for (const value of [
    '',
    'localhost:8484',
    'ftp://x',
    'http://u:p@x',
    'http://x/?a',
    'http://x/#a',
  ]) {
    refuses(serverUrl, value);
  }
});

test('an id cannot change a path', () => {
  expect(eventId('evt_01m7ygcr1yfhe9cka3efzhr7er')).toBe('evt_01m7ygcr1yfhe9cka3efzhr7er');
  for (const value of [
    '',
    '..',
    'evt_',
    'evt_../x',
    'evt_a b',
    'ep_01m7ygbxg6f05t2s2n7pfte48w',
    'evt_é',
  ]) {
    refuses(eventId, value);
  }
});

test('numbers, methods and texts are parsed', () => {
  expect(wholeNumber(1, 1000)('50')).toBe(50);
  for (const value of ['0', '1001', '-1', '1.5', 'x', '', ' 5'])
    refuses(wholeNumber(1, 1000), value);
  expect(httpMethod('post')).toBe('POST');
  refuses(httpMethod, 'GET /');
  expect(someText(' ')).toBe(' ');
  refuses(someText, '');
});
