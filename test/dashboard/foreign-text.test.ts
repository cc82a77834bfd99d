import { expect, test } from 'vitest';
import { foreignParts, isolated } from '../../src/dashboard/text/foreign-text.ts';

const shown = (text: string, kept?: string) =>
  foreignParts(text, kept)
    .map((part) => (part.isEscape ? `[${part.text}]` : part.text))
    .join('');

test.each([
  ['a\u202Eb', 'a[\\u202E]b'],
  ['pay\u200Bpal', 'pay[\\u200B]pal'],
  ['pay\u200Cpal', 'pay[\\u200C]pal'],
  ['pay\u200Dpal', 'pay[\\u200D]pal'],
  ['pay\u00ADpal', 'pay[\\u00AD]pal'],
  ['\u2066x\u2069', '[\\u2066]x[\\u2069]'],
  ['a\u{E0041}b', 'a[\\u{E0041}]b'],
  ['a\u0000b\u001Bc\u0085', 'a[\\u0000]b[\\u001B]c[\\u0085]'],
  ['a\u2028b', 'a[\\u2028]b'],
  ['x\uD800y', 'x[\\uD800]y'],
  ['\u3164', '[\\u3164]'],
  ['', ''],
])('what %j hides is shown', (text, expected) => {
  expect(shown(text)).toBe(expected);
});

test.each(['👩‍👩‍👧', '❤️‍🔥', '👍🏽', 'می‌خواهم', 'क्‍ष', 'Zoë', 'שלום', '日本', 'a b'])(
  '%s stays as it is',
  (text) => {
    expect(shown(text)).toBe(text);
  },
);

test('a block of text keeps its lines', () => {
  expect(shown('a\n\tb\u202E', '\n\t')).toBe('a\n\tb[\\u202E]');
});

test('what is right to left stays inside', () => {
  expect(isolated('a\u202Eb')).toBe('a\\u202Eb');
  expect(isolated('שלום')).toBe('\u2068שלום\u2069');
});
