import { describe, expect, test } from 'vitest';
import { ruleFault } from '../../src/cli/rule-fault.ts';
import { markedLines } from '../../src/cli/terminal/marked-text.ts';

describe('the place of a fault', () => {
  // The place is marked by ▸, which is not part of the rule.
  test.each([
    ['body.amount>=▸true', 'expected a number or a text'],
    ['body.a=1 ▸& body.b=2', 'expected and, or'],
    ['▸bodi.a=1', 'a path begins with'],
    ['(body.a=1▸', 'expected )'],
    ['path~=▸(a', 'not a regular expression'],
    ['{▸"header": {"a": 1}}', 'the headers are in "headers"'],
    ['{"body": {"a": {▸"$gte": [1]}}, "x": 1}', 'body.a.$gte: expected a number or a text'],
    ['{"$or": [{"body": {"a": 1}}, {▸"boby": 1}]}', '$or.1.boby: a request has no such part'],
    ['{"$or": [{"body": 1}, ▸7]}', '$or.1: expected an object'],
    ['{"body": {"a": 1}, "body": {"a": {▸"$no": 1}}}', 'no such operator'],
    ['{"body": {"a": ▸x}}', "Unexpected token 'x'"],
    ['{"body": {"a": 1▸', "Expected ',' or '}'"],
    ['{"body": ▸', 'Unexpected end'],
    ['{"body": 1 ▸"path": 2}', "Expected ',' or '}'"],
  ])('%s', (marked, message) => {
    const rule = marked.replace('▸', '');
    const fault = ruleFault(rule);
    expect(fault?.message).toContain(message);
    expect(fault?.message).not.toContain('column');
    const at = fault?.at ?? -1;
    expect(`${rule.slice(0, at)}▸${rule.slice(at)}`).toBe(marked);
  });

  test.each(['body.a=1', '{"body": {"a": 1}}', '{}'])('%s has none', (rule) => {
    expect(ruleFault(rule)).toBeNull();
  });
});

describe('a marked text', () => {
  test('has the caret under its place', () => {
    expect(markedLines('body.a>=true', 8, 80)).toEqual(['  body.a>=true', '          ^']);
    expect(markedLines('', 0, 80)).toEqual(['  ', '  ^']);
  });

  test('counts wide characters and escaped control characters as they show', () => {
    expect(markedLines('日本=x', 3, 80)).toEqual(['  日本=x', '       ^']);
    const [line, caret] = markedLines('\x1b[2Ja\u0007\nb=', 7, 80) as [string, string];
    expect(line).toBe('  a\\u0007 b=');
    expect(caret.length - 1).toBe(line.indexOf('b='));
  });

  test.each([0, 5, 50, 150, 250, 299])('is cut around the place %i', (at) => {
    const text = Array.from({ length: 100 }, (_, i) => String(i).padStart(3, '.')).join('');
    const [line, caret] = markedLines(text, at, 80) as [string, string];
    expect(line.length).toBeLessThanOrEqual(80);
    const column = caret.length - 1;
    expect(line.slice(column, column + 3)).toBe(text.slice(at, at + 3));
    if (at > 100) expect(line.slice(column - 20, column)).toBe(text.slice(at - 20, at));
  });
});
