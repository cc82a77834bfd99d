import { expect, test } from 'vitest';
import { bodyDocument } from '../../../src/core/rules/body-document.ts';
import { RuleTooCostly } from '../../../src/core/rules/work.ts';

const MOST = 2_000_000;
const read = (text: string) => bodyDocument(Buffer.from(text), 'application/json').body;

test('a body of two million values is read', () => {
  expect(read(`[${'[],'.repeat(999_998)}[]]`)).toHaveLength(999_999);
});

test.each([
  ['empty arrays', `[${'[],'.repeat(MOST)}[]]`],
  ['numbers', `[${'0,'.repeat(MOST)}0]`],
  ['what is not JSON, with a string that does not end', `${'['.repeat(2 * MOST)}"`],
])('a body of more is refused before it is parsed: %s', (_, text) => {
  expect(() => read(text)).toThrow(RuleTooCostly);
});

test('a form of more fields is refused too', () => {
  const form = Buffer.from('a&'.repeat(MOST));
  expect(() => bodyDocument(form, 'application/x-www-form-urlencoded')).toThrow(RuleTooCostly);
});

test('what stands in a string is no value', () => {
  const text = JSON.stringify({ a: '[,{"\\'.repeat(700_000) });
  expect(read(text)).toHaveProperty('a');
});

test('a table of text is no JSON, however many commas it has', () => {
  const text = '1,'.repeat(MOST + 1);
  expect(read(text)).toBe(text);
});
