import { expect, test } from 'vitest';
import { indexedText } from '../../../../src/store/postgres/search-index/search-text.ts';

const MIB = 1024 * 1024;

test.each([
  ['a é日😀', 'a é日😀'],
  ['', ''],
  ['\ufeffa', '\ufeffa'],
  // Text can't hold NUL, and the lower case of Σ depends on its neighbours.
  ['a\0b', 'a\ufffdb'],
  ['ΟΔΟΣ', 'ΟΔΟσ'],
  // The text as received, and with its JSON escapes decoded.
  ['"caf\\u00e9"', '"caf\\u00e9"\n"café"'],
])('of %j the index holds %j', (body, text) => {
  expect(indexedText(Buffer.from(body), null)).toBe(text);
});

test.each([
  // As received, without the percent-encoding, and with the escapes in the form's JSON decoded.
  ['a=b', 'a=b'],
  ['city=K%C3%B6ln+1', 'city=K%C3%B6ln+1\ncity=Köln 1'],
  [
    'payload=%7B%22a%22%3A%22\\u00e9%22%7D',
    'payload=%7B%22a%22%3A%22\\u00e9%22%7D\npayload={"a":"\\u00e9"}\npayload={"a":"é"}',
  ],
])('of the form %j the index holds %j', (body, text) => {
  const form = 'Application/x-www-form-urlencoded; charset=utf-8';
  expect(indexedText(Buffer.from(body), form)).toBe(text);
  expect(indexedText(Buffer.from(body), 'text/plain')).toBe(body);
});

test('only the given part of a buffer is indexed', () => {
  expect(indexedText(new Uint8Array(Buffer.from('x"\\n"x')).subarray(1, 5), null)).toBe(
    '"\\n"\n"\n"',
  );
});

test.each([
  ['not UTF-8', Buffer.of(0x61, 0xff)],
  ['half a surrogate pair', Buffer.of(0xed, 0xa0, 0x80)],
  ['over a mebibyte', Buffer.alloc(MIB + 1, 'a')],
])('what is %s is looked at itself', (_, body) => {
  expect(indexedText(body, null)).toBeNull();
});
