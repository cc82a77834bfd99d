import { expect, test } from 'vitest';
import { readRule } from '../../../src/core/rules/rule.ts';
import { ruleCost } from '../../../src/core/rules/rule-cost.ts';

test('regular expressions and references to every element cost most', () => {
  const cost = (rule: string) => ruleCost(readRule(rule));
  expect(cost('body.a=1 and body.b=2')).toBeLessThan(1);
  expect(cost('path~=^/v2')).toBeLessThan(20);
  expect(cost('body~="(a{30}){30}"')).toBeGreaterThan(800);
  expect(cost('not (body~="(a{30}){30}" or body~="(b{30}){30}")')).toBeGreaterThan(1600);
  expect(cost('{"body":{"a":{"$ref":"items[0]"}}}')).toBeLessThan(1);
  expect(cost('{"body":{"a":{"$in":{"$ref":"items[*]"}}}}')).toBeGreaterThan(500);
});
