import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RuleFieldErrors } from '../../src/core/rules/read-json.ts';
import { checkedSource } from '../../src/core/rules/rule.ts';
import { ApiError } from '../../src/dashboard/model/api-error.ts';
import {
  completionsAt,
  type Suggestions,
} from '../../src/dashboard/parts/rule-editor/rule-completions.ts';
import { ruleFaults } from '../../src/dashboard/parts/rule-editor/rule-faults.ts';
import { ruleTokens } from '../../src/dashboard/parts/rule-editor/rule-tokens.ts';
import { withRuleText, withRuleTexts } from '../../src/dashboard/text/shown-rule.ts';

/* What the editor of rules knows: colours, places of faults, suggestions. */

const tokensOf = (text: string) =>
  ruleTokens(text).map(({ kind, from, to }) => `${kind} ${text.slice(from, to)}`);

describe('colours', () => {
  test('tell the parts of the text form apart', () => {
    const rule = 'body.items[0]."a.b"=1 and not (header.x-id in (a, "b c") or body.x?)';
    expect(tokensOf(rule)).toEqual([
      ...['path body.items[0]."a.b"', 'operator =', 'number 1', 'word and', 'word not'],
      ...['bracket (', 'path header.x-id', 'operator in', 'bracket (', 'text a', 'bracket ,'],
      ...['text "b c"', 'bracket )', 'word or', 'path body.x', 'operator ?', 'bracket )'],
    ]);
    expect(tokensOf('header.n>=1 or body.ok=true')).toEqual([
      ...['path header.n', 'operator >=', 'number 1', 'word or'],
      ...['path body.ok', 'operator =', 'literal true'],
    ]);
    expect(tokensOf('path~=^/v2(/.*)?$ extra')).toEqual([
      ...['path path', 'operator ~=', 'text ^/v2(/.*)?$', 'wrong extra'],
    ]);
  });

  test('tell the parts of the JSON form apart', () => {
    expect(tokensOf('{"body": {"n": {"$gte": 1.5e3}, "s": ["a", null]}}')).toEqual([
      ...['bracket {', 'name "body"', 'bracket :', 'bracket {', 'name "n"', 'bracket :'],
      ...['bracket {', 'operator "$gte"', 'bracket :', 'number 1.5e3', 'bracket }', 'bracket ,'],
      ...['name "s"', 'bracket :', 'bracket [', 'text "a"', 'bracket ,', 'literal null'],
      ...['bracket ]', 'bracket }', 'bracket }'],
    ]);
  });

  test('cover any text in order, and end', () => {
    const alphabet = fc.constantFrom(...'body.a= <>!~*^$?"\'\\()[],{}:1 inandort\n€\u202e');
    fc.assert(
      fc.property(fc.array(alphabet, { maxLength: 60 }), (characters) => {
        const text = characters.join('');
        let end = 0;
        for (const { from, to } of ruleTokens(text)) {
          expect(from).toBeGreaterThanOrEqual(end);
          expect(to).toBeGreaterThan(from);
          end = to;
        }
        expect(end).toBeLessThanOrEqual(text.length);
      }),
    );
  });
});

/** The answer of the API to a rule. */
function refusal(rule: string, path = 'filter'): ApiError {
  try {
    checkedSource(rule);
  } catch (error) {
    if (!(error instanceof RuleFieldErrors)) throw error;
    const issues = error.issues.map((issue) => ({
      path: issue.path === '' ? path : `${path}.${issue.path}`,
      message: issue.message,
    }));
    return new ApiError(400, 'invalid_input', 'no', null, issues);
  }
  throw new Error(`${rule} is a good rule`);
}

describe('the faults that the API names stand at their places', () => {
  test.each([
    ['body.n=1 and body.m>=>2', '>2'],
    ['body.a', 'a'],
    ['body.a = ', '='],
    ['  bdy.a=1', 'bdy.a'],
    ['body.a=1 extra', 'extra'],
    ['{"body": {"n": {"$gte": 1}, "m": {"$near": 2}}}', '"$near": 2'],
    ['  {"body": {"n": {"$near": 1}}}', '"$near": 1'],
    ['{"header": {"a": 1}}', '"header"'],
    ['{"body": {"a.b": {"$regex": "("}}}', '"$regex": "("'],
    ['{"$or": [{"body": 1}, {"bdy": 1}]}', '"bdy": 1'],
    ['{"body": tru}', 'tru'],
    ['{"body" 1}', '1'],
    ['{"body": {', '{'],
  ])('%s', (rule, underlined) => {
    const [first] = ruleFaults(refusal(rule), 'filter', rule);
    expect(rule.slice(first?.from, first?.to)).toBe(underlined);
    expect(first?.message).not.toMatch(/column|position/);
  });

  test('also several, and none of other fields', () => {
    const rule = '{"body": {"$near": 1}, "bdy": 2}';
    const faults = ruleFaults(refusal(rule, 'where'), 'where', rule);
    expect(faults.map(({ from, to }) => rule.slice(from, to))).toEqual(['"$near": 1', '"bdy": 2']);
    expect(ruleFaults(refusal(rule, 'where'), 'filter', rule)).toEqual([]);
    expect(ruleFaults(null, 'filter', rule)).toEqual([]);
  });
});

