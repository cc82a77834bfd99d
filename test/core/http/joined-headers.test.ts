import { expect, test } from 'vitest';
import { joinedHeaders } from '../../../src/core/http/joined-headers.ts';

test('names are in lower case, repeated values are joined in order, and any name is a plain name', () => {
  const raw = ['X-Tag', '', '__proto__', 'a', 'x-tag', 'two', 'X-TAG', '3', 'constructor', 'b'];
  expect([...joinedHeaders(raw)]).toEqual([
    ['x-tag', ', two, 3'],
    ['__proto__', 'a'],
    ['constructor', 'b'],
  ]);
  expect([...joinedHeaders([])]).toEqual([]);
});
