import { expect, test } from 'vitest';
import { SharedFrames } from '../../../src/api/streams/shared-frames.ts';

test('readers of the same frames share one piece of memory', () => {
  const joined = new SharedFrames();
  const frames = ['data: é\n\n', 'data: 2\n\n'];
  const bytes = joined.bytesOf([...frames]);
  expect(String(bytes)).toBe('data: é\n\ndata: 2\n\n');
  expect(joined.bytesOf([...frames])).toBe(bytes);
});

test('readers of different frames get their own', () => {
  const joined = new SharedFrames();
  const all = joined.bytesOf(['a', 'b']);
  expect(String(joined.bytesOf(['a']))).toBe('a');
  expect(String(joined.bytesOf(['a', 'c']))).toBe('ac');
  expect(String(joined.bytesOf(['a', 'b', 'c']))).toBe('abc');
  expect(String(all)).toBe('ab');
});
