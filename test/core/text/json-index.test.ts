import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  indexJson,
  type JsonIndex,
  kindOf,
  nameOf,
  nodeAt,
  writtenOf,
} from '../../../src/core/text/json-index.ts';
import {
  isClosing,
  linesOf,
  openAtFirst,
  placeOf,
  setAll,
  valueOfLine,
} from '../../../src/dashboard/parts/body/json-lines.ts';
import { ruleOfValue, rulePath } from '../../../src/dashboard/parts/body/rule-path.ts';

const indexOf = (text: string): JsonIndex => indexJson(text) as JsonIndex;

/** The value of a node, with JSON.parse for names and scalars only. */
function plain(text: string, index: JsonIndex, node: number): unknown {
  const kind = kindOf(text, index, node);
  if (kind !== 'object' && kind !== 'array') return JSON.parse(writtenOf(text, index, node));
  const members: [string | null, unknown][] = [];
  const end = index.next[node] as number;
  for (let at = node + 1; at < end; at = index.next[at] as number) {
    expect(index.parent[at]).toBe(node);
    members.push([nameOf(text, index, at), plain(text, index, at)]);
  }
  expect(index.members[node]).toBe(members.length);
  if (kind === 'array') return members.map(([, value]) => value);
  return Object.fromEntries(members.map(([name, value]) => [JSON.parse(name as string), value]));
}

/** The tree's text as somebody would copy it line by line. */
function copied(text: string, index: JsonIndex, lines: Uint32Array, open: Uint8Array): string {
  return [...lines]
    .map((line) => {
      const node = valueOfLine(line);
      const isObject = kindOf(text, index, node) === 'object';
      const up = index.parent[node] as number;
      const comma = up === 0xffffffff || index.next[node] === index.next[up] ? '' : ',';
      if (isClosing(line)) return (isObject ? '}' : ']') + comma;
      const name = nameOf(text, index, node);
      const value =
        open[node] === 1 ? (isObject ? '{' : '[') : writtenOf(text, index, node) + comma;
      return (name === null ? '' : `${name}: `) + value;
    })
    .join('\n');
}

describe('the index of a JSON text', () => {
  test('finds every value, as JSON.parse does', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(3), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        const index = indexOf(text);
        expect(JSON.stringify(plain(text, index, 0))).toBe(JSON.stringify(JSON.parse(text)));
        for (const open of [setAll(index, true), setAll(index, false), openAtFirst(index, 10)]) {
          const lines = linesOf(index, open);
          expect(JSON.parse(copied(text, index, lines, open))).toEqual(JSON.parse(text));
          lines.forEach((line, place) => {
            if (!isClosing(line)) expect(placeOf(lines, valueOfLine(line))).toBe(place);
          });
        }
      }),
    );
  });

  test.each([
    '',
    ' ',
    '{',
    '[1',
    '[1,]',
    '{"a"}',
    '{"a":}',
    '{a:1}',
    '"x',
    '[1 2]',
    'nul',
    '[]]',
    '01',
  ])('refuses %j', (text) => expect(indexJson(text)).toBeNull());
  test.each(['1 2', '{"a":1,}', ',', '[1] x'])('refuses %j also as several documents', (text) => {
    expect(indexJson(text)).toBeNull();
    if (text !== '1 2') expect(indexJson(text, { isMany: true })).toBeNull();
  });

  test('reads several documents', () => {
    const text = '{"a":1}\n[2]\r\n"x"\n';
    const index = indexJson(text, { isMany: true }) as JsonIndex;
    expect(index.roots).toBe(3);
    expect(plain(text, index, 0)).toEqual({ a: 1 });
  });

  test('neither depth nor escapes stop it', () => {
    const depth = 500_000;
    const index = indexOf('['.repeat(depth) + ']'.repeat(depth));
    expect(index.length).toBe(depth);
    const open = setAll(index, true);
    expect(linesOf(index, open).length).toBe(2 * depth - 1);
    const long = `"${'\\"x\\\\'.repeat(100_000)}"`;
    expect(indexOf(long).end[0]).toBe(long.length);
  });

  test('of a beginning has the same values as the whole', () => {
    const text = JSON.stringify({ a: Array.from({ length: 1000 }, (_, n) => ({ n })), b: 1 });
    const part = indexJson(text, { until: 500 }) as JsonIndex;
    const whole = indexOf(text);
    expect(part.isPartial).toBe(true);
    expect(part.length).toBeGreaterThan(20);
    expect(whole.start.subarray(0, part.length)).toEqual(part.start);
    expect(whole.parent.subarray(0, part.length)).toEqual(part.parent);
    const lines = linesOf(part, setAll(part, true));
    expect(lines.length).toBeGreaterThan(part.length);
  });
});

describe('a value', () => {
  const text =
    '{"items": [{"sku": "A", "a.b": 1.50}, {}], "é x": {"$ref": null}, "n": 9007199254740993}';
  const index = indexOf(text);
  const at = (part: string) => nodeAt(index, text.indexOf(part));

  test('has the path that rules use', () => {
    expect(rulePath(text, index, at('"A"'))).toBe('body.items[0].sku');
    expect(rulePath(text, index, at('1.50'))).toBe('body.items[0]."a.b"');
    expect(rulePath(text, index, at('null'))).toBe('body."é x".$ref');
    expect(rulePath(text, index, at('{}'))).toBe('body.items[1]');
    expect(rulePath(text, index, 0)).toBe('body');
  });

  test('has the condition that finds it', () => {
    expect(ruleOfValue(text, index, at('"A"'))).toBe('body.items[0].sku="A"');
    expect(ruleOfValue(text, index, at('1.50'))).toBe('body.items[0]."a.b"=1.50');
    expect(ruleOfValue(text, index, at('90071'))).toBe('body.n=9007199254740993');
    expect(ruleOfValue(text, index, at('null'))).toBe('body."é x".$ref=null');
    expect(ruleOfValue(text, index, at('{}'))).toBeNull();
  });

  test('is found by a place in it, in its name, or behind it', () => {
    expect(at('sku')).toBe(at('"A"'));
    expect(kindOf(text, index, nodeAt(index, text.length - 1))).toBe('object');
    expect(nodeAt(index, 0)).toBe(0);
  });
});
