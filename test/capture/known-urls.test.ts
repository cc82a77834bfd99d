import { expect, test } from 'vitest';
import { KnownUrls } from '../../src/capture/known-urls.ts';

test('a URL is known for a second after it received an event', () => {
  let now = 5000;
  const known = new KnownUrls(() => now);
  expect(known.has('c_one')).toBe(false);
  known.note('c_one');
  now += 999;
  expect(known.has('c_one')).toBe(true);
  expect(known.has('c_two')).toBe(false);
  now += 1;
  expect(known.has('c_one')).toBe(false);
  known.note('c_one');
  expect(known.has('c_one')).toBe(true);
});

test('memory is bounded for any number of URLs', () => {
  const known = new KnownUrls(() => 0);
  for (let i = 0; i < 20_000; i++) known.note(`c_${i}`);
  const held = Array.from({ length: 20_000 }, (_, i) => known.has(`c_${i}`)).filter(Boolean);
  expect(held).toHaveLength(10_000);
  expect(known.has('c_19999')).toBe(true);
});
