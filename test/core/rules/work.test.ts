import { describe, expect, test } from 'vitest';
import { parseDocument, type Value } from '../../../src/core/rules/document.ts';
import { fitsRule } from '../../../src/core/rules/evaluate.ts';
import { readRule } from '../../../src/core/rules/rule.ts';
import { RuleTooCostly, Work } from '../../../src/core/rules/work.ts';

const numbers = (count: number) => JSON.stringify(Array.from({ length: count }, () => 1));
/** Conditions that hold for no number 1. */
const many = (count: number, condition: unknown) => Array.from({ length: count }, () => condition);

/** The worst that rules and bodies of 64 KiB can do together, as far as we know. */
const WORST: [what: string, rule: unknown, body: string][] = [
  // Every filter of the array looks at every element.
  ['filters × elements', { list: many(450, { $gt: 1 }) }, `{"list":[${many(32_000, 1).join()},2]}`],
  [
    'alternatives × elements',
    { list: { $or: many(450, { $contains: 2 }) } },
    `{"list":${numbers(32_000)}}`,
  ],
  ['equalities × elements', { list: { $or: many(450, 2) } }, `{"list":${numbers(32_000)}}`],
  [
    'references × elements × elements',
    { list: [{ n: { $ref: 'list[*].m' } }] },
    `{"list":[${many(5000, '{"n":1}').join()}]}`,
  ],
  [
    'large values compared',
    { a: { $or: many(450, { $eq: { $ref: 'b' } }) } },
    `{"a":[2,${numbers(16_000)}],"b":[3,${numbers(16_000)}]}`,
  ],
  [
    'a large program on a long text',
    { text: { $regex: '(x{1,20}){1,20}y' } },
    JSON.stringify({ text: 'x'.repeat(60_000) }),
  ],
  [
    'small programs on a long text',
    { text: { $or: many(100, { $regex: 'a.*b' }) } },
    JSON.stringify({ text: 'a'.repeat(60_000) }),
  ],
];

function judge(rule: unknown, body: string, work: Work): boolean {
  const document = parseDocument(body) as Value;
  const parts = { get: (name: string) => (name === 'body' ? document : undefined), work };
  return fitsRule(readRule(JSON.stringify({ body: rule })), parts);
}

describe('a rule that takes too many steps', () => {
  test.each(WORST)('%s: is given up', (_, rule, body) => {
    expect(() => judge(rule, body, new Work(20_000))).toThrow(RuleTooCostly);
  });

  test('is given up after its steps, which all rules of a request share', () => {
    const work = new Work(100);
    const rule = { list: [{ $lte: 1 }, { $gt: 1 }] };
    expect(judge(rule, `{"list":${numbers(20)}}`, work)).toBe(false);
    expect(() => {
      for (let i = 0; i < 10; i++) judge(rule, `{"list":${numbers(20)}}`, work);
    }).toThrow(RuleTooCostly);
  });

  test('a usual rule takes few steps', () => {
    const rule = { type: { $in: ['a', 'b'] }, items: { sku: { $startsWith: 'A' } } };
    const items = Array.from({ length: 100 }, (_, i) => ({ sku: `B${i}` }));
    expect(judge(rule, JSON.stringify({ type: 'a', items }), new Work(1000))).toBe(false);
  });
});
