import { expect, test } from 'vitest';
import { wrapWords } from '../../../src/cli/terminal/display-width.ts';

test('a text wraps at blanks, and no word is cut', () => {
  expect(wrapWords('a text', 6)).toEqual(['a text']);
  expect(wrapWords('a longer text', 6)).toEqual(['a', 'longer', 'text']);
  expect(wrapWords('to be or not', 5)).toEqual(['to be', 'or', 'not']);
  expect(wrapWords('see https://example.com/a now', 10)).toEqual([
    ...['see', 'https://example.com/a', 'now'],
  ]);
  expect(wrapWords('日本 語', 4)).toEqual(['日本', '語']);
  expect(wrapWords('any text', Number.POSITIVE_INFINITY)).toEqual(['any text']);
});
