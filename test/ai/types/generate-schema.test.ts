import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { type AiEvent, payloadOf } from '../../../src/ai/event-input.ts';
import { generateSchema } from '../../../src/ai/types/generate-schema.ts';
import { TypeGenerator } from '../../../src/ai/types/type-generator.ts';
import { failOnLeaks } from '../../fixtures/leaks.ts';
import { capturedEvent, jsonEvent, sampleEvents } from '../ai-events.ts';
import { githubExamples } from '../github-examples.ts';
import { plainEvents } from '../handler/plain-events.ts';
import { typeErrors } from '../type-check.ts';

failOnLeaks();

const types = new TypeGenerator();
afterAll(() => types.close());

async function schemaOf(event: AiEvent): Promise<string> {
  return generateSchema(event, { types });
}

/** A module with the schema, and the payload as a value of its type. */
async function proof(event: AiEvent): Promise<string> {
  const schema = await schemaOf(event);
  const name = /export (?:interface|type) (\w+)/.exec(schema)?.[1];
  const payload = payloadOf(event);
  const value =
    payload.kind === 'json'
      ? payload.value
      : payload.kind === 'ndjson'
        ? payload.values
        : payload.kind === 'form'
          ? Object.fromEntries(payload.fields)
          : payload.kind === 'empty'
            ? null
            : 'text';
  return `${schema}\nexport const payload: ${name} = ${JSON.stringify(value)};\n`;
}

describe('a schema compiles under strict and accepts its payload', () => {
  test('of every provider that `trigger` has', async () => {
    const files: Record<string, string> = {};
    for (const { name, event } of sampleEvents()) files[`${name}.ts`] = await proof(event);
    expect(Object.keys(files).length).toBeGreaterThan(15);
    expect(typeErrors(files)).toEqual([]);
  });

  test('of every shape of body, and of every GitHub event type', async () => {
    const files: Record<string, string> = {};
    for (const [i, { event }] of plainEvents().entries())
      files[`plain-${i}.ts`] = await proof(event);
    const latest = new Map(githubExamples().map(({ name, payload }) => [name, payload]));
    for (const [name, payload] of latest) {
      const event = capturedEvent(['x-github-event', name], JSON.stringify(payload));
      files[`github-${name}.ts`] = await proof(event);
    }
    expect(Object.keys(files).length).toBeGreaterThan(58 + 20);
    expect(typeErrors(files)).toEqual([]);
  }, 120_000);

  test('and refuses another payload', async () => {
    const schema = await schemaOf(jsonEvent('{"id":1,"tags":["a"],"note":null}'));
    const value = (text: string) => `${schema}\nexport const payload: WebhookPayload = ${text};\n`;
    expect(
      typeErrors({
        'right.ts': value('{"id":2,"tags":[],"note":null}'),
        'text.ts': value('{"id":"2","tags":[],"note":null}'),
        'missing.ts': value('{"id":2,"tags":[]}'),
      }).map((error) => error.split(':')[0]),
    ).toEqual(['missing.ts', 'text.ts']);
  });

  const key = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom('id', 'type', 'data', 'items', 'a-b', 'a_b', 'ab') },
    fc.constantFrom('__proto__', 'constructor', 'Array', 'Date', 'string', 'any', '', '1', '*/'),
    fc.constantFrom('WebhookPayload', 'WebhookPayloads', 'Record', `a${'1'.repeat(70)}`),
    fc.string({ unit: 'binary', maxLength: 6 }),
  );
  const json = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom(null, true, false, -0, 2 ** 60, 1.5),
      fc.string({ unit: 'binary' }),
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.array(tie('value'), { maxLength: 5 }),
      fc
        .array(fc.tuple(key, tie('value')), { maxLength: 8 })
        .map((members) => Object.fromEntries(members)),
    ),
  })).value;

  test('of random payloads', async () => {
    const seed = Math.floor(Math.random() * 2 ** 31);
    const payloads = fc.sample(json, { numRuns: 200, seed });
    const files: Record<string, string> = {};
    for (const [i, payload] of payloads.entries()) {
      files[`payload-${i}.ts`] = await proof(jsonEvent(JSON.stringify(payload)));
    }
    const errors = typeErrors(files).map((error) => {
      const file = error.slice(0, error.indexOf(':'));
      return `${error}\n${files[file]}`;
    });
    expect(errors.slice(0, 3), `seed ${seed}`).toEqual([]);
  }, 120_000);
});