describe('suggestions', () => {
  const known: Suggestions = {
    members: [
      { path: 'body.state', isText: true, values: ['paid', 'in work', '42'] },
      { path: 'body.items[*].sku', isText: true, values: [] },
      { path: 'body.live', isText: false, values: ['true', 'false'] },
    ],
    types: ['invoice.paid'],
    providers: ['stripe'],
  };
  const at = (text: string) => {
    const found = completionsAt(text, text.length, known);
    return found && { from: found.from, labels: found.options.map(({ label }) => label) };
  };
  const applied = (text: string, label: string) => {
    const found = completionsAt(text, text.length, known);
    const option = found?.options.find((one) => one.label === label);
    return found && option && text.slice(0, found.from) + (option.apply ?? option.label);
  };

  test('are paths, operators, values and joints, by place', () => {
    expect(at('')?.labels).toEqual(expect.arrayContaining(['body.state', 'header.', 'not']));
    expect(at('body.st')).toMatchObject({
      from: 0,
      labels: expect.arrayContaining(['body.state']),
    });
    expect(at('body.state')).toMatchObject({
      from: 10,
      labels: expect.arrayContaining(['=', 'in']),
    });
    expect(at('body.state=')).toEqual({ from: 11, labels: ['paid', 'in work', '42'] });
    expect(at('body.state=pa')).toEqual({ from: 11, labels: ['paid', 'in work', '42'] });
    expect(at('body.state in (paid, ')?.labels).toEqual(['paid', 'in work', '42']);
    expect(at('type=')?.labels).toEqual(['invoice.paid']);
    expect(at('provider=')?.labels).toEqual(['stripe']);
    expect(at('verification=')?.labels).toContain('failed');
    expect(at('body.state=paid ')).toEqual({ from: 16, labels: ['and', 'or'] });
    expect(at('body.state=paid a')).toEqual({ from: 16, labels: ['and', 'or'] });
    expect(at('(body.live?)')?.labels).toEqual(['and', 'or']);
  });

  test('stand in quotes where the value must', () => {
    expect(applied('body.state=', 'in work')).toBe('body.state="in work"');
    expect(applied('body.state=', '42')).toBe('body.state="42"');
    expect(applied('body.state=p', 'paid')).toBe('body.state=paid');
    expect(applied('body.live=', 'true')).toBe('body.live=true');
  });

  test('follow the members of the JSON form', () => {
    expect(at('{')?.labels).toEqual(expect.arrayContaining(['body', 'headers', '$and']));
    expect(applied('{"bo', 'body')).toBe('{"body": ');
    expect(at('{"body": {')?.labels).toEqual(expect.arrayContaining(['state', 'live', '$exist']));
    expect(applied('{"body": {"sta', 'state')).toBe('{"body": {"state": ');
    expect(at('{"body": {"items": {')?.labels).toContain('sku');
    expect(applied('{"body": {"state": {"$', '$gte')).toBe('{"body": {"state": {"$gte": ');
    expect(applied('{"body": {"state": ', 'paid')).toBe('{"body": {"state": "paid"');
    expect(applied('{"body": {"state": {"$in": ["pa', 'paid')).toBe(
      '{"body": {"state": {"$in": ["paid"',
    );
    expect(applied('{"body": {"live": ', 'true')).toBe('{"body": {"live": true');
    expect(applied('{"type": "', 'invoice.paid')).toBe('{"type": "invoice.paid"');
    expect(at('{"body": {"unknown": ')).toBeNull();
  });
});

describe('a rule from an answer', () => {
  test('keeps every digit, and the order and spelling of its members', () => {
    const filter = '{"body":{"id":12345678901234567890,"a":1.0,"a":[]},"$not":{"path":"/x"}}';
    const answer = `{"id":"dst_1","filter":${filter},"name":null}`;
    expect(withRuleText(answer)).toEqual({
      id: 'dst_1',
      name: null,
      filter:
        '{\n  "body": {"id": 12345678901234567890, "a": 1.0, "a": []},\n  "$not": {"path": "/x"}\n}',
    });
  });

  test('is text as it is, and null without one', () => {
    expect(withRuleText('{"filter":"body.a=\\"b\\""}')).toEqual({ filter: 'body.a="b"' });
    expect(withRuleText('{"filter":null}')).toEqual({ filter: null });
    const page = '{"data":[{"version":2,"filter":{"body":1e400}},{"version":1,"filter":null}]}';
    expect(withRuleTexts(page)).toEqual([
      { version: 2, filter: '{\n  "body": 1e400\n}' },
      { version: 1, filter: null },
    ]);
  });
});
