import fc from 'fast-check';
import { expect, test } from 'vitest';
import { JsonFault, readShape } from '../../../src/ai/types/read-shape.ts';

export function isRead(text: string): boolean {
  try {
    readShape(text);
    return true;
  } catch (error) {
    if (error instanceof JsonFault) return false;
    throw error;
  }
}

export function isParsed(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** @param levels of arrays within each other */
export function readsAsJsonParse({ runs, levels }: { runs: number; levels: number }): void {
  /** Pieces that make JSON, nearly. */
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

  test('of any pieces', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const text = pieces.join('');
        expect(isRead(text)).toBe(isParsed(text));
      }),
      { numRuns: runs },
    );
  });

  test('of JSON with one character more, less or other', () => {
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
      { numRuns: runs },
    );
  });

  test('many levels down as well', () => {
    const deep = (inner: string) => `${'['.repeat(levels)}${inner}${']'.repeat(levels)}`;
    expect(isRead(deep('{"a":[1,"x"]}'))).toBe(true);
    expect(isRead(deep('{"a":[1,]}'))).toBe(false);
  });
}
