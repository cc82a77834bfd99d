import { expect, test } from 'vitest';
import { diffLineText, ruleDiff } from '../../../src/cli/rules/rule-diff.ts';

/** The lines of a diff. A pipe gets no colours. */
function diff(before: string | null, after: string | null): string[] {
  return ruleDiff(before, after).map(diffLineText);
}

test('a changed condition stands below the old one', () => {
  expect(
    diff('body.type=a and body.amount>=1000 and path=/x', 'body.type=a and body.amount>=5000'),
  ).toEqual(['  body.type=a', '- body.amount>=1000', '- path=/x', '+ body.amount>=5000']);
});

test('words that differ are emphasized', () => {
  const lines = ruleDiff('body.amount>=1000 and path=/x', 'body.amount>=5000 and path=/x');
  const emphasized = lines.map(({ parts }) =>
    parts.filter(({ isEmphasized }) => isEmphasized).map(({ text }) => text),
  );
  expect(emphasized).toEqual([['1000'], ['5000'], []]);
});

test('alternatives and negations have a heading', () => {
  const rule = (amount: number) =>
    `not (body.a=1 or body.b=2) and (body.c=3 or body.d=4 and body.amount>=${amount}) and not (body.e=5 and body.f=6) and not body.g>7`;
  expect(diff(rule(1), rule(2))).toEqual([
    ...['  none of', '    body.a=1', '    body.b=2'],
    ...['  any of', '    body.c=3', '    all of', '      body.d=4'],
    ...['-     body.amount>=1', '+     body.amount>=2'],
    ...['  not all of', '    body.e=5', '    body.f=6', '  not body.g>7'],
  ]);
});

test('JSON rules are compared line by line, with every digit', () => {
  const rule = (n: string) => `{"body":{"n":{"$gte":${n}},"a":1}}`;
  expect(diff(rule('12345678901234567890'), rule('12345678901234567891'))).toEqual([
    ...['  {', '    "body": {', '      "n": {'],
    ...['-       "$gte": 12345678901234567890', '+       "$gte": 12345678901234567891'],
    ...['      },', '      "a": 1', '    }', '  }'],
  ]);
});

test('the forms are compared as text if text can say both, otherwise as JSON', () => {
  expect(diff('{"body":{"amount":{"$gte":1}}}', 'body.amount>=2')).toEqual([
    '- body.amount>=1',
    '+ body.amount>=2',
  ]);
  const both = diff('{"body":{"a":1,"b":2}}', 'body.a=1');
  expect(both).toContain('-     "b": 2');
});

test('without a rule before or after, all conditions come or go', () => {
  expect(diff(null, 'body.a=1 and body.b=2')).toEqual(['+ body.a=1', '+ body.b=2']);
  expect(diff('body.a=1', null)).toEqual(['- body.a=1']);
  expect(diff('body.a = 1', 'body.a=1')).toEqual(['  body.a=1']);
});

test('control characters of a rule are inert', () => {
  for (const line of diff('body.a="\\u001b[2J"', "body.a='\x9b2J'")) {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: none may be there
    expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
  }
});
