import { expect, test } from 'vitest';
import { WritePace } from '../../src/http/write-pace.ts';

const GATHER_MS = 50;

const turn = () => new Promise(setImmediate);

test('the first write is made at the end of the turn, what follows a moment later and together', async () => {
  const pace = new WritePace();
  const writes: { who: string; at: number }[] = [];
  const first = () => writes.push({ who: 'first', at: performance.now() });
  pace.soon(first);
  pace.soon(first);
  expect(writes).toEqual([]);
  await turn();
  expect(writes.map(({ who }) => who)).toEqual(['first']);

  await new Promise<void>((resolve) => {
    pace.soon(first);
    pace.soon(() => {
      writes.push({ who: 'second', at: performance.now() });
      resolve();
    });
    pace.soon(first);
  });
  expect(writes.map(({ who }) => who)).toEqual(['first', 'first', 'second']);
  const [before, after] = writes.map(({ at }) => at) as [number, number];
  // Timers count whole milliseconds.
  expect(after - before).toBeGreaterThanOrEqual(GATHER_MS - 1);
});

test('after a quiet moment the next write is made at once again', async () => {
  const pace = new WritePace();
  let writes = 0;
  const write = () => writes++;
  pace.soon(write);
  await turn();
  await new Promise((resolve) => setTimeout(resolve, GATHER_MS + 1));
  pace.soon(write);
  await turn();
  expect(writes).toBe(2);
});
