import { describe, expect, test } from 'vitest';
import { findSample } from '../../src/providers/find-sample.ts';
import { composeSample } from '../../src/providers/sampling/compose-sample.ts';
import { applyOverrides, parseOverride } from '../../src/providers/sampling/override.ts';
import type { BodyFormat, Json } from '../../src/providers/sampling/sample.ts';

function overridden(
  payload: Json,
  argument: string | string[],
  { format = 'json', add = false }: { format?: BodyFormat; add?: boolean } = {},
): string {
  const overrides = [argument].flat().map((text) => parseOverride(text, format));
  return JSON.stringify(applyOverrides(structuredClone(payload), overrides, { format, add }));
}

const PAYLOAD = {
  data: { amount: 4990, price: '49.90', paid: false, note: null, tags: ['a', 'b'] },
  items: [{ price: 1 }, { price: 2 }],
  'smtp-id': '<1>',
  'a.b': 1,
  empty: {},
};

describe('values', () => {
  test.each([
    ['data.amount=500', '500'],
    ['data.amount=-0.5', '-0.5'],
    ['data.amount=1e3', '1000'],
    ['data.amount=9007199254740991', '9007199254740991'],
    ['data.amount="500"', '"500"'],
    ['data.amount=007', '"007"'],
    ['data.amount=', '""'],
    ['data.amount=a=b', '"a=b"'],
    ['data.amount=NaN', '"NaN"'],
    ['data.amount=null', 'null'],
    ['data.amount=true', 'true'],
    ['data.amount=nothing', '"nothing"'],
    ['data.amount={"tip": [1, {}]}', '{"tip":[1,{}]}'],
    ['data.amount={broken', '"{broken"'],
    // A text field keeps its digits; other values state what they are.
    ['data.price=10.00', '"10.00"'],
    ['data.price=12345678901234567890', '"12345678901234567890"'],
    ['data.price=null', 'null'],
    ['data.price=true', 'true'],
    ['data.price=[]', '[]'],
    ['data.price:=10.00', '10'],
    ['data.price:="x"', '"x"'],
    ['data.note=5', '5'],
  ])('%s', (argument, json) => {
    const { data } = JSON.parse(overridden(PAYLOAD, argument));
    const [, name = ''] = /^data\.(\w+)/.exec(argument) ?? [];
    expect(JSON.stringify(data[name])).toBe(json);
  });

  test.each([
    ['data.amount=9007199254740993', /is more than a JSON number holds exactly/],
    ['data.amount=1e400', /is more than a JSON number holds exactly/],
    ['data.amount:=abc', /^abc is not JSON$/],
    ['data.amount:=', /is not JSON$/],
    ['data.amount', /^"data\.amount" is not an override$/],
    ['=5', /^"=5" is not an override$/],
    [':=5', /^":=5" is not an override$/],
    ['', /^"" is not an override$/],
  ])('%s is refused', (argument, message) => {
    expect(() => overridden(PAYLOAD, argument)).toThrow(message);
    expect(() => overridden(PAYLOAD, argument)).toThrow(
      expect.objectContaining({ code: 'config_invalid' }),
    );
  });
});

describe('paths', () => {
  test.each([
    ['items.0.price=5', { ...PAYLOAD, items: [{ price: 5 }, { price: 2 }] }],
    ['items.1={"a":1}', { ...PAYLOAD, items: [{ price: 1 }, { a: 1 }] }],
    ['items=[]', { ...PAYLOAD, items: [] }],
    ['data.tags.1=c', { ...PAYLOAD, data: { ...PAYLOAD.data, tags: ['a', 'c'] } }],
    ['smtp-id=<2>', { ...PAYLOAD, 'smtp-id': '<2>' }],
    ['a\\.b=2', { ...PAYLOAD, 'a.b': 2 }],
  ])('%s', (argument, expected) => {
    expect(JSON.parse(overridden(PAYLOAD, argument))).toEqual(expected);
  });

  test('the first level can be a list', () => {
    expect(overridden([{ email: 'a' }], '0.email=b@example.com')).toBe(
      '[{"email":"b@example.com"}]',
    );
  });

  test('later overrides see the result of earlier ones', () => {
    expect(overridden({ a: 1 }, ['a={"b":1}', 'a.b=2'])).toBe('{"a":{"b":2}}');
  });

  test.each([
    [
      'data.amuont=1',
      'the sample has no field "data.amuont"',
      'did you mean amount? --add makes a new one',
    ],
    [
      'data.zzzzzzzz=1',
      'the sample has no field "data.zzzzzzzz"',
      'there are amount, price, paid, note, tags. --add makes a new one',
    ],
    ['date.amount=1', 'the sample has no field "date"', 'did you mean data? --add makes a new one'],
    [
      'items.2.price=1',
      'the sample has no field "items.2"',
      '"items" is a list of 2, counted from 0; --add takes 2 for a new one',
    ],
    ['empty.x=1', 'the sample has no field "empty.x"', 'there are none. --add makes a new one'],
    ['items.-1=1', 'the sample has no field "items.-1"', /is a list of 2/],
    ['items.length=0', 'the sample has no field "items.length"', /is a list of 2/],
    ['items.00=0', 'the sample has no field "items.00"', /is a list of 2/],
    ['data.=1', 'the sample has no field "data."', /there are amount/],
    ['__proto__.x=1', 'the sample has no field "__proto__"', /--add/],
    ['data.constructor=1', 'the sample has no field "data.constructor"', /--add/],
    [
      'data.amount.cents=1',
      '"data.amount" is a number and has no fields',
      "--override 'data.amount={…}' replaces it whole",
    ],
    ['data.note.text=1', '"data.note" is null and has no fields', /replaces it whole/],
    ['data.price.0=1', '"data.price" is a string and has no fields', /replaces it whole/],
  ])('%s is refused', (argument, message, hint) => {
    expect(() => overridden(PAYLOAD, argument)).toThrow(
      expect.objectContaining({
        code: 'config_invalid',
        message,
        hint: typeof hint === 'string' ? hint : expect.stringMatching(hint),
      }),
    );
  });
});

