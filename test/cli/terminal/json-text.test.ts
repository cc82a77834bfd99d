import { describe, expect, test } from 'vitest';
import { indentJson, memberText } from '../../../src/cli/terminal/json-text.ts';

describe('indented JSON', () => {
  test.each([
    '{}',
    '[]',
    'null',
    '"a"',
    '-1.5e3',
    '{"a":1}',
    '[1,[],{},[[]],{"a":{"b":[true,false,null]}}]',
    '{"\\"q\\\\":"{[,:]}","é":"\\u00e9 \\n"}',
    ' \r\n\t{ "a" :\n[ 1 ,2 ] } ',
  ])('%s', (text) => {
    const indented = indentJson(text);
    expect(JSON.parse(indented)).toEqual(JSON.parse(text));
    if (!/\\u|e3/.test(text)) {
      expect(indented).toBe(JSON.stringify(JSON.parse(text), null, 2));
    }
  });

  test('keeps what parsing would lose', () => {
    const text = '{"n":[12345678901234567890,1.0,1e400,-0],"n":"\\u00e9","__proto__":1}';
    expect(indentJson(text).replace(/\n */g, '').replaceAll('": ', '":')).toBe(text);
  });

  test('of a million levels needs no more memory than its text', () => {
    const text = '['.repeat(1_000_000) + ']'.repeat(1_000_000);
    const indented = indentJson(text);
    expect(indented.length).toBeLessThan(text.length + 10_000);
    expect(indented.replace(/\s/g, '')).toBe(text);
  });

  test.each(['', '{', '"abc', '}}}', '{"a"', 'a:b,]', '\\', '"\\'])(
    'of %s does not throw',
    (text) => {
      expect(() => indentJson(text)).not.toThrow();
    },
  );
});

describe("a member's text", () => {
  test.each([
    ['{"body":1.0}', '1.0'],
    ['{"headers":{"body":"no"},"type":"body","body":{"body":[1, 2]}}', '{"body":[1, 2]}'],
    ['{"a":["body",{"body":3}],"body": "}," }', '"},"'],
    ['{"a":{}, "body" : null , "b":1}', 'null'],
    ['{"a":1}', null],
    ['{"a":{"body":1}}', null],
    ['{}', null],
  ])('%s', (text, body) => {
    expect(memberText(text, 'body')).toBe(body);
  });
});
