import { expect, test } from 'vitest';
import { BorrowedBody } from '../../../src/core/http/borrowed-body.ts';

const READ_LATE = 'a captured body was read after its request was answered';

test('a body can be read until it is freed', () => {
  const body = new BorrowedBody(Buffer.from('hello'));
  expect(String(body.bytes)).toBe('hello');
  body.free();
  expect(() => body.bytes).toThrow(READ_LATE);
  expect(() => body.copy()).toThrow(READ_LATE);
  expect(body.length).toBe(5);
});

test('a copy can be read after the body is freed', () => {
  const chunk = Buffer.alloc(10_000, 65);
  const body = new BorrowedBody(chunk.subarray(100), chunk);
  const copy = body.copy();
  body.free();
  expect(chunk.length).toBe(0);
  expect(copy).toEqual(Buffer.alloc(9900, 65));
});
