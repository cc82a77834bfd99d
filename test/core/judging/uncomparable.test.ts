import { expect, test } from 'vitest';
import { JudgingRules } from '../../../src/core/judging/judging-rules.ts';
import { MOST_STEPS } from '../../../src/core/rules/work.ts';

function dropOf(filter: string, body: string, judge: 'dropped' | 'droppedApart' = 'dropped') {
  const rule = { destinationKey: 1, ruleVersion: 1, filter, orderBy: null };
  const rules = new JudgingRules([rule], () => null);
  const parts = rules.partsOf({
    ...{ method: 'POST', path: '', query: '', rawHeaders: ['x-n', 'many'], contentType: null },
    ...{ body: Buffer.from(body), provider: null, eventType: null, sourceIp: '192.0.2.1' },
    verification: null,
  });
  const [drop] = rules[judge](parts).dropped;
  return drop === undefined ? 'passes' : drop.isUncomparable ? 'uncomparable' : 'dropped';
}

test.each([
  ['body.a>100', '{"a":"500.00"}', 'passes'],
  ['body.a>100', '{"a":"50"}', 'dropped'],
  ['body.a>100', '{"a":"abc"}', 'uncomparable'],
  ['body.a>100', '{"a":{"b":1}}', 'uncomparable'],
  ['body.a>100', '{"a":null}', 'dropped'],
  ['body.a>100', '{}', 'dropped'],
  ['body.a*=x', '{"a":5}', 'uncomparable'],
  // Another condition drops the event anyway.
  ['body.a>100 and body.b=1', '{"a":"abc","b":2}', 'dropped'],
  ['body.a>100 and body.b=1', '{"a":"abc","b":1}', 'uncomparable'],
  ['body.a>100 or body.b=1', '{"a":"abc","b":1}', 'passes'],
  ['not (body.a>100)', '{"a":"abc"}', 'passes'],
  ['body.items.price>100', '{"items":[{"price":"abc"},{"price":5}]}', 'uncomparable'],
  ['body.items.price>100', '{"items":[{"price":"abc"},{"price":"500"}]}', 'passes'],
])('%s of %s: %s', (filter, body, expected) => {
  expect(dropOf(filter, body)).toBe(expected);
  expect(dropOf(filter, body, 'droppedApart')).toBe(expected);
});

test('nothing is parsed for it: a body that the filter didn’t read isn’t read', () => {
  expect(dropOf('header.x-n>1 and body.b=1', '{"b":2}')).toBe('uncomparable');
});

test('few steps are spent for it', () => {
  const list = JSON.stringify({ a: 'abc', list: Array(MOST_STEPS / 10).fill(1) });
  expect(dropOf('body.a>1 and body.list[*]=2', list)).toBe('uncomparable');
});
