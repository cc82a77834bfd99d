import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NotJson, readShape } from '../../../src/ai/types/read-shape.ts';

function isRead(text: string): boolean {
  try {
    readShape(text);
    return true;
  } catch (error) {
    if (error instanceof NotJson) return false;
    throw error;
  }
}

function isParsed(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe('the reader accepts exactly what JSON.parse accepts', () => {
  /** Pieces that nearly make JSON. */
  const piece = fc.constantFrom(
    ...[
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '"',
      '\\',
      '\\n',
      '\\u00e9',
      '\\u00g',
      'true',
      'nul',
      'null',
    ],
    ...[
      '0',
      '-',
      '1',
      '01',
      '1.5',
      '1.',
      '.5',
      '1e5',
      '1e',
      '+1',
      '-0',
      ' ',
      '\n',
      '\t',
      '\r',
      '\u0000',
      '\u00a0',
      '\ufeff',
    ],
  );

  test('for texts of random pieces', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const text = pieces.join('');
        expect(isRead(text)).toBe(isParsed(text));
      }),
      { numRuns: 20_000 },
    );
  });

  test('for JSON with one character more, less or different', () => {
    const changed = fc
      .tuple(fc.json(), fc.nat(), fc.constantFrom('', ...'{}[],:"\\0-e. \u0001'), fc.nat(1))
      .map(([text, at, put, cut]) => {
        const place = at % (text.length + 1);
        return text.slice(0, place) + put + text.slice(place + cut);
      });
    fc.assert(
      fc.property(changed, (text) => {
        expect(isRead(text)).toBe(isParsed(text));
      }),
      { numRuns: 20_000 },
    );
  });

  test.each([
    '[1,]',
    '{"a":1,}',
    '{"a"}',
    '[1 2]',
    '"\t"',
    '{"a":1}}',
    '[[]',
    '"\\u12"',
    '',
    ' ',
    '"',
    "'a'",
    '{a:1}',
    'NaN',
    '\ufeff1',
  ])('%j is no JSON', (text) => {
    expect(isParsed(text)).toBe(false);
    expect(isRead(text)).toBe(false);
  });

  test('for a million levels of depth', () => {
    const deep = (inner: string) => `${'['.repeat(1_000_000)}${inner}${']'.repeat(1_000_000)}`;
    expect(isRead(deep('{"a":[1,"x"]}'))).toBe(true);
    expect(isRead(deep('{"a":[1,]}'))).toBe(false);
  });
});

test('the reader tells integers from other numbers by their notation', () => {
  const kindOf = (text: string) => readShape(text).shape.number;
  expect(['1', '-0', '9223372036854775807', '-9223372036854775808'].map(kindOf)).toEqual(
    Array.from({ length: 4 }, () => 'integer'),
  );
  expect(['1.0', '1e2', '9223372036854775808', '1e400', '[1]'].map(kindOf)).toEqual([
    ...Array.from({ length: 4 }, () => 'double'),
    null,
  ]);
});
