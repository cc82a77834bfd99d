import { describe, expect, test } from 'vitest';
import { isJson } from '../../../src/core/http/is-json.ts';

/** The reference implementation. */
function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const JSON_TEXTS = [
  '{}',
  '[]',
  ' \t\r\n{ "a" : [ 1 , -0 , 1.0e+5 , 1E400, 0.1e-9 ] } \n',
  '12345678901234567890',
  '-0',
  '0',
  '""',
  '"\\u00e9\\"\\\\\\/\\b\\f\\n\\r\\t é 日本 😀 \u2028"',
  '"\\ud800"',
  'true',
  'false',
  'null',
  '{"__proto__":1,"__proto__":{"a":[[],{},""]},"":null}',
  '[[[[[[]]]],{"a":[{"b":{}}]}]]',
];

describe('isJson answers like JSON.parse', () => {
  test.each(JSON_TEXTS)('yes for %j', (text) => {
    expect(parses(text)).toBe(true);
    expect(isJson(Buffer.from(text))).toBe(true);
  });

  test.each([
    ...['', ' ', '\ufeff{}', '{', '}', '[', ']', '[}', '{]', '[1,]', '[,1]', '{,}', '{"a"}'],
    ...['{"a":}', '{"a":1,}', '{a:1}', "{'a':1}", '[1 2]', '1 2', '{}{}', '[]]', '"a', '"\\x"'],
    ...['"\\u12"', '"\\u12g4"', '"\n"', '"\u0000"', '\u0000', '01', '-', '-a', '+1', '.5', '1.'],
    ...['1.e1', '1e', '1e+', '0x1', '1_0', 'NaN', 'Infinity', 'tru', 'truee', 'nul', 'True'],
    ...['// a\n1', '[1]//', '\u00a01', '\v1', 'undefined', '"a" "b"', '{"a":1 "b":2}', '{"a"::1}'],
  ])('no for %j', (text) => {
    expect(parses(text)).toBe(false);
    expect(isJson(Buffer.from(text))).toBe(false);
  });

  test('for texts that differ by one character', () => {
    const characters = [...'{}[],:"\\ue0129+-.tfn \n', '\u0001', 'é'];
    let tried = 0;
    for (const text of JSON_TEXTS.filter(({ length }) => length < 60)) {
      const points = [...text];
      for (let at = 0; at <= points.length; at++) {
        const [before, after] = [points.slice(0, at).join(''), points.slice(at + 1).join('')];
        const variants = [before + after];
        for (const character of characters) {
          variants.push(before + character + after, before + character + points.slice(at).join(''));
        }
        for (const variant of variants) {
          tried++;
          if (isJson(Buffer.from(variant)) !== parses(variant)) {
            expect.fail(`${JSON.stringify(variant)} is ${parses(variant)} for JSON.parse`);
          }
        }
      }
    }
    expect(tried).toBeGreaterThan(5000);
  });
});

test('isJson reads any depth', () => {
  const depth = 5_000_000;
  const deep = Buffer.from('['.repeat(depth) + ']'.repeat(depth));
  expect(isJson(deep)).toBe(true);
  expect(isJson(deep.subarray(1))).toBe(false);
  expect(isJson(deep.subarray(0, -1))).toBe(false);
});
