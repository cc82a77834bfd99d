import { expect, test } from 'vitest';
import { acceptDrifts } from '../../../src/core/shapes/accept-drifts.ts';
import { driftOf, isAlarm } from '../../../src/core/shapes/drift-of.ts';
import { mergeAllBut } from '../../../src/core/shapes/merge-all-but.ts';
import { mergeInto } from '../../../src/core/shapes/merge-into.ts';
import type { JsonPayload } from '../../../src/core/shapes/payload.ts';
import { readPayload } from '../../../src/core/shapes/read-payload.ts';
import { newShape, type PayloadShape } from '../../../src/core/shapes/shape.ts';
import { readStoredShape, storedShape } from '../../../src/core/shapes/stored-shape.ts';

const bytesOf = (value: unknown) => Buffer.from(JSON.stringify(value));
const payloadOf = (value: unknown) => readPayload(bytesOf(value)) as JsonPayload;

function shapeOf(value: unknown, times = 60): PayloadShape {
  const shape = newShape();
  for (let seq = 1; seq <= times; seq++) mergeInto(shape, payloadOf(value), seq);
  return shape;
}

const alarms = (shape: PayloadShape, value: unknown) =>
  driftOf(shape, payloadOf(value))
    .filter(isAlarm)
    .map(({ kind, path }) => `${kind} ${path}`);

/** Learns as the learner does, and returns whether it drifts. */
function learn(shape: PayloadShape, value: unknown, seq: number): boolean {
  const payload = payloadOf(value);
  const drifts = driftOf(shape, payload);
  mergeAllBut(shape, payload, seq, drifts);
  return drifts.some(isAlarm);
}

const USUAL = { id: 1, customer: { name: 'Ada', city: 'London' }, total: '10' };
const MISSING = { id: 1, customer: { name: 'Ada' }, total: '10', note: 'x' };
const RETYPED = { id: 1, customer: 'Ada', total: { sum: 10 }, note: 'x' };

test('what drifts is held out, all else is learned', () => {
  const shape = shapeOf(USUAL);
  for (let seq = 61; seq <= 200; seq++) expect(learn(shape, MISSING, seq)).toBe(true);
  expect(alarms(shape, MISSING)).toEqual(['missing body.customer.city']);
  expect(shape.payloads).toBe(200);
  expect(shape.root.members?.get('note')?.seen).toBe(140);
  for (let seq = 201; seq <= 300; seq++) expect(learn(shape, RETYPED, seq)).toBe(true);
  expect(alarms(shape, RETYPED)).toEqual(['retyped body.customer', 'retyped body.total']);
  expect(alarms(shape, { ...USUAL, note: 'x' })).toEqual([]);
});

test('a payload that drifts as a whole or everywhere is not learned', () => {
  const many = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`m${i}`, i]));
  const shape = shapeOf(many);
  const before = storedShape(shape);
  expect(learn(shape, [many], 61)).toBe(true);
  expect(learn(shape, { other: 1 }, 62)).toBe(true);
  expect(storedShape(shape)).toEqual(before);
});

test.each([
  ['a missing member', USUAL, MISSING],
  ['other types', USUAL, RETYPED],
  ['another root', USUAL, [USUAL]],
  ['every member', Object.fromEntries(Array.from({ length: 90 }, (_, i) => [`m${i}`, { i }])), {}],
])('what is accepted is quiet: %s', (_, usual, changed) => {
  const shape = shapeOf(usual);
  const drifts = driftOf(shape, payloadOf(changed));
  expect(learn(shape, changed, 61)).toBe(true);
  acceptDrifts(shape, drifts, [bytesOf(changed)]);
  const kept = readStoredShape(storedShape(shape)) as PayloadShape;
  expect(learn(kept, changed, 62)).toBe(false);
  expect(learn(kept, usual, 63)).toBe(false);
  expect(learn(kept, changed, 64)).toBe(false);
});

test('changes are accepted without their events', () => {
  const shape = shapeOf(USUAL);
  acceptDrifts(shape, driftOf(shape, payloadOf(MISSING)), []);
  expect(alarms(shape, MISSING)).toEqual([]);
});

test('alarms come before notes, however many notes there are', () => {
  const shape = shapeOf({ a: { b: 1 }, z: 1 });
  const news = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`n${i}`, i]));
  expect(alarms(shape, { a: { b: 1, ...news } })).toEqual(['missing body.z']);
});

test('members deeper than a path reaches raise no alarm', () => {
  const nest = (levels: number, leaf: unknown): unknown =>
    levels === 0 ? leaf : { a: nest(levels - 1, leaf) };
  for (const levels of [28, 29, 30, 31, 32, 40]) {
    const shape = shapeOf(nest(levels, { b: 1 }));
    const changed = nest(levels, {});
    const drifts = driftOf(shape, payloadOf(changed));
    acceptDrifts(shape, drifts, []);
    expect(alarms(shape, changed)).toEqual([]);
  }
});
