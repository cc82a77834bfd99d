import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseDocument } from '../../../src/core/rules/document.ts';
import { fitsRule, type Mismatch } from '../../../src/core/rules/evaluate.ts';
import { COMPARISONS } from '../../../src/core/rules/filter.ts';
import { readJsonRule } from '../../../src/core/rules/read-json.ts';
import { RuleTooCostly } from '../../../src/core/rules/work.ts';
import { bodyFits, bodyFitsRule, jsonText, nameText, numberText, partsOf } from './filters.ts';
import { fits, plainOf } from './oracle.ts';

/** Filters in the JSON form, without `$ref`. */
const filterText: fc.Arbitrary<string> = fc.letrec<{ filter: string }>((tie) => {
  const list = fc.array(tie('filter'), { minLength: 1, maxLength: 3 });
  const scalar = fc.oneof(numberText, fc.constantFrom('null', 'true', '"a"', '"ab"', '"1"'));
  const text = fc.constantFrom('"a"', '"ab"', '"b"', '""');
  const ordered = fc.oneof(numberText, text);
  const op = (name: string, operand: fc.Arbitrary<string>) =>
    operand.map((value) => `"${name}":${value}`);
  const operator = fc.oneof(
    ...['$gt', '$gte', '$lt', '$lte'].map((name) => op(name, ordered)),
    ...['$eq', '$neq'].map((name) => op(name, jsonText)),
    ...['$startsWith', '$endsWith'].map((name) => op(name, text)),
    op(
      '$startsWith',
      fc.array(text, { minLength: 1, maxLength: 2 }).map((t) => `[${t.join()}]`),
    ),
    op('$contains', scalar),
    op(
      '$in',
      fc.array(scalar, { minLength: 1, maxLength: 3 }).map((t) => `[${t.join()}]`),
    ),
    op('$nin', text),
    op('$exist', fc.constantFrom('true', 'false')),
    op('$regex', fc.constantFrom('"^a"', '"b$"', '"(a|b)+"')),
    op('$not', tie('filter')),
    op(
      '$or',
      list.map((filters) => `[${filters.join()}]`),
    ),
    op(
      '$and',
      list.map((filters) => `[${filters.join()}]`),
    ),
    op(
      '$at',
      tie('filter').map((filter) => `{"1":${filter}}`),
    ),
  );
  const member = fc
    .tuple(
      nameText.map((name) => name.replace(/^\$/, '\\$')),
      tie('filter'),
    )
    .map(([name, filter]) => `${JSON.stringify(name)}:${filter}`);
  return {
    filter: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      scalar,
      list.map((filters) => `[${filters.join()}]`),
      fc
        .uniqueArray(fc.oneof(operator, member), {
          maxLength: 3,
          selector: (entry) => entry.slice(0, entry.indexOf(':')),
        })
        .map((entries) => `{${entries.join()}}`),
    ),
  };
}).filter;

test('agrees with a slow second reading on random documents and filters', () => {
  let fitting = 0;
  fc.assert(
    fc.property(jsonText, filterText, (body, filter) => {
      const expected = fits(plainOf(body), plainOf(filter));
      fitting += Number(expected);
      expect(bodyFits(body, filter)).toBe(expected);
    }),
    { numRuns: 5000 },
  );
  // Otherwise the documents and the filters have nothing to do with each other.
  expect(fitting).toBeGreaterThan(150);
});