describe('--add', () => {
  test.each([
    ['b=1', '{"a":[],"b":1}'],
    ['b.c.d=x', '{"a":[],"b":{"c":{"d":"x"}}}'],
    ['a.0=x', '{"a":["x"]}'],
    ['a.0.name=x', '{"a":[{"name":"x"}]}'],
    ['__proto__=1', '{"a":[],"__proto__":1}'],
    ['__proto__.x=1', '{"a":[],"__proto__":{"x":1}}'],
  ])('%s', (argument, json) => {
    expect(overridden({ a: [] }, argument, { add: true })).toBe(json);
    expect(({} as { x?: number }).x).toBeUndefined();
  });

  test.each(['a.1=x', 'a.name=x', 'a.9999999999=x'])('%s would leave a hole', (argument) => {
    expect(() => overridden({ a: [] }, argument, { add: true })).toThrow(/has no field/);
  });
});

describe('forms', () => {
  const form = { Body: 'Hello', NumMedia: '0' };

  test.each([
    ['Body=a & b = c', '{"Body":"a & b = c","NumMedia":"0"}'],
    ['NumMedia=2', '{"Body":"Hello","NumMedia":"2"}'],
    ['Body=null', '{"Body":"null","NumMedia":"0"}'],
    ['Body="x"', '{"Body":"\\"x\\"","NumMedia":"0"}'],
  ])('%s stays text', (argument, json) => {
    expect(overridden(form, argument, { format: 'form' })).toBe(json);
  });

  test('names have no parts', () => {
    const added = overridden(form, 'Parameters.x=1', { format: 'form', add: true });
    expect(JSON.parse(added)).toEqual({ ...form, 'Parameters.x': '1' });
    expect(() => overridden(form, 'Boddy=1', { format: 'form' })).toThrow(
      expect.objectContaining({ hint: 'did you mean Body? --add makes a new one' }),
    );
  });
});

describe('a composed payload', () => {
  const compose = (name: string, ...overrides: string[]) =>
    composeSample(findSample(name), {
      url: 'https://hooks.example.com/',
      secret: null,
      overrides,
      add: false,
      nowMs: 0,
      randomBytes: (count) => new Uint8Array(count),
    }).body.toString('utf8');

  test('changes one place by one override, even of a repeated value', () => {
    const merge = JSON.parse(compose('gitlab.merge_request', 'object_attributes.source.name=Fork'));
    expect(merge.object_attributes.source.name).toBe('Fork');
    expect(merge.object_attributes.target.name).toBe('Webshop');
    const again = JSON.parse(compose('gitlab.merge_request'));
    expect(again.object_attributes.source.name).toBe('Webshop');
  });

  test('is encoded as a form', () => {
    expect(compose('twilio.message', 'Body=50 % & +1 ü')).toContain('Body=50+%25+%26+%2B1+%C3%BC&');
  });

  test('of SendGrid has one event per line', () => {
    const body = compose('sendgrid.events', '1.email=b@example.com');
    expect(body.match(/\},\r\n\{/g)).toHaveLength(3);
    expect(body.endsWith('}]\r\n')).toBe(true);
    expect(JSON.parse(body)[1].email).toBe('b@example.com');
  });
});
