import { expect, test } from 'vitest';
import { payloadOfForm } from '../../src/dashboard/text/form-fields.ts';

const FORM = 'application/x-www-form-urlencoded; charset=utf-8';

test.each([
  ['payload=%7B%22id%22%3A12345678901234567891%7D&v=1', '{"id":12345678901234567891}'],
  ['v=1&payload=+%5B1.0%2C+%22a+%2B+b%22%5D', ' [1.0, "a + b"]'],
  ['payload=5', null],
  ['payload=%7B', null],
  ['payload=%7B%7D&payload=%7B%7D', null],
  ['other=%7B%7D', null],
])('the JSON in the form %s is %j', (text, json) => {
  expect(payloadOfForm(FORM, text)).toBe(json);
});

test('other bodies have no payload', () => {
  expect(payloadOfForm('text/plain', 'payload={}')).toBeNull();
  expect(payloadOfForm(null, 'payload={}')).toBeNull();
  expect(payloadOfForm(FORM, null)).toBeNull();
});
