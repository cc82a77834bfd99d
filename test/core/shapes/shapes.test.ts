import { deflateRawSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { driftOf } from '../../../src/core/shapes/drift-of.ts';
import { forget, neededEvents } from '../../../src/core/shapes/literals.ts';
import { mergeInto } from '../../../src/core/shapes/merge-into.ts';
import type { JsonPayload } from '../../../src/core/shapes/payload.ts';
import { readPayload } from '../../../src/core/shapes/read-payload.ts';
import {
  FORMAT,
  KIND,
  MAX_LITERALS,
  MAX_MEMBERS,
  newShape,
  type PayloadShape,
} from '../../../src/core/shapes/shape.ts';
import {
  MAX_STORED_BYTES,
  readStoredShape,
  SHAPE_VERSION,
  storedShape,
} from '../../../src/core/shapes/stored-shape.ts';
import { formatsOf } from '../../../src/core/shapes/text-formats.ts';
import { githubExamples } from '../../ai/github-examples.ts';
import { seeded } from './random-types.ts';

const read = (text: string) => readPayload(Buffer.from(text));

function shapeOf(texts: readonly string[], shape = newShape()): PayloadShape {
  for (const [i, text] of texts.entries()) mergeInto(shape, read(text) as JsonPayload, i + 1);
  return shape;
}

const place = (shape: PayloadShape, name: string) => shape.root.members?.get(name)?.place;

describe('a payload', () => {
  test.each([
    ['', 'nothing'],
    ['{"a":1', 'a cut text'],
    ['a=1', 'a form'],
    [`"${'x'.repeat(256 * 1024)}"`, 'more than 256 KiB'],
  ])('is none in %j', (text) => {
    expect(read(text)).toBeUndefined();
  });

  test('is none in bytes that are no UTF-8', () => {
    expect(readPayload(Uint8Array.of(0x22, 0xff, 0x22))).toBeUndefined();
  });

  test('may have a byte order mark', () => {
    expect(read('\ufeff{"a":1}')?.value).toEqual({ a: 1 });
  });

  test.each([
    ['1', KIND.integer],
    ['-0', KIND.integer],
    ['1.0', KIND.fraction],
    ['1e3', KIND.fraction],
    ['0.5', KIND.fraction],
    ['9007199254740993', KIND.long],
    ['9223372036854775808', KIND.fraction],
    ['1e400', KIND.fraction],
  ])('distinguishes the number %s', (number, kind) => {
    expect(shapeOf([number]).root.kinds).toBe(kind);
    expect(place(shapeOf([`{"a":${number} }`]), 'a')?.kinds).toBe(kind);
  });
});

describe('names', () => {
  test.each<[string, string[]]>([
    ['addresses', ['{"a@example.com":1}']],
    ['ids', ['{"0f8fad5b-d9cb-469f-a165-70867728950e":1}']],
    ['many names', [`{${Array.from({ length: 301 }, (_, i) => `"n${i}x":1`).join(',')}}`]],
    ['a long name', [`{"${'x'.repeat(121)}":1}`]],
    [
      'ever new names',
      Array.from({ length: 30 }, (_, i) => `{"${'abcdefghijklmnopqrstuvwxyzABCD'[i]}z":1}`),
    ],
  ])('that are data are dropped: %s', (_, texts) => {
    const shape = shapeOf(texts);
    expect(shape.root.members).toBeNull();
    expect(shape.root.entries?.kinds).toBe(KIND.integer);
    expect(shape.members).toBe(0);
    expect(driftOf(shape, read('{"other":"x"}') as JsonPayload)).toEqual([]);
  });

  test('of records stay', () => {
    const shape = shapeOf(['{"id":1,"__proto__":{"x":1},"constructor":"a"}']);
    expect([...(shape.root.members?.keys() ?? [])]).toEqual(['id', '__proto__', 'constructor']);
    expect(shape.members).toBe(4);
  });
});

describe('literal values', () => {
  const texts = ['a', 'b', 'a', 'b', 'a', 'c'].map((state) => `{"state":"${state}"}`);

  test('rest on the newest two events of each', () => {
    expect(neededEvents(shapeOf(texts))).toEqual([2, 3, 4, 5, 6]);
  });

  test('are forgotten with the last of these, and come back', () => {
    const shape = shapeOf(texts);
    const values = () => [...(place(shape, 'state')?.texts?.values?.keys() ?? [])];
    expect(forget(shape, new Set([1, 2]))).toBe(true);
    expect(values()).toEqual(['a', 'b', 'c']);
    expect(forget(shape, new Set([6]))).toBe(true);
    expect(values()).toEqual(['a', 'b']);
    expect(forget(shape, new Set([6, 99]))).toBe(false);
    mergeInto(shape, read('{"state":"c"}') as JsonPayload, 7);
    expect(values()).toEqual(['a', 'b', 'c']);
    expect(forget(shape, new Set([3, 4, 5, 7]))).toBe(true);
    expect(shape.literals).toBe(0);
    expect(Buffer.from(storedShape(shape)).includes('"c"')).toBe(false);
  });

  test.each([
    ['thirteen values', Array.from({ length: 13 }, (_, i) => `v${i}`)],
    ['an address', ['a@example.com']],
    ['a long text', ['x'.repeat(65)]],
    ['a comment ender', ['a */ b']],
  ])('are none for %s', (_, values) => {
    const shape = shapeOf(values.map((value) => JSON.stringify({ a: value })));
    expect(place(shape, 'a')?.texts?.values).toBeNull();
    expect(neededEvents(shape)).toEqual([]);
  });
});

describe('a stored shape', () => {
  test('is read as it was', () => {
    for (const [name, list] of Map.groupBy(githubExamples(), (it) => it.name)) {
      const shape = shapeOf(list.map((it) => JSON.stringify(it.payload)));
      const stored = storedShape(shape);
      expect(readStoredShape(stored), name).toEqual(shape);
      expect(stored.length).toBeLessThan(16 * 1024);
    }
    expect(readStoredShape(storedShape(newShape()))).toEqual(newShape());
  });

  test('of another version, or damaged, is none', () => {
    const stored = storedShape(shapeOf(['{"a":1}']));
    expect(
      readStoredShape(Uint8Array.of(SHAPE_VERSION + 1, ...stored.subarray(1))),
    ).toBeUndefined();
    expect(readStoredShape(stored.subarray(0, -1))).toBeUndefined();
    expect(readStoredShape(new Uint8Array())).toBeUndefined();
    const odd = Buffer.concat([Uint8Array.of(SHAPE_VERSION), deflateRawSync('[1]')]);
    expect(readStoredShape(odd)).toBeUndefined();
  });

  test.each<[string, (random: () => number, i: number) => string]>([
    [
      'different names',
      (random, i) =>
        object(
          200,
          () => `${word(random)}${i}`,
          () => '1',
        ),
    ],
    [
      'objects of different names',
      (random, i) =>
        object(
          40,
          (k) => `k${i}x${k}`,
          () =>
            object(
              8,
              () => word(random),
              () => '"a"',
            ),
        ),
    ],
    [
      'different texts',
      (random, i) =>
        object(
          250,
          (k) => `m${i % 20}x${k}`,
          () => `"${word(random)}"`,
        ),
    ],
    ['depth', () => `${'[{"a":'.repeat(5000)}1${'}]'.repeat(5000)}`],
  ])('is bounded whatever comes: %s', (_, text) => {
    const random = seeded(1);
    const shape = newShape();
    for (let i = 0; i < 60; i++) {
      const read = readPayload(Buffer.from(text(random, i))) as JsonPayload;
      driftOf(shape, read);
      mergeInto(shape, read, i + 1);
    }
    expect(shape.members).toBeLessThanOrEqual(MAX_MEMBERS);
    expect(shape.literals).toBeLessThanOrEqual(MAX_LITERALS);
    expect(neededEvents(shape).length).toBeLessThanOrEqual(60);
    const stored = storedShape(shape);
    expect(stored.length).toBeLessThanOrEqual(MAX_STORED_BYTES);
    expect(readStoredShape(stored)?.payloads).toBe(60);
  });

  const word = (random: () => number) =>
    `w${Array.from({ length: 12 }, () => Math.floor(random() * 36).toString(36)).join('')}z`;
  const object = (size: number, name: (i: number) => string, value: () => string) =>
    `{${Array.from({ length: size }, (_, i) => `"${name(i)}":${value()}`).join(',')}}`;
});

test.each([
  ['2026-11-20T10:00:00Z', FORMAT.dateTime],
  ['2026-11-20T10:00:60Z', 0],
  ['2026-11-20 10:00:00Z', 0],
  ['2026-11-20T10:00:00+0100', 0],
  ['2026-11-31T10:00:00Z', 0],
  ['2026-02-29', 0],
  ['2024-02-29', FORMAT.date],
  ['0000-01-01', 0],
  ['https://example.com/a', FORMAT.url],
  ['https://example.com/a{/id}', 0],
  ['https://1.2.3.999/', 0],
  ['ftp://example.com/', 0],
  ['a@b.co', FORMAT.email],
  ['bot[x]@b.co', 0],
  ['0f8fad5b-d9cb-469f-a165-70867728950e', FORMAT.uuid],
])('the format of %s', (text, format) => {
  expect(formatsOf(text, 31)).toBe(format);
});
