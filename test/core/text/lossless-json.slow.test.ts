import { expect, test } from 'vitest';
import { parseLossless } from '../../../src/core/text/lossless-json.ts';

test('neither depth nor length stops it', () => {
  const depth = 1_000_000;
  expect(parseLossless('['.repeat(depth) + ']'.repeat(depth))?.kind).toBe('array');
  const long = `"${'\\"x'.repeat(2_000_000)}"`;
  expect(parseLossless(long)?.end).toBe(long.length);
});
