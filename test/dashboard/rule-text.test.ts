import { expect, test } from 'vitest';
import { readTextRule } from '../../src/core/rules/read-text.ts';
import { membersOfSchema } from '../../src/dashboard/parts/rule-editor/schema-members.ts';
import { conditionsOf, conditionText, withCondition } from '../../src/dashboard/text/rule-text.ts';

test.each([
  ['', []],
  ['body.a=1', ['body.a=1']],
  ['body.a=1 and path^=/v2', ['body.a=1', 'path^=/v2']],
  ['body.a="x and y" AND not (a.b=1 or c.d=2)', ['body.a="x and y"', 'not (a.b=1 or c.d=2)']],
  ['(body.a=1)and(body.b=2)', ['(body.a=1)', '(body.b=2)']],
  ['body.a = and and body.b=1', ['body.a = and', 'body.b=1']],
  ['body.band=1 and body.c=sand', ['body.band=1', 'body.c=sand']],
  ['body.a=1 or body.b=2 and body.c=3', ['body.a=1 or body.b=2 and body.c=3']],
  ['{"body": {"a": 1}}', ['{"body": {"a": 1}}']],
])('the conditions of %j', (rule, conditions) => {
  expect(conditionsOf(rule)).toEqual(conditions);
});

test.each([
  ['body.a', '=', '1', false, 'body.a=1'],
  ['body.a', '=', '1', true, 'body.a="1"'],
  ['body.a', '=', 'Ada L', false, 'body.a="Ada L"'],
  ['body.a', '=', '"1"', false, 'body.a="1"'],
  ['body.a', '=', '', false, 'body.a=""'],
  ['body.a', '>=', '=x', false, 'body.a>="=x"'],
  ['path', '^=', '/v2/', false, 'path^=/v2/'],
  ['path', '~=', '^/v[0-9]+"$', false, 'path~="^/v[0-9]+\\"$"'],
  ['body.a', '?', 'left', false, 'body.a?'],
] as const)('%s %s %j', (member, operator, value, isText, text) => {
  expect(conditionText(member, operator, value, isText)).toBe(text);
  expect(() => readTextRule(text)).not.toThrow();
});

test.each([
  ['', 'path=/'],
  ['body.a=1', 'body.a=1 and path=/'],
  ['body.a=1 and body.b=2', 'body.a=1 and body.b=2 and path=/'],
  ['body.a=1 or body.b=2', '(body.a=1 or body.b=2) and path=/'],
])('a condition is added to %j', (rule, text) => {
  expect(withCondition(rule, 'path=/')).toBe(text);
  expect(() => readTextRule(text)).not.toThrow();
});

test('a schema’s members are named as a rule names them', () => {
  const schema = {
    $ref: '#/definitions/Event',
    definitions: {
      Event: {
        type: 'object',
        properties: {
          id: { type: 'integer' },
          'a.b': { type: 'string', enum: ['x', 'y'] },
          customer: { anyOf: [{ $ref: '#/definitions/Customer' }, { type: 'null' }] },
          items: { type: 'array', items: { $ref: '#/definitions/Item' } },
        },
      },
      Customer: { type: 'object', properties: { email: { type: ['string', 'null'] } } },
      // A tree of itself ends.
      Item: { type: 'object', properties: { of: { $ref: '#/definitions/Item' } } },
    },
  };
  const members = membersOfSchema(JSON.stringify(schema));
  expect(members.slice(0, 5)).toEqual([
    { path: 'body.id', isText: false, values: [] },
    { path: 'body."a.b"', isText: true, values: ['x', 'y'] },
    { path: 'body.customer', isText: false, values: [] },
    { path: 'body.items', isText: false, values: [] },
    { path: 'body.customer.email', isText: true, values: [] },
  ]);
  expect(members[5]?.path).toBe('body.items[*].of');
  expect(members.length).toBeLessThan(20);
});
