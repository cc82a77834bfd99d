import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { WritePace } from '../../src/http/write-pace.ts';

const GATHER_MS = 50;

// To the millisecond, which no real timer is.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'setImmediate', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const turn = () => vi.advanceTimersByTime(0);

test('the first write is made at the end of the turn, what follows a moment later and together', () => {
  const pace = new WritePace();
  const writes: string[] = [];
  const first = () => writes.push('first');
  pace.soon(first);
  pace.soon(first);
  expect(writes).toEqual([]);
  turn();
  expect(writes).toEqual(['first']);

  pace.soon(first);
  pace.soon(() => writes.push('second'));
  pace.soon(first);
  vi.advanceTimersByTime(GATHER_MS - 1);
  expect(writes).toEqual(['first']);
  vi.advanceTimersByTime(1);
  expect(writes).toEqual(['first', 'first', 'second']);
});

test('after a quiet moment the next write is made at once again', () => {
  const pace = new WritePace();
  let writes = 0;
  const write = () => writes++;
  pace.soon(write);
  turn();
  vi.advanceTimersByTime(GATHER_MS);
  pace.soon(write);
  turn();
  expect(writes).toBe(2);
});