describe('names', () => {
  test.each([
    ['github.push', 'interface GithubPushEvent'],
    ['github.pull_request', 'interface GithubPullRequestEvent'],
    ['stripe.invoice.paid', 'interface StripeInvoicePaidEvent'],
    ['shopify.orders.create', 'interface ShopifyOrdersCreateEvent'],
    ['slack.message', 'interface SlackMessageEvent'],
    ['gitlab.push', 'interface GitlabPushEvent'],
    ['twilio.message', 'interface TwilioMessageEvent'],
    ['sendgrid.events', 'type SendgridEvents = SendgridEvent[];'],
    ['standard.user.created', 'interface UserCreatedEvent'],
  ])('%s is %s', async (name, expected) => {
    const found = sampleEvents().find((sample) => sample.name === name);
    expect(await schemaOf(found?.event as AiEvent)).toContain(`export ${expected}`);
  });

  test.each(['a */ b', '`$' + '{process.exit()}`', 'x\u2028y', "'; import('node:fs') //"])(
    'an event type of %j gives no name',
    async (type) => {
      const event = capturedEvent(['x-github-event', type], '{"a":1}');
      expect(await schemaOf(event)).toBe('export interface GithubEvent {\n  a: number;\n}\n');
    },
  );
});

describe('a schema says', () => {
  test.each<[json: string, schema: string]>([
    [
      '[{"id":1,"a":"x"},{"id":2,"a":null},{"id":3}]',
      'export type WebhookPayloads = WebhookPayload[];\n\nexport interface WebhookPayload {\n  id: number;\n  a?: string | null;\n}\n',
    ],
    ['[1,"a",null,{"b":[]}]', 'Array<WebhookPayload | string | number | null>'],
    ['{"list":[],"nothing":null}', '  list: unknown[];\n  nothing: unknown;\n'],
    ['{"list":[null],"empty":{}}', '  list: unknown[];\n  empty: Record<string, unknown>;\n'],
    ['[{"a":null},{"a":1}]', '  a: number | null;\n'],
    [
      '{"a b":1,"":2,"1":3,"\\"":4}',
      '  "a b": number;\n  "": number;\n  "1": number;\n  "\\"": number;\n',
    ],
    ['"text"', 'export type WebhookPayload = string;\n'],
    ['-1.5e3', 'export type WebhookPayload = number;\n'],
    ['null', 'export type WebhookPayload = unknown;\n'],
    ['{}', 'export type WebhookPayload = Record<string, unknown>;\n'],
    ['\ufeff{"a":1}', 'export interface WebhookPayload {\n  a: number;\n}\n'],
    [
      '{"a":1}\n{"a":2,"b":"x"}\n',
      '// The body is NDJSON, one JSON document a line: this is the list of them.\nexport type WebhookPayloads = WebhookPayload[];\n\nexport interface WebhookPayload {\n  a: number;\n  b?: string;\n}\n',
    ],
    ['{"a":1}\n{"a":2,}', '// The body is neither JSON nor form-encoded: it is text.\n'],
    [
      '{"type":"order.paid","action":"x","data":{"type":"card"}}',
      '// Members that name the kind of event accept only the values in this payload: add those of other events.\nexport interface OrderPaidEvent {\n  type: "order.paid";\n  action: "x";\n',
    ],
    ['{"type":"order.paid","data":{"type":"card"}}', 'interface Data {\n  type: string;\n}'],
    ['{"event":{"type":"message"}}', '  type: "message";\n'],
    ['[{"type":"a"},{"type":"b"},{"type":null}]', '  type: "a" | "b" | null;\n'],
    ['{"type":"it\'s */ a text"}', '  type: string;\n'],
    ['{"days":{"2026-11-20":{"n":1},"2026-11-21":{}}}', '  days: Record<string, Day>;\n'],
    ['{"texts":{"en":"a","de":"b"}}', '  texts: Record<string, string>;\n'],
    ['[]', 'export type WebhookPayloads = unknown[];\n'],
    [
      '{"user":{"id":1},"owner":{"id":2},"addresses":[{"größe":1}],"id":3}',
      '  user: User;\n  owner: User;\n  addresses: Address[];\n  id: number;\n}\n\nexport interface User {\n  id: number;\n}\n\nexport interface Address {\n  "größe": number;\n}\n',
    ],
    ['[[1],["a"]]', 'export type WebhookPayloads = Array<Array<string | number>>;\n'],
    ['{"__proto__":{"a":1},"constructor":2}', '__proto__: Proto;\n  constructor: unknown;'],
    [
      '{"a":{"b":1},"a":"x"}',
      '// An object has the same name twice: JSON readers keep the last value.\n',
    ],
    [
      '{"id":9007199254740993}',
      '// Some integers are past 2^53: they are typed number, and JSON.parse rounds them.',
    ],
    ['{"n":1e400}', '// Some numbers are past the range of a double: they are read as infinity.\n'],
  ])('of %s', async (json, expected) => {
    expect(await schemaOf(jsonEvent(json))).toContain(expected);
  });

  test('without a comment for numbers that are exact', async () => {
    expect(await schemaOf(jsonEvent('{"id":9007199254740991}'))).toBe(
      'export interface WebhookPayload {\n  id: number;\n}\n',
    );
  });
});

