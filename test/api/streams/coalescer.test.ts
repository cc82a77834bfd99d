import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Coalescer } from '../../../src/api/streams/coalescer.ts';

const GATHER_MS = 50;

// Exact to the millisecond, unlike a real timer.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'setImmediate', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const turn = () => vi.advanceTimersByTime(0);

test('the first write goes at the end of the turn, and later ones together a moment after', () => {
  const coalescer = new Coalescer();
  const writes: string[] = [];
  const first = () => writes.push('first');
  coalescer.soon(first);
  coalescer.soon(first);
  expect(writes).toEqual([]);
  turn();
  expect(writes).toEqual(['first']);

  coalescer.soon(first);
  coalescer.soon(() => writes.push('second'));
  coalescer.soon(first);
  vi.advanceTimersByTime(GATHER_MS - 1);
  expect(writes).toEqual(['first']);
  vi.advanceTimersByTime(1);
  expect(writes).toEqual(['first', 'first', 'second']);
});

test('after a quiet moment the next write goes at once again', () => {
  const coalescer = new Coalescer();
  let writes = 0;
  const write = () => writes++;
  coalescer.soon(write);
  turn();
  vi.advanceTimersByTime(GATHER_MS);
  coalescer.soon(write);
  turn();
  expect(writes).toBe(2);
});
