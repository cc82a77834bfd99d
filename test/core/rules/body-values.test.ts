import { expect, test } from 'vitest';
import { bodyDocument } from '../../../src/core/rules/body-document.ts';
import { RuleTooCostly } from '../../../src/core/rules/work.ts';

const MILLION = 1_000_000;
const read = (text: string) => bodyDocument(Buffer.from(text), 'application/json').body;

test('a body of a million values is read', () => {
  expect(read(`[${'[],'.repeat(499_998)}[]]`)).toHaveLength(499_999);
});

test.each([
  ['empty arrays', `[${'[],'.repeat(MILLION)}[]]`],
  ['numbers', `[${'0,'.repeat(MILLION)}0]`],
  ['what is not JSON, with a string that does not end', `${'['.repeat(2 * MILLION)}"`],
])('a body of more is refused before it is parsed: %s', (_, text) => {
  expect(() => read(text)).toThrow(RuleTooCostly);
});

test('a form of more fields is refused too', () => {
  const form = Buffer.from('a&'.repeat(MILLION));
  expect(() => bodyDocument(form, 'application/x-www-form-urlencoded')).toThrow(RuleTooCostly);
});

test('what stands in a string is no value', () => {
  const text = JSON.stringify({ a: '[,{"\\'.repeat(400_000) });
  expect(read(text)).toHaveProperty('a');
});
