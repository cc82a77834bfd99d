import { expect, test } from 'vitest';
import { imageOf } from '../../../src/dashboard/parts/body/image.ts';

const bytes = (hex: string, length = 64) => {
  const all = new Uint8Array(Math.max(length, hex.length / 2));
  all.set(Buffer.from(hex.replaceAll(' ', ''), 'hex'));
  return all;
};

test.each([
  ['png', '89504e470d0a1a0a 0000000d49484452 00000140 000000f0', 320, 240],
  ['gif', '474946383961 4001 f000', 320, 240],
  ['jpeg', 'ffd8 ffe00004aabb ffc20011 08 00f0 0140', 320, 240],
  ['webp', '52494646 00000000 57454250 56503858 0a000000 00000000 3f0100 ef0000', 320, 240],
  ['webp', '52494646 00000000 57454250 56503820 00000000 000000 9d012a 4001 f000', 320, 240],
  ['webp', '52494646 00000000 57454250 5650384c 00000000 2f 3fc13b00', 320, 240],
  [
    'avif',
    '0000001c 66747970 61766966 00000000 00000014 69737065 00000000 00000140 000000f0',
    320,
    240,
  ],
])('%s is known by its bytes, with its size', (type, hex, width, height) => {
  expect(imageOf(bytes(hex))).toEqual({ type: `image/${type}`, size: { width, height } });
});

test('anything else is no picture, above all SVG', () => {
  for (const text of [
    '<svg xmlns="http://www.w3.org/2000/svg"/>',
    '<?xml version="1.0"?><svg/>',
    '',
  ]) {
    expect(imageOf(new TextEncoder().encode(text.padEnd(40)))).toBeNull();
  }
  expect(imageOf(bytes('89504e47'))).toBeNull();
  expect(imageOf(bytes('ffd8ffe0'.padEnd(60, 'f')))).toEqual({ type: 'image/jpeg', size: null });
  expect(imageOf(new Uint8Array(3))).toBeNull();
});