describe('every operator on every type', () => {
  const values = {
    missing: '{}',
    null: '{"v":null}',
    true: '{"v":true}',
    number: '{"v":5}',
    text: '{"v":"m"}',
    array: '{"v":["m",5]}',
    object: '{"v":{"m":5}}',
  };
  /** The types of values for which the condition holds. */
  const table: [filter: string, holdsFor: string][] = [
    ['5', 'number array'],
    ['"m"', 'text array'],
    ['null', 'null'],
    ['true', 'true'],
    ['["m"]', 'array'],
    ['[5,"m"]', 'array'],
    ['["m",6]', ''],
    ['{"m":5}', 'object'],
    ['{}', 'object'],
    ['{"$eq":5}', 'number'],
    ['{"$eq":["m",5]}', 'array'],
    ['{"$eq":[5,"m"]}', ''],
    ['{"$eq":{"m":5}}', 'object'],
    ['{"$eq":null}', 'null'],
    ['{"$neq":5}', 'missing null true text array object'],
    ['{"$neq":null}', 'missing true number text array object'],
    ['{"$gt":4}', 'number'],
    ['{"$gt":5}', ''],
    ['{"$gte":5}', 'number'],
    ['{"$lt":6}', 'number'],
    ['{"$lte":5}', 'number'],
    ['{"$gt":"a"}', 'text'],
    ['{"$gte":"m"}', 'text'],
    ['{"$lt":"z"}', 'text'],
    ['{"$lte":"m"}', 'text'],
    ['{"$in":[5,"m",null,true]}', 'null true number text'],
    ['{"$in":"lmn"}', ''],
    ['{"$in":"m"}', 'text'],
    ['{"$nin":[5,"m"]}', 'missing null true array object'],
    ['{"$nin":"m"}', 'missing null true number array object'],
    ['{"$startsWith":"m"}', 'text'],
    ['{"$startsWith":["x","m"]}', 'text'],
    ['{"$endsWith":"m"}', 'text'],
    ['{"$endsWith":["x"]}', ''],
    ['{"$contains":"m"}', 'text array'],
    ['{"$contains":5}', 'array'],
    ['{"$regex":"^m$"}', 'text'],
    ['{"$exist":true}', 'null true number text array object'],
    ['{"$exist":false}', 'missing'],
    ['{"$not":5}', 'missing null true text object'],
    ['{"$or":[5,{"$exist":false}]}', 'missing number array'],
    ['{"$and":[{"$gte":5},{"$lt":6}]}', 'number'],
    ['{"$at":{"1":5}}', 'array'],
    ['{"$ref":"v"}', 'null true number text array object'],
    ['{"$eq":{"$ref":"absent"}}', ''],
    ['{"$neq":{"$ref":"absent"}}', 'missing null true number text array object'],
    ['{"m":5}', 'object'],
    ['{"m":{"$exist":false}}', 'missing null true number text array'],
    ['{"m":{"$neq":5}}', 'missing null true number text array'],
  ];
  test.each(table)('%s', (filter, holdsFor) => {
    const found = Object.entries(values)
      .filter(([, body]) => bodyFits(body, `{"v":${filter}}`))
      .map(([type]) => type);
    expect(found.join(' ')).toBe(holdsFor);
  });
  test('names every operator', () => {
    for (const operator of COMPARISONS) {
      expect(table.some(([filter]) => filter.includes(`"${operator}"`))).toBe(true);
    }
  });
});

