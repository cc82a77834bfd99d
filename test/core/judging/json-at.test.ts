import { describe, expect, test } from 'vitest';
import { jsonAt } from '../../../src/core/judging/json-at.ts';
import { jsonEnd } from '../../../src/core/judging/json-end.ts';
import { parseDocument, type Value, writeDocument } from '../../../src/core/rules/document.ts';
import { parsePath, valueAt } from '../../../src/core/rules/path.ts';
import { Work } from '../../../src/core/rules/work.ts';

/** The same numbers in each run. */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const NAMES = ['a', 'b', 'ü', '__proto__', 'a"b', ''];
const PATHS = ['a', 'a.b', 'b[1]', 'a[0].b', 'b[*].a', 'ü."a\\"b"', '__proto__.a', '""', 'a[*][0]'];
const SCALARS = ['null', 'true', '-0.5e3', '12345678901234567890', '"x\\u00e9\\n"', '""', '7'];

function jsonText(random: (below: number) => number, depth = 0): string {
  const kind = random(depth > 4 ? 1 : 3);
  if (kind === 0) return SCALARS[random(SCALARS.length)] as string;
  const space = () => [' ', '', '\n\t', ''][random(4)];
  const parts = Array.from({ length: random(4) }, () => {
    const value = jsonText(random, depth + 1);
    if (kind === 1) return `${space()}${value}${space()}`;
    const name = JSON.stringify(NAMES[random(NAMES.length)]);
    return `${space()}${name}${space()}:${space()}${value}${space()}`;
  });
  return kind === 1 ? `[${parts}${parts.length ? '' : space()}]` : `{${parts}}`;
}

const found = (document: Value | undefined, path: string) => {
  const value = valueAt(document, parsePath(path), new Work(1e6));
  return value === undefined || value === null ? null : writeDocument(value);
};

describe('a JSON text as far as paths look into it', () => {
  test('has the scalars that the whole document has there, also beside other paths', () => {
    for (let seed = 1; seed <= 800; seed++) {
      const text = jsonText(randomOf(seed));
      const bytes = Buffer.from(text);
      const whole = parseDocument(text);
      const all = jsonAt(bytes, PATHS.map(parsePath));
      for (const path of PATHS) {
        const value = found(whole, path);
        if (value !== null && /^[[{]/.test(value)) continue;
        for (const part of [all, jsonAt(bytes, [parsePath(path)])]) {
          expect({ text, path, value: found(part, path) }).toEqual({ text, path, value });
        }
      }
      expect(jsonEnd(bytes, 0)).toBe(bytes.length);
    }
  });

  test('is none where JSON.parse finds none', () => {
    const random = randomOf(42);
    let refused = 0;
    for (let seed = 1; seed <= 800; seed++) {
      const text = jsonText(randomOf(seed));
      const at = random(text.length);
      const noise = ['', ',', '}', '"', '\\', '0', 'e', '.', '\u0001', '[', ' '][random(11)];
      const broken = text.slice(0, at) + noise + text.slice(at + random(2));
      let isJson = true;
      try {
        JSON.parse(broken);
      } catch {
        isJson = false;
        refused++;
      }
      const paths = [[], PATHS.map(parsePath)];
      for (const one of paths) {
        expect({ broken, isJson: jsonAt(Buffer.from(broken), one) !== undefined }).toEqual({
          broken,
          isJson,
        });
      }
    }
    expect(refused).toBeGreaterThan(200);
  });

  test('may be nested a million deep', () => {
    const deep = `{"a":${'['.repeat(1e6)}${']'.repeat(1e6)},"b":1}`;
    expect(jsonAt(Buffer.from(deep), [['b']])).toEqual({ b: 1 });
    expect(jsonAt(Buffer.from(deep.slice(0, -9)), [['b']])).toBeUndefined();
  });

  test('has no more elements of [*] than a key may have', () => {
    const list = Buffer.from(`{"a":[${Array(100_001).fill('1').join()}]}`);
    expect(() => jsonAt(list, [parsePath('a[*]')])).toThrow('too many values');
    expect(jsonAt(list, [parsePath('a[7]')])).toEqual({ a: Object.assign([], { 7: 1 }) });
  });
});
