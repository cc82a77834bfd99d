import { expect, test } from 'vitest';
import { isSuccess } from '../../../src/core/http/is-success.ts';

test.each([
  [200, true],
  [204, true],
  [299, true],
  [199, false],
  [300, false],
  [404, false],
  [null, false],
])('%s: %s', (status, expected) => {
  expect(isSuccess(status)).toBe(expected);
});