describe('the filters in Hookdeck’s documentation', () => {
  const order =
    '{"order":{"id":123,"items":[{"id":456,"title":"My product"}]},"type":"order/created"}';
  const gift = '{"product":{"title":"Gift Card","tags":["gift","something","another"]}}';
  test.each([
    ['false', 'false', true],
    [order, '{"type":"order/created"}', true],
    [order, '{"order":{"items":{"id":456}}}', true],
    [order, '{"order":{"items":{"id":457}}}', false],
    ['{"product":{"inventory":0}}', '{"product":{"inventory":0}}', true],
    [gift, '{"product":{"tags":"gift"}}', true],
    [gift, '{"product":{"tags":["gift","something"]}}', true],
    [gift, '{"product":{"tags":["gift","absent"]}}', false],
    ['{"product":{"inventory":4}}', '{"product":{"inventory":{"$lte":10}}}', true],
    ['{"order_number":1001}', '{"order_number":{"$gte":1000,"$lt":2000}}', true],
    ['{"name":"John"}', '{"$or":[{"name":"Paul"},{"name":"John"}]}', true],
    ['{"product":{"inventory":0}}', '{"product":{"inventory":{"$or":[0,{"$gt":10}]}}}', true],
    ['{"a":1,"b":2}', '{"$and":[{"a":1},{"b":2}]}', true],
    ['{"product":{"title":"Gift Card"}}', '{"$not":{"product":{"title":"Gift Card"}}}', false],
    ['{"updated":"2020","created":"2020"}', '{"updated":{"$ref":"created"}}', true],
    ['{"updated":"2021","created":"2020"}', '{"updated":{"$eq":{"$ref":"created"}}}', false],
    ['{"updated":"2021","created":"2020"}', '{"updated":{"$gt":{"$ref":"created"}}}', true],
    [
      '{"items":[{"now":4,"old":9},{"now":1,"old":1}]}',
      '{"items":{"now":{"$ref":"items[$index].old"}}}',
      true,
    ],
    [
      '{"items":[{"now":4,"old":9},{"now":9,"old":1}]}',
      '{"items":{"now":{"$ref":"items[$index].old"}}}',
      false,
    ],
    ['{"ref":"refs/heads/x"}', '{"ref":{"$startsWith":["refs/heads/","refs/tags/"]}}', true],
    ['{"items":[{"stock":9},{"stock":11}]}', '{"items":{"stock":{"$lte":10}}}', true],
    ['[1,2,3]', '3', true],
    ['[1,2,3]', '[{"$eq":3}]', true],
    ['[1,2,3]', '{"$eq":3}', false],
    ['{"tags":["a","b","c"]}', '{"tags":{"$eq":["a","b"]}}', false],
    // Different here, as the contract says: numbers are exact, types matter.
    ['{"id":12345678901234567890}', '{"id":12345678901234567891}', false],
    ['{"id":"1"}', '{"id":1}', false],
    ['{"total":"500.00"}', '{"total":{"$gt":100}}', true],
    ['{"total":"500.00"}', '{"total":500}', false],
    ['{"items":[]}', '{"items":{"sku":{"$not":"A"}}}', true],
    ['{"items":[[]]}', '{"items":{"sku":{"$exist":false}}}', true],
    ['{"items":[]}', '{"items":{"sku":"A"}}', false],
    ['{"items":[]}', '{"items":{}}', false],
    ['{"a":{"x":1,"y":2}}', '{"a":{"$eq":{"y":2,"x":1}}}', true],
    ['{}', '{"livemode":{"$neq":false}}', true],
    ['{}', '{"livemode":{"$nin":[false]}}', true],
  ])('%s and %s: %s', (body, filter, expected) => {
    expect(bodyFits(body, filter)).toBe(expected);
  });

  test('match paths, headers and queries', () => {
    const parts = partsOf({
      path: '/v2/orders',
      headers: { 'x-shopify-topic': 'orders/create' },
      query: { shop: 'x' },
    });
    const rule = (text: string) => fitsRule(readJsonRule(parseDocument(text)), parts);
    expect(rule('{"path":"/v2/orders"}')).toBe(true);
    expect(rule('{"path":{"$startsWith":"/v2"}}')).toBe(true);
    expect(rule('{"headers":{"X-Shopify-Topic":{"$startsWith":"orders/"}}}')).toBe(true);
    expect(rule('{"query":{"shop":"x"},"path":"/v3"}')).toBe(false);
    expect(
      rule('{"$or":[{"query":{"shop":"y"}},{"headers":{"x-shopify-topic":"orders/create"}}]}'),
    ).toBe(true);
  });
});

test('a value that an operator can’t take is reported with its place', () => {
  const mismatches: Mismatch[] = [];
  const rule = readJsonRule({ body: { items: { price: { $gte: 5 } }, id: { $regex: 'x' } } });
  expect(bodyFitsRule('{"items":[{"price":"nine"},{"price":"9"}],"id":1}', rule, mismatches)).toBe(
    false,
  );
  expect(mismatches).toEqual([
    { path: 'body.items.0.price', operator: '$gte', type: 'text' },
    { path: 'body.id', operator: '$regex', type: 'a number' },
  ]);
});

