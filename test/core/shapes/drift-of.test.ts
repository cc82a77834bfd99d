import { describe, expect, test } from 'vitest';
import { type Drift, driftOf, learn } from '../../../src/core/shapes/drift-of.ts';
import { mergeInto } from '../../../src/core/shapes/merge-into.ts';
import { newShape, type PayloadShape } from '../../../src/core/shapes/shape.ts';
import { readStoredShape, storedShape } from '../../../src/core/shapes/stored-shape.ts';
import { githubExamples } from '../../ai/github-examples.ts';
import { alarms, falseAlarms } from './false-alarms.ts';
import { payload, seeded } from './random-types.ts';

function shapeOf(values: readonly unknown[], shape = newShape()): PayloadShape {
  for (const [i, value] of values.entries()) mergeInto(shape, payload(value), i + 1);
  return shape;
}

function times(count: number, value: (i: number) => unknown): unknown[] {
  return Array.from({ length: count }, (_, i) => value(i));
}

describe('after 50 payloads that had it', () => {
  const known = () => times(50, (i) => ({ id: i, user: { name: 'a', 'e.mail': 'b' } }));

  test.each<[string, unknown, Drift[]]>([
    ['nothing differs', { id: 99, user: { name: 'x', 'e.mail': 'y' } }, []],
    [
      'a member is missing',
      { user: { name: 'x', 'e.mail': 'y' } },
      [{ kind: 'missing', path: 'body.id', expected: ['number'], seen: null }],
    ],
    [
      'a member deeper is missing',
      { id: 1, user: { name: 'x' } },
      [{ kind: 'missing', path: 'body.user."e.mail"', expected: ['string'], seen: null }],
    ],
    [
      'a member has another type',
      { id: 'a', user: null },
      [
        { kind: 'retyped', path: 'body.id', expected: ['number'], seen: 'string' },
        { kind: 'retyped', path: 'body.user', expected: ['object'], seen: 'null' },
      ],
    ],
    [
      'a member is new',
      { id: 1, user: { name: 'x', 'e.mail': 'y', age: 1 } },
      [{ kind: 'new', path: 'body.user.age', expected: [], seen: 'number' }],
    ],
    ['the payload', [], [{ kind: 'retyped', path: 'body', expected: ['object'], seen: 'array' }]],
    ['a number with a fraction', { id: 1.5, user: { name: 'x', 'e.mail': 'y' } }, []],
  ])('%s', (_, value, expected) => {
    expect(driftOf(shapeOf(known()), payload(value))).toEqual(expected);
    // One less proves nothing.
    expect(driftOf(shapeOf(known().slice(1)), payload(value))).toEqual([]);
  });

  test.each<[string, unknown]>([
    ['missing', { user: { name: 'x' } }],
    ['retyped', { id: { n: 1 }, user: ['x'] }],
  ])('a %s member drifts no more once it is accepted', (_, value) => {
    const merged = shapeOf(known());
    mergeInto(merged, payload(value), 51);
    expect(driftOf(merged, payload(value))).toEqual([]);

    const learnt = shapeOf(known());
    const drifts = driftOf(learnt, payload(value));
    expect(drifts.length).toBeGreaterThan(0);
    for (const drift of drifts) expect(learn(learnt, drift)).toBe(true);
    const stored = readStoredShape(storedShape(learnt)) as PayloadShape;
    expect(driftOf(stored, payload(value))).toEqual([]);
  });
});

describe('no alarm', () => {
  test.each<[string, (i: number) => unknown, unknown]>([
    ['for a member that was once absent', (i) => (i === 40 ? {} : { a: 1 }), {}],
    ['for a member that was null', (i) => ({ a: i === 0 ? null : 'x' }), { a: null }],
    ['for a member with only nulls', () => ({ a: null }), { a: 1 }],
    ['for a union', (i) => ({ a: i % 2 ? 1 : 'x' }), { a: [] }],
    ['in items of arrays', () => ({ a: [{ b: 1 }] }), { a: [{ c: 1 }, 'x'] }],
    ['for names that are data', (i) => ({ a: { [`u_${i}`]: 1, [`u_${i + 1}`]: 1 } }), { a: {} }],
    ['in an object that is absent', (i) => (i % 2 ? {} : { a: { b: 1 } }), {}],
  ])('%s', (_, value, next) => {
    expect(alarms(driftOf(shapeOf(times(90, value)), payload(next)))).toEqual([]);
  });

  test('unless the member then came far longer than its absences explain', () => {
    const later = (run: number) => times(20 + run, (i) => (i < 20 ? {} : { a: 1 }));
    expect(driftOf(shapeOf(later(49)), payload({}))).toEqual([]);
    expect(driftOf(shapeOf(later(50)), payload({}))).toHaveLength(1);
    // Absent once in ten: 50 in a row come by chance.
    const often = (run: number) =>
      times(100 + run, (i) => (i < 100 && i % 10 === 9 ? {} : { a: 1 }));
    expect(driftOf(shapeOf(often(203)), payload({}))).toEqual([]);
    expect(driftOf(shapeOf(often(204)), payload({}))).toHaveLength(1);
  });

  test("over all of GitHub's examples, many times in any order", () => {
    const random = seeded(7);
    for (const [name, list] of Map.groupBy(githubExamples(), (it) => it.name)) {
      const shape = shapeOf(list.map((it) => it.payload));
      for (let i = 0; i < 100; i++) {
        const next = payload(list[Math.floor(random() * list.length)]?.payload);
        expect(driftOf(shape, next), name).toEqual([]);
        mergeInto(shape, next, 1000 + i);
      }
    }
  });

  test('over 10^4 events of random types', () => {
    expect(falseAlarms(40, 250)).toEqual([]);
  });
});
