import { expect, test } from 'vitest';
import { formatSize, parseSize } from '../../../src/core/text/size.ts';

test.each([
  ['26214400', 26_214_400],
  ['0', 0],
  ['1b', 1],
  ['512kb', 524_288],
  ['512 KiB', 524_288],
  ['25mb', 26_214_400],
  ['25MiB', 26_214_400],
  ['1.5gb', 1_610_612_736],
  [' 1kb ', 1024],
])('%j is %d bytes', (text, bytes) => {
  expect(parseSize(text)).toBe(bytes);
});

test.each([
  '',
  'mb',
  '-1mb',
  '1tb',
  '1m',
  '1e3',
  '0x10',
  '.5mb',
  '1 2',
  '1mbmb',
  '9'.repeat(17),
  '1constructor',
  '1__proto__',
])('%j is refused', (text) => {
  expect(parseSize(text)).toBeNull();
});

test.each([
  [512, '512 B'],
  [1536, '1.5 KB'],
  [24 * 1024 ** 2, '24.0 MB'],
  [118.4 * 1024 ** 3, '118.4 GB'],
])('formatSize(%d) is %j', (bytes, text) => {
  expect(formatSize(bytes)).toBe(text);
});
