import { describe, expect, test } from 'vitest';
import {
  decodedBytes,
  decodedIncludes,
  otherReadings,
} from '../../../../src/store/shared/search/search-text.ts';

const bytes = (...parts: (string | number)[]) =>
  Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.of(part))),
  );

const decodedText = (body: Uint8Array) => decodedBytes(body)?.toString('utf8') ?? null;

describe('the text of a body with its JSON escapes decoded', () => {
  const cases: [string, string][] = [
    ['"caf\\u00e9"', '"café"'],
    ['"caf\\u00E9"', '"café"'],
    ['"\\ud83d\\ude00"', '"😀"'],
    ['"http:\\/\\/x"', '"http://x"'],
    ['"\\"\\\\\\b\\f\\n\\r\\t"', '""\\\b\f\n\r\t"'],
    ['"\\\\u00e9"', '"\\u00e9"'],
    ['"\\\\\\u00e9"', '"\\é"'],
    ['"\\\\n"', '"\\n"'],
    ['"\\u005cn"', '"\\n"'],
    ['"\\u0000"', '"\0"'],
    // Invalid characters.
    ['"\\ud800"', '"\ufffd"'],
    ['"\\udc00\\ud83d"', '"\ufffd\ufffd"'],
    ['"\\ud83dx\\ude00"', '"\ufffdx\ufffd"'],
    ['"\\ud83d\\ud83d\\ude00"', '"\ufffd😀"'],
    // Invalid escapes stay.
    ['"\\x41\\u12\\u12g4"', '"\\x41\\u12\\u12g4"'],
    ['"\\', '"\\'],
    ['"\\u00e', '"\\u00e'],
    // Blanks before the escape, and any text after it.
    [' \t\r\n{"a":"\\n"} trailing', ' \t\r\n{"a":"\n"} trailing'],
    ['[1,"\\n"', '[1,"\n"'],
  ];
  test.each(cases)('%j', (body, text) => {
    expect(decodedText(bytes(body))).toBe(text);
  });

  test.each(['', '   ', '"no escape"', '{"a":1}', 'a\\n', '1\\n', 'x={"a":"\\n"}', '<a>\\u00e9'])(
    'is null when nothing changes or it is no JSON: %j',
    (body) => {
      expect(decodedText(bytes(body))).toBeNull();
    },
  );

  test('has U+FFFD for bytes that are not UTF-8', () => {
    expect(decodedText(bytes('"\\n', 0xff, '\\u00e9"'))).toBe('"\n\ufffdé"');
  });

  test('covers only the given part of a buffer', () => {
    expect(decodedText(new Uint8Array(bytes('x"\\n"x')).subarray(1, 5))).toBe('"\n"');
  });

  test('is fast for half a mebibyte of backslashes', () => {
    const body = Buffer.concat([bytes('"'), Buffer.alloc(512 * 1024, '\\')]);
    expect(decodedText(body)).toHaveLength(1 + 256 * 1024);
  });
});

describe('the search in a decoded body', () => {
  test('finds exactly its text', () => {
    const body = bytes('{"a":"caf\\u00e9"}');
    expect(decodedIncludes(body, 'café')).toBe(true);
    expect(decodedIncludes(body, 'CAFÉ')).toBe(false);
    expect(decodedIncludes(body, 'cafe')).toBe(false);
    // The body as received is matched by its bytes elsewhere.
    expect(decodedIncludes(body, '\\u00e9')).toBe(false);
    expect(decodedIncludes(bytes('{"a":"b"}'), 'b')).toBe(false);
  });

  test('finds U+FFFD where it was sent, and not where bytes were invalid', () => {
    expect(decodedIncludes(bytes('"\\ufffd"'), '\ufffd')).toBe(true);
    expect(decodedIncludes(bytes('"\\n\ufffd"'), '\n\ufffd')).toBe(true);
    expect(decodedIncludes(bytes('"\\n', 0xff, '"'), '\ufffd')).toBe(false);
    expect(decodedIncludes(bytes('"\\ud800"'), '\ufffd')).toBe(false);
  });

  test('finds text beside bytes that are not UTF-8', () => {
    expect(decodedIncludes(bytes('"', 0xff, '\\u00e9', 0xc3, '"'), 'é')).toBe(true);
    expect(decodedIncludes(bytes('"', 0xc3, '\\n"'), 'Ã')).toBe(false);
  });
});

describe('other readings of a body', () => {
  const FORM = 'Application/X-WWW-Form-URLEncoded; charset=utf-8';
  const readings = (body: string, type: string | null = FORM) =>
    otherReadings(Buffer.from(body), type).map((reading) => reading.toString());

  test.each<[body: string, type: string | null, others: string[]]>([
    ['{"a":"caf\\u00e9"}', 'application/json', ['{"a":"café"}']],
    ['\ufeff{"a":"caf\\u00e9"}', null, ['\ufeff{"a":"café"}']],
    ['{"a":1}', null, []],
    ['a=1+2%26&b=%C3%A9', FORM, ['a=1 2&&b=é']],
    ['a=1+2', 'text/plain', []],
    ['a=b', FORM, []],
    ['a=100%&b=%zz%', FORM, []],
    [
      'payload=%7B%22a%22%3A%22caf%5Cu00e9%22%7D',
      FORM,
      ['payload={"a":"caf\\u00e9"}', 'payload={"a":"café"}'],
    ],
    ['payload={"a":"caf\\u00e9"}', FORM, ['payload={"a":"café"}']],
  ])('%s as %s', (body, type, others) => {
    expect(readings(body, type)).toEqual(others);
  });
});
