import { expect, test } from 'vitest';
import { areDataNames } from '../../../src/core/shapes/data-names.ts';

test.each([
  ['numbers', ['1', '17', '400']],
  ['one number', ['17']],
  ['sizes', ['16x16', '48x48']],
  ['dates', ['2026-11-20', '2026-11-21']],
  ['months', ['2026-11']],
  ['times', ['2026-11-20T10:00:00Z']],
  ['a UUID', ['2174add1-f7c8-44e3-bbf3-2d60b5ea8bc9']],
  ['hashes', ['95790bf891e76fee5e1747ab589903a6a1f80f22']],
  ['ids with a prefix', ['in_1MtHbELkdIwHu7ix', 'in_1MtHbFLkdIwHu7iy']],
  ['numbered names', ['user_17', 'user_42']],
  ["Slack's ids", ['U012AB3CDE', 'U061F7AUR1']],
  ['languages', ['en', 'de', 'fr']],
  ['a language with a region', ['en-US']],
  ['languages with and without', ['en', 'pt_BR', 'zh-Hant']],
  ['currencies', ['EUR', 'usd']],
  ['e-mail addresses', ['ada@example.com']],
  ['links', ['https://example.com/a']],
])('%s are data', (_, names) => {
  expect(areDataNames(names)).toBe(true);
});

test.each([
  ['none', []],
  ['members', ['id', 'name', 'created_at']],
  ['members that are languages too', ['id', 'to']],
  ['one that is', ['it']],
  ['a date and a member', ['2026-11-20', 'total']],
  ['lines of an address', ['address_line1', 'address_line2']],
  ['lines', ['line1', 'line2']],
  ['percentiles', ['p50', 'p95']],
  ['words of three letters', ['all', 'new']],
  ['one currency', ['try']],
  ['names with digits', ['sha256', 'base64_encoded_value']],
  ['names of constants', ['CONTENT_TYPE', 'HTTP_HOST']],
  ['long names', ['authentication_required_since_2026']],
])('%s are not data', (_, names) => {
  expect(areDataNames(names)).toBe(false);
});
