import { expect, test } from 'vitest';
import { countBelow, findText } from '../../../src/dashboard/parts/body/find-text.ts';

const found = (text: string, query: string): string[] => {
  const { starts, ends } = findText(text, query);
  return [...starts].map((start, i) => text.slice(start, ends[i]));
};

test.each([
  ['Paid and PAID', 'paid', ['Paid', 'PAID']],
  ['caf\\u00e9 café', 'café', ['caf\\u00e9', 'café']],
  ['a\\u00E9', 'é', ['\\u00E9']],
  ['\\ud83d\\ude00 😀', '😀', ['\\ud83d\\ude00', '😀']],
  ['say \\"hi\\"', '"hi"', ['\\"hi\\"']],
  ['https:\\/\\/a', '//a', ['\\/\\/a']],
  ['a.b a-b (x)', '.', ['.']],
  ['a.b a-b (x)', '-b (', ['-b (']],
  ['aaaa', 'aa', ['aa', 'aa']],
  ['nothing', '', []],
  ['C:\\\\x', '\\x', ['\\\\x']],
])('in %j, %j finds %j', (text, query, expected) => {
  expect(found(text, query)).toEqual(expected);
});

test('says when there is more than it lists', () => {
  const { starts, isCut } = findText('a'.repeat(200_000), 'a');
  expect([starts.length, isCut]).toEqual([100_000, true]);
  expect(countBelow(starts, 10)).toBe(10);
  expect(countBelow(starts, 1e9)).toBe(100_000);
});

test('many backslashes in a query and a text take linear time', () => {
  expect(found('\\'.repeat(10_000), `${'\\'.repeat(100)}x`)).toEqual([]);
  expect(found(`${'\\'.repeat(6)}x`, '\\\\\\x')).toEqual([`${'\\'.repeat(6)}x`]);
});
