import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseDocument, writeDocument } from '../../../src/core/rules/document.ts';
import { fitsRule } from '../../../src/core/rules/evaluate.ts';
import { readJsonRule } from '../../../src/core/rules/read-json.ts';
import { readTextRule } from '../../../src/core/rules/read-text.ts';
import { RuleSyntaxError } from '../../../src/core/rules/rule-syntax-error.ts';
import { writeJsonRule } from '../../../src/core/rules/write-json.ts';
import { writeTextRule } from '../../../src/core/rules/write-text.ts';
import { jsonText, partsOf } from './filters.ts';

const json = (text: string) => writeDocument(writeJsonRule(readTextRule(text)));

describe('text and JSON', () => {
  test.each([
    ['body.type=invoice.paid', '{"body":{"type":"invoice.paid"}}'],
    ['body.amount>=1000', '{"body":{"amount":{"$gte":1000}}}'],
    ['header.X-GitHub-Event!=push', '{"$not":{"headers":{"x-github-event":"push"}}}'],
    ['path~=^/v2', '{"path":{"$regex":"^/v2"}}'],
    ['body.customer?', '{"body":{"customer":{"$exist":true}}}'],
    ['body.name*=smith', '{"body":{"name":{"$contains":"smith"}}}'],
    ['body.items[0].sku=7', '{"body":{"items":{"$at":{"0":{"sku":7}}}}}'],
    ['body.items[*].sku="7"', '{"body":{"items":[{"sku":"7"}]}}'],
    ['body."a.b"=null', '{"body":{"a.b":null}}'],
    ['query.page=2', '{"query":{"page":"2"}}'],
    ['query.amount>=500', '{"query":{"amount":{"$gte":500}}}'],
    ['form.amount<"500"', '{"form":{"amount":{"$lt":"500"}}}'],
    ['header.x-at>2026-01-01', '{"headers":{"x-at":{"$gt":"2026-01-01"}}}'],
    ['size>1000', '{"size":{"$gt":1000}}'],
    ['body.id=12345678901234567890', '{"body":{"id":12345678901234567890}}'],
    ['body.type in (a, "b c", 3)', '{"body":{"type":{"$in":["a","b c",3]}}}'],
    [
      'type=a or type=b and not (method=GET or method=HEAD)',
      '{"$or":[{"type":"a"},{"$and":[{"type":"b"},{"$not":{"$or":[{"method":"GET"},{"method":"HEAD"}]}}]}]}',
    ],
  ])('%s', (text, expected) => {
    expect(json(text)).toBe(expected);
    const again = writeTextRule(readJsonRule(parseDocument(expected)));
    expect(json(again as string)).toBe(expected);
  });

  test('blanks and case of words don’t matter, quotes keep blanks', () => {
    expect(json(' body.a  =  "x y"  AND  NOT(body.b ?) ')).toBe(
      '{"$and":[{"body":{"a":"x y"}},{"$not":{"body":{"b":{"$exist":true}}}}]}',
    );
    expect(json('path~=^/(a|b)$')).toBe('{"path":{"$regex":"^/(a|b)$"}}');
    expect(json("(path~='^/a b$')")).toBe('{"path":{"$regex":"^/a b$"}}');
  });
});

describe('errors point at the place', () => {
  test.each([
    ['', 0, 'a name is missing'],
    ['body.a', 6, 'expected'],
    ['body.a=', 7, 'expected a value'],
    ['body.a==1', 7, 'quote a value that begins with ='],
    ['body.a=>1', 7, 'quote a value that begins with >'],
    ['body.a<>1', 7, 'no such operator'],
    ['bdy.a=1', 0, 'a path begins with'],
    ['body.a=1 body.b=2', 9, 'expected and, or'],
    ['body.a=x y', 9, 'quote'],
    ['(body.a=1', 9, 'expected )'],
    ['body.a=1)', 8, 'expected and, or'],
    ['body.a="x', 7, 'no end'],
    ['body.a~=(', 8, 'RE2'],
    ['body.a~=(?=x)', 8, 'RE2'],
    ['body.a[x]=1', 6, 'index'],
    ['method.a=1', 6, 'no members'],
    ['header=1', 6, 'header.NAME'],
    ['body.a>true', 7, 'a number or a text'],
    ['body.a=1 and', 12, 'a name is missing'],
    ['body.a in x', 10, 'expected ('],
    [`${'('.repeat(40)}body.a=1${')'.repeat(40)}`, 32, 'too deeply'],
    [`body${'.a'.repeat(31)}=1`, 0, 'at most 31 steps'],
    [Array(3).fill('body~=(a{30}){30}').join(' or '), 48, 'too large in total'],
  ])('%j', (text, at, message) => {
    let thrown: unknown;
    try {
      readTextRule(text);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(RuleSyntaxError);
    expect(thrown).toMatchObject({ at, message: expect.stringContaining(message) });
  });
});

const path = fc
  .tuple(
    fc.constantFrom('body', 'query', 'header', 'form'),
    fc.stringMatching(/^[a-z.$"\\ ()[\]=é_-]{1,6}$/),
    fc.constantFrom('', '[0]', '[*].x', '.y', '."a b"'),
  )
  .map(([root, name, rest]) =>
    root === 'body' || rest === '' ? `${root}.${JSON.stringify(name)}${rest}` : `${root}.n`,
  );
const literal = fc.oneof(
  fc.string({ maxLength: 6 }).map((text) => JSON.stringify(text)),
  fc.constantFrom(
    '1',
    '-2.5',
    'true',
    'null',
    'x',
    '"true"',
    '"7"',
    'a(b)c',
    '12345678901234567890',
  ),
);
const orderedLiteral = literal.filter((text) => text !== 'true' && text !== 'null');
const ruleText: fc.Arbitrary<string> = fc.letrec<{ rule: string }>((tie) => ({
  rule: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.tuple(path, fc.constantFrom('=', '!=', '*=', '^=', '$='), literal).map((p) => p.join('')),
    fc.tuple(path, fc.constantFrom('>', '>=', '<', '<='), orderedLiteral).map((p) => p.join(' ')),
    fc
      .tuple(path, fc.array(literal, { minLength: 1, maxLength: 3 }))
      .map(([p, values]) => `${p} in (${values.join(', ')})`),
    path.map((p) => `${p}?`),
    path.map((p) => `${p}~="^a.*b"`),
    tie('rule').map((rule) => `not (${rule})`),
    fc
      .tuple(tie('rule'), fc.constantFrom('and', 'or'), tie('rule'))
      .map(([a, word, b]) => `(${a}) ${word} (${b})`),
    fc.tuple(tie('rule'), fc.constantFrom('and', 'or'), tie('rule')).map((p) => p.join(' ')),
  ),
})).rule;

test('text → JSON → text → JSON changes nothing', () => {
  fc.assert(
    fc.property(ruleText, (text) => {
      const written = json(text);
      const back = writeTextRule(readJsonRule(parseDocument(written)));
      expect(back).not.toBeNull();
      expect(json(back as string)).toBe(written);
      expect(writeTextRule(readTextRule(back as string))).toBe(back);
    }),
    { numRuns: 2000 },
  );
});

test('both forms of a rule judge alike', () => {
  fc.assert(
    fc.property(ruleText, jsonText, (text, body) => {
      const parts = partsOf({
        body: parseDocument(body),
        query: { a: '1' },
        headers: {},
        form: {},
      });
      const rule = readTextRule(text);
      const other = readJsonRule(writeJsonRule(rule));
      expect(fitsRule(other, parts)).toBe(fitsRule(rule, parts));
    }),
    { numRuns: 1000 },
  );
});
