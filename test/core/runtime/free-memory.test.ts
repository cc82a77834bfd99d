import { expect, test } from 'vitest';
import { freeMemory } from '../../../src/core/runtime/free-memory.ts';

test('a buffer with its own memory is empty afterwards', () => {
  const buffer = Buffer.alloc(100_000, 1);
  freeMemory(buffer);
  expect(buffer.length).toBe(0);
});

test('a buffer with one spare byte is empty too', () => {
  const buffer = Buffer.from(new ArrayBuffer(100_001), 0, 100_000);
  freeMemory(buffer);
  expect(buffer.length).toBe(0);
});

test('a buffer that shares its memory stays, and so do the others', () => {
  const pooled = Buffer.from('from the pool');
  const whole = Buffer.from(new ArrayBuffer(100_000)).fill(7);
  const part = whole.subarray(10, 20);
  freeMemory(pooled);
  freeMemory(part);
  expect(String(pooled)).toBe('from the pool');
  expect([...part]).toEqual(Array(10).fill(7));
  expect(whole).toHaveLength(100_000);
});

test('memory that threads share stays', () => {
  const shared = new Uint8Array(new SharedArrayBuffer(8)).fill(3);
  freeMemory(shared);
  expect([...shared]).toEqual(Array(8).fill(3));
});
