import { describe, expect, test } from 'vitest';
import { fitsRule } from '../../../src/core/rules/evaluate.ts';
import { RequestParts, type RuledRequest } from '../../../src/core/rules/request-parts.ts';
import { readRule } from '../../../src/core/rules/rule.ts';
import { bodyType } from '../../../src/providers/body-type.ts';

const FORM = 'application/x-www-form-urlencoded; charset=utf-8';

const request: RuledRequest = {
  method: 'POST',
  path: '',
  query: 'page=2&tag=a&tag=b&empty=',
  rawHeaders: ['X-GitHub-Event', 'push', 'accept', 'a', 'Accept', 'b', '__proto__', 'x'],
  contentType: 'application/json',
  body: Buffer.from('{"type":"invoice.paid","amount":12.50}'),
  provider: 'stripe',
  eventType: null,
  sourceIp: '192.0.2.1',
  verification: { state: 'verified' },
};

function fits(rule: string, changes: Partial<RuledRequest> = {}): boolean {
  return fitsRule(readRule(rule), new RequestParts({ ...request, ...changes }, bodyType));
}

test.each([
  'method=POST',
  'path=/',
  'query.page=2',
  'query.tag=b',
  'query.empty=""',
  'not query.absent?',
  'header.x-github-event=push',
  'header.ACCEPT="a, b"',
  '{"headers":{"Accept":{"$ref":"ACCEPT"}}}',
  '{"headers":{"Accept":{"$eq":{"$ref":"ACCEPT"}}}}',
  '{"headers":{"Accept":{"$not":{"$neq":{"$ref":"ACCEPT"}}}}}',
  'header.__proto__=x',
  'provider=stripe',
  'type=invoice.paid',
  'type!=push',
  'size>=38 and size<39',
  'source_ip=192.0.2.1',
  'verification=verified',
  'verification in (verified, authenticated)',
  '{"verification":"verified"}',
  '{"verification":{"$neq":"failed"}}',
  'body.amount=12.5',
  'not form.a?',
])('%s', (rule) => {
  expect(fits(rule)).toBe(true);
});

test('a request to an endpoint without a source is unverified', () => {
  expect(fits('verification=unverified', { verification: null })).toBe(true);
  expect(fits('verification=verified', { verification: null })).toBe(false);
});

describe('bodies', () => {
  const form = (text: string) => ({ contentType: FORM, body: Buffer.from(text) });
  test('a form’s fields are its body, and texts', () => {
    expect(fits('form.From="+1 2" and body.From="+1 2"', form('From=%2B1+2&a=1'))).toBe(true);
    expect(fits('form.a=1 and body.a="1" and not (body.a=1)', form('a=1'))).toBe(true);
    expect(fits('form.a=2', form('a=1&a=2'))).toBe(true);
    expect(fits('form.__proto__=1', form('__proto__=1'))).toBe(true);
  });
  test('the JSON in a form’s payload is the body', () => {
    const payload = form(`payload=${encodeURIComponent('{"action":"opened","n":1}')}&x=1`);
    expect(fits('body.action=opened and body.n=1 and form.x=1', payload)).toBe(true);
    expect(fits('body.payload="{"', form('payload=%7B'))).toBe(true);
    expect(fits('body.id=7', form('payload=%20%5B%7B%22id%22%3A7%7D%5D'))).toBe(true);
  });
  test('a payload of other JSON, or one of several, is a field like the others', () => {
    expect(fits('body.payload="5" and body.x="1"', form('payload=5&x=1'))).toBe(true);
    expect(fits('body.payload="null"', form('payload=null'))).toBe(true);
    expect(fits('body.payload="{}"', form('payload=%7B%7D&payload=%7B%7D'))).toBe(true);
  });
  test('other text is a text, and bytes are nothing', () => {
    expect(fits('body*=<id>', { body: Buffer.from('<a><id>1</id></a>') })).toBe(true);
    expect(fits('body=""', { body: Buffer.alloc(0) })).toBe(false);
    expect(fits('body?', { body: Buffer.from([0xff, 0xfe]) })).toBe(false);
    expect(fits('body.a=1', { body: Buffer.from('\ufeff{"a":1}') })).toBe(true);
  });
  test('JSON is JSON under any content type', () => {
    expect(fits('body.a=1', { contentType: 'text/plain', body: Buffer.from('{"a":1}') })).toBe(
      true,
    );
    expect(fits('body=5', { contentType: FORM, body: Buffer.from('5') })).toBe(true);
  });
});

test('a body is parsed once for all rules, and not where none looks at it', () => {
  let reads = 0;
  const parts = new RequestParts(
    {
      ...request,
      get body() {
        reads++;
        return request.body;
      },
    },
    bodyType,
  );
  expect(parts.get('headers')).toBeDefined();
  expect(reads).toBe(0);
  expect(parts.get('body')).toBe(parts.get('body'));
  expect(parts.get('form')).toBeUndefined();
  expect(reads).toBe(1);
});