test('a long array has few mismatches', () => {
  const mismatches: Mismatch[] = [];
  const rule = readJsonRule({ body: [{ $startsWith: 'x' }] });
  const body = JSON.stringify(Array(10_000).fill(1));
  expect(bodyFitsRule(body, rule, mismatches)).toBe(false);
  expect(mismatches).toHaveLength(10);
});

test('a sender’s names reach no prototype', () => {
  expect(bodyFits('{}', '{"constructor":{"$exist":true}}')).toBe(false);
  expect(bodyFits('{}', '{"__proto__":{"$exist":true}}')).toBe(false);
  expect(bodyFits('{"__proto__":{"a":1}}', '{"__proto__":{"a":1}}')).toBe(true);
  expect(bodyFits('[]', '{"length":0}')).toBe(false);
});

test('arrays nested a hundred thousand deep overflow no stack', () => {
  const deep = (inner: string) => `${'['.repeat(100_000)}${inner}${']'.repeat(100_000)}`;
  expect(bodyFits(deep('{"a":1}'), '{"a":1}')).toBe(true);
  expect(bodyFits(deep('{"a":2}'), '{"a":1}')).toBe(false);
  expect(bodyFits(deep(''), '{}')).toBe(false);
  expect(bodyFits(deep('1'), '1')).toBe(true);
  expect(bodyFits(deep('2,3'), '1')).toBe(false);
});

describe('amounts as text', () => {
  test.each([
    ['"500.00"', '$gt', '100', true],
    ['"500.00"', '$lte', '500', true],
    ['"500.00"', '$gt', '500', false],
    ['"9.10"', '$lt', '10', true],
    ['"-0.50"', '$lt', '0', true],
    ['"0000500"', '$gte', '500', true],
    ['"5e2"', '$gte', '500', true],
    ['"12345678901234567891"', '$gt', '12345678901234567890', true],
    ['"0.10000000000000000001"', '$gt', '0.1', true],
    // Two texts compare as texts.
    ['"9"', '$gt', '"10"', true],
    ['500', '$gt', '"100"', false],
  ])('%s %s %s: %s', (value, operator, operand, expected) => {
    expect(bodyFits(`{"v":${value}}`, `{"v":{"${operator}":${operand}}}`)).toBe(expected);
  });

  test.each([
    '',
    ' 5',
    '5 ',
    '+5',
    '.5',
    '5.',
    '0x5',
    '1_000',
    '1,000',
    'Infinity',
    'NaN',
    '5e',
    '-',
    '٥',
  ])('%j is no decimal number', (text) => {
    expect(bodyFits(JSON.stringify({ v: text }), '{"v":{"$lt":1e30}}')).toBe(false);
    expect(bodyFits(JSON.stringify({ v: text }), '{"v":{"$gte":-1e30}}')).toBe(false);
  });

  test('what can’t be compared is a mismatch; a missing member is none', () => {
    const mismatchesOf = (body: string) => {
      const found: Mismatch[] = [];
      bodyFitsRule(body, readJsonRule(parseDocument('{"body":{"v":{"$gt":100}}}')), found);
      return found.map(({ type }) => type);
    };
    expect(mismatchesOf('{"v":"abc"}')).toEqual(['text']);
    expect(mismatchesOf('{"v":{}}')).toEqual(['an object']);
    expect(mismatchesOf('{"v":"50.00"}')).toEqual([]);
    expect(mismatchesOf('{"v":null}')).toEqual(['null']);
    expect(mismatchesOf('{}')).toEqual([]);
  });

  test('a text of digits costs steps by its length', () => {
    const digits = '1'.repeat(1_000_000);
    expect(bodyFits(`"${digits}.5"`, `{"$gt":${digits.slice(0, 10_000)}}`)).toBe(true);
    expect(bodyFits(`"${digits}x"`, '{"$gt":1}')).toBe(false);
    const many = Array.from({ length: 20 }, () => '{"$gt":1}').join();
    expect(() => bodyFits(`"${digits}"`, `{"$and":[${many}]}`)).toThrow(RuleTooCostly);
  });
});
