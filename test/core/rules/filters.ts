import fc from 'fast-check';
import { parseDocument, type Value } from '../../../src/core/rules/document.ts';
import { fitsRule, type Mismatch } from '../../../src/core/rules/evaluate.ts';
import type { Filter, PartName } from '../../../src/core/rules/filter.ts';
import { readJsonRule } from '../../../src/core/rules/read-json.ts';
import { MOST_STEPS, Work } from '../../../src/core/rules/work.ts';

/** Whether a body fits the filter of a body, both as JSON texts. */
export function bodyFits(body: string, filter: string): boolean {
  return bodyFitsRule(body, readJsonRule(parseDocument(`{"body": ${filter}}`)));
}

export function bodyFitsRule(body: string, rule: Filter, mismatches?: Mismatch[]): boolean {
  return fitsRule(rule, partsOf({ body: parseDocument(body) }), mismatches);
}

export function partsOf(parts: Partial<Record<PartName, Value>>) {
  return { get: (name: PartName) => parts[name], work: new Work(MOST_STEPS) };
}

/** Numbers that are hard for doubles, and easy ones. */
export const numberText = fc.oneof(
  fc.integer({ min: -3, max: 3 }).map(String),
  fc.constantFrom(
    '12345678901234567890',
    '12345678901234567891',
    '1.0',
    '1e0',
    '10e-1',
    '0.1',
    '0.10000000000000000001',
    '-0',
    '1e400',
    '1e-400',
    '9007199254740993',
    '9007199254740992',
  ),
);

const NAMES = ['a', 'b', 'x.y', '__proto__', '$'];

export const nameText = fc.constantFrom(...NAMES);

/** A JSON text with few names and values, so that filters often fit. */
export const jsonText: fc.Arbitrary<string> = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    numberText,
    fc.constantFrom('null', 'true', 'false', '"a"', '"ab"', '""', '"1"', '"01.50"', '"-2e0"'),
    fc.array(tie('value'), { maxLength: 3 }).map((items) => `[${items.join(',')}]`),
    fc
      .uniqueArray(fc.tuple(nameText, tie('value')), { maxLength: 3, selector: ([name]) => name })
      .map((members) => `{${members.map(([n, v]) => `${JSON.stringify(n)}:${v}`).join(',')}}`),
  ),
})).value;
