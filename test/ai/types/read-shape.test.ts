import { describe, expect, test } from 'vitest';
import { readShape } from '../../../src/ai/types/read-shape.ts';
import { isParsed, isRead, readsAsJsonParse } from './read-shape.ts';

describe('reads what JSON.parse reads, and nothing else', () => {
  // read-shape.slow.test.ts goes further.
  readsAsJsonParse({ runs: 10_000, levels: 100_000 });

  test.each([
    '[1,]',
    '{"a":1,}',
    '{"a"}',
    '[1 2]',
    '"\t"',
    '{"a":1}}',
    '[[]',
    '"\\u12"',
    '',
    ' ',
    '"',
    "'a'",
    '{a:1}',
    'NaN',
    '\ufeff1',
  ])('%j is no JSON', (text) => {
    expect(isParsed(text)).toBe(false);
    expect(isRead(text)).toBe(false);
  });
});

test('the reader tells integers from other numbers by their notation', () => {
  const kindOf = (text: string) => readShape(text).shape.number;
  expect(['1', '-0', '9223372036854775807', '-9223372036854775808'].map(kindOf)).toEqual(
    Array.from({ length: 4 }, () => 'integer'),
  );
  expect(['1.0', '1e2', '9223372036854775808', '1e400', '[1]'].map(kindOf)).toEqual([
    ...Array.from({ length: 4 }, () => 'double'),
    null,
  ]);
});