describe('a body that is no JSON', () => {
  test('is an object of fields when it is a form', async () => {
    const event = capturedEvent(
      ['Content-Type', 'application/x-www-form-urlencoded; charset=utf-8'],
      'From=%2B15550100&Body=Hi+there&__proto__=x&Body=again',
    );
    expect(await schemaOf(event)).toBe(
      '// The body is form-encoded: these are its fields, all of them text.\n' +
        '// Some fields occur more than once: one value of each is kept.\n' +
        'export interface WebhookPayload {\n  From: string;\n  Body: string;\n  __proto__: string;\n}\n',
    );
  });

  test.each([
    [
      'text',
      '<xml/>',
      '// The body is neither JSON nor form-encoded: it is text.\nexport type WebhookPayload = string;\n',
    ],
    [
      'bytes',
      Buffer.of(0xff, 0xfe, 0),
      "// The body isn't text: the API shows it as a string of base64.\nexport type WebhookPayload = string;\n",
    ],
    ['nothing', '', '// The body is empty.\nexport type WebhookPayload = null;\n'],
  ])('is a type with a comment when it is %s', async (_, body, expected) => {
    expect(await schemaOf(capturedEvent([], body))).toBe(expected);
  });
});

describe('hostile payloads', () => {
  const MEGABYTE = 1024 * 1024;
  /** Twenty times as many as any stack has frames. */
  const levels = 200_000;
  const items = (text: string) =>
    Array.from({ length: Math.floor((10 * MEGABYTE) / text.length) }, () => text);

  test.each<[what: string, json: string, schema: string | RegExp]>([
    [
      '200,000 arrays deep',
      `${'['.repeat(levels)}${']'.repeat(levels)}`,
      '// Cut down: the payload is nested deeper',
    ],
    [
      '200,000 objects deep',
      `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`,
      '// Cut down: the payload is nested deeper',
    ],
    [
      '200,000 of both deep, in an item',
      `[1,${'[{"a":'.repeat(levels / 2)}"]}"${'}]'.repeat(levels / 2)},null]`,
      '// Cut down',
    ],
    [
      '10 MB of like items',
      `[${items('{"id":12345,"name":"some \\"name\\"","tags":["a"]}').join(',')}]`,
      /WebhookPayload\[\];[\s\S]*tags: string\[\];/,
    ],
    [
      '10 MB of items that all differ',
      `[${items('{"key000000":12345}')
        .map(() => '{"key')
        .map((text, i) => `${text}${i}":${i}}`)
        .join(',')}]`,
      'export type WebhookPayloads = Record<string, number>[];',
    ],
    [
      '10 MB of different names',
      `{${items('"0123456789":1')
        .map((_, i) => `"k${String(i).padStart(9, '0')}":1`)
        .join(',')}}`,
      'export type WebhookPayload = Record<string, number>;',
    ],
    [
      'a name of 10 MB',
      `{"${'k'.repeat(10 * MEGABYTE)}":1}`,
      'export type WebhookPayload = Record<string, number>;',
    ],
    ['10 MB of one text', `{"text":"${'\\"'.repeat(5 * MEGABYTE)}"}`, '  text: string;'],
    ['10 MB of empty arrays', `[${items('[],').join('')}[]]`, '= unknown[][];'],
    ['10 MB of digits', `{"n":${'9'.repeat(10 * MEGABYTE)}}`, '  n: number;'],
  ])(
    '%s',
    async (_, json, expected) => {
      const schema = await schemaOf(jsonEvent(json));
      expect(schema.length).toBeLessThan(100_000);
      expect(typeErrors({ 'schema.ts': schema })).toEqual([]);
      expect(schema).toMatch(expected);
    },
    60_000,
  );

  test('of too many different members the deepest are cut first', async () => {
    const inner = (i: number) =>
      Object.fromEntries(Array.from({ length: 50 }, (_, k) => [`m${i}x${k}`, k]));
    const payload = Object.fromEntries(
      Array.from({ length: 100 }, (_, i) => [`part${i}`, inner(i)]),
    );
    const event = jsonEvent(JSON.stringify(payload));
    const schema = await schemaOf(event);
    expect(schema).toContain('// Cut down: the payload has more than 1500 different members.');
    expect(schema).toContain('  part99: Record<string, unknown>;');
    expect(typeErrors({ 'cut.ts': await proof(event) })).toEqual([]);
  });

  test.each([
    ['names of Object.prototype', '[{"constructor":true,"toString":"x","__proto__":{"a":1}},{}]'],
    ['the name of the payload itself', '{"WebhookPayload":{"WebhookPayload":{"a":1}}}'],
    ['long names that repeat', `${`{"a${'1'.repeat(70)}":`.repeat(9)}1${'}'.repeat(9)}`],
    ['more levels than a schema has', `${'{"a":['.repeat(30)}1${']}'.repeat(30)}`],
  ])('a schema accepts its payload, which has %s', async (_, json) => {
    expect(typeErrors({ 'hostile.ts': await proof(jsonEvent(json)) })).toEqual([]);
  });
});
