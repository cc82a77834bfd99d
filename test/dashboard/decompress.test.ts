import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { decompress, encodingsOf, utf8Text } from '../../src/dashboard/text/decompress.ts';

const bytesOf = (buffer: Buffer) => new Uint8Array(buffer);
const PLAIN = Buffer.from('{"a": "é"}');
const headers = (value: string): [string, string][] => [['Content-Encoding', value]];

test.each([
  ['gzip, named', bytesOf(gzipSync(PLAIN)), headers('gzip'), 'gzip'],
  ['gzip, by its mark', bytesOf(gzipSync(PLAIN)), [], 'gzip'],
  ['deflate', bytesOf(deflateSync(PLAIN)), headers('Deflate'), 'deflate'],
  [
    'deflate without its wrapper',
    bytesOf(deflateRawSync(PLAIN)),
    headers('deflate'),
    'deflate-raw',
  ],
] as const)('%s is decoded', async (_, bytes, sent, encoding) => {
  const decoded = await decompress(bytes, encodingsOf(sent, bytes));
  expect(decoded).toMatchObject({ encoding, isCut: false });
  expect(utf8Text(decoded?.bytes as Uint8Array)).toBe('{"a": "é"}');
});

test('what is no such encoding stays as it is', async () => {
  expect(encodingsOf(headers('br'), bytesOf(PLAIN))).toEqual([]);
  expect(encodingsOf(headers('gzip'), bytesOf(PLAIN))).toEqual([]);
  expect(encodingsOf([], new Uint8Array(0))).toEqual([]);
  const damaged = bytesOf(gzipSync(PLAIN)).fill(0xff, 12);
  expect(await decompress(damaged, encodingsOf([], damaged))).toBeNull();
  expect(
    await decompress(bytesOf(PLAIN), encodingsOf(headers('deflate'), bytesOf(PLAIN))),
  ).toBeNull();
});

test('a bomb is cut', async () => {
  const bomb = bytesOf(gzipSync(Buffer.alloc(50_000_000, 'é')));
  expect(bomb.length).toBeLessThan(100_000);
  const decoded = await decompress(bomb, ['gzip'], 1_000_001);
  expect(decoded).toMatchObject({ isCut: true });
  expect(decoded?.bytes.length).toBe(1_000_001);
  // The cut is within a character.
  expect(utf8Text(decoded?.bytes as Uint8Array)).toBeNull();
  expect(utf8Text(decoded?.bytes as Uint8Array, true)).toHaveLength(500_000);
});
