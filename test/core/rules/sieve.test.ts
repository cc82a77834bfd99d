import { expect, test } from 'vitest';
import { readRule } from '../../../src/core/rules/rule.ts';
import { sieveOf } from '../../../src/core/rules/sieve.ts';

test.each<[rule: string, sieve: string[][]]>([
  ['body.type=invoice.paid', [['invoice.paid'], ['type']]],
  ['body.type in (push, pull)', [['type'], ['push', 'pull']]],
  ['body.name*=smith', [['smith'], ['name']]],
  ['body.name^=smith', [['smith'], ['name']]],
  ['body.items[*].sku=A-1234', [['A-1234'], ['items'], ['sku']]],
  ['body*=needle', [['needle']]],
  ['form.From="+1 555"', [['+1 555'], ['From']]],
  // Numbers have many spellings: the member's name is left.
  ['body.amount>=1000', [['amount']]],
  ['body.amount=1000', [['amount']]],
  ['body.name~=^sm', [['name']]],
  ['body.customer?', [['customer']]],
  ['body.type=invoice.paid or body.type=invoice.voided', [['invoice.paid', 'invoice.voided']]],
  // Each alternative gives its best text.
  [
    '(body.type=push and body.ref=refs/heads/main) or body.kind=other',
    [['refs/heads/main', 'other']],
  ],
  // Nothing that a body must contain.
  ['not (body.type=push)', []],
  ['body.type!=push', []],
  ['not body.customer?', []],
  ['body.type=push or method=PUT', []],
  ['method=POST and type=push', []],
  ['{"body":{"items":{"sku":{"$not":"A-1234"}}}}', []],
  ['body.total_price>100.50', [['total_price']]],
  ['body.a=ab', []],
  ['body.abc="\ufffd\ufffd"', [['abc']]],
])('%s', (rule, sieve) => {
  expect(sieveOf(readRule(rule))).toEqual(sieve);
});

test('the JSON form gives the same, and few clauses', () => {
  const members = Object.fromEntries(
    Array.from({ length: 9 }, (_, i) => [`m${i}`, `a text of its own ${i}`]),
  );
  expect(sieveOf(readRule(JSON.stringify({ body: members })))).toHaveLength(4);
  const many = Array.from({ length: 30 }, (_, i) => `text ${i}`);
  expect(sieveOf(readRule(JSON.stringify({ body: { kind: { $in: many } } })))).toEqual([['kind']]);
  expect(sieveOf(readRule('{"body":{"tags":["red wine","blue"]}}'))).toEqual([
    ['red wine'],
    ['blue'],
    ['tags'],
  ]);
});
