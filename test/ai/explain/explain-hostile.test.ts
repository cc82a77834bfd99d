import { describe, expect, test } from 'vitest';
import { closedJson } from '../../../src/ai/body-view.ts';
import { explainEvent } from '../../../src/ai/explain/explain-event.ts';
import { SAMPLES } from '../../../src/providers/samples.ts';
import { eventOf, eventOfSample, membersOf } from './ai-event.ts';

const MB = 1024 * 1024;
/** Longest time that an explanation may block the thread that also captures, ms. */
const MAX_MAIN_THREAD_MS = 100;
const MAX_LENGTH = 3000;
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
const NASTY = `\u001b[31mred\u0007\u202egnp.exe\u2028x\r\nSet-Cookie: a=b\u0000 ${'w'.repeat(5000)}`;

const json = { 'content-type': 'application/json' };

/** Every string replaced, every number absurd. */
function poisoned(value: unknown): unknown {
  if (typeof value === 'string') return NASTY;
  if (typeof value === 'number') return -1e300;
  if (Array.isArray(value)) return value.map(poisoned);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, poisoned(child)]));
}

/** Every member of a kind that its reader does not expect. */
function twisted(value: unknown): unknown {
  if (Array.isArray(value)) return { 0: value[0] ?? null, length: 5 };
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, twisted(child)]));
  }
  return typeof value === 'string' ? [value] : { toString: 1 };
}

describe.each([
  ['poisoned', poisoned],
  ['twisted', twisted],
])('each sample with hostile values, %s', (_, change) => {
  test.each(SAMPLES.map((sample) => [sample.name, sample] as const))('%s', (_name, sample) => {
    const event = eventOfSample(sample);
    const headers = Object.fromEntries(event.headers);
    const text = explainEvent(eventOf({ headers, body: change(membersOf(event)) }));
    expect(text).not.toMatch(UNSEEN);
    expect(text.length).toBeLessThan(MAX_LENGTH);
  });
});

test('headers, path and method are not trusted either', () => {
  const text = explainEvent(
    eventOf({
      headers: {
        'user-agent': NASTY,
        'webhook-id': NASTY,
        'x-github-event': NASTY,
        'content-type': NASTY,
      },
      path: `/${NASTY}`,
      method: 'POST',
      body: 'x',
    }),
  );
  expect(text).not.toMatch(UNSEEN);
  expect(text.length).toBeLessThan(MAX_LENGTH);
});

test('names of Object.prototype are plain names', () => {
  const body = '{"__proto__": {"type": "x"}, "constructor": {"name": "y"}, "toString": "z"}';
  const text = explainEvent(eventOf({ headers: json, body }));
  expect(text).toContain('3 fields: __proto__ (object), constructor (object) and toString');
  for (const type of ['__proto__', 'constructor', 'toString']) {
    expect(explainEvent(eventOf({ headers: { 'x-github-event': type }, body }))).toContain(
      'GitHub',
    );
  }
});

const order = (i: number) => ({ id: i, name: `order ${i}`, amount: 12.5, currency: 'EUR' });
const many = JSON.stringify({
  type: 'orders',
  data: Array.from({ length: 140_000 }, (_, i) => order(i)),
});

const LARGE: [string, string | Buffer][] = [
  ['10 MB of JSON', many.padEnd(10 * MB)],
  ['a million levels', `${'['.repeat(1e6)}${']'.repeat(1e6)}`],
  ['a million levels of objects', `${'{"a":'.repeat(1e6)}1${'}'.repeat(1e6)}`],
  ['levels that never close', '['.repeat(10 * MB)],
  ['one string of 10 MB', `"${'x'.repeat(10 * MB)}"`],
  ['one string of 10 MB in an object', `{"type": "a", "text": "${'\\u0000'.repeat(1.7 * MB)}"}`],
  ['a number of 10 MB', '9'.repeat(10 * MB)],
  ['numbers only', `[${'12345678901234567890,'.repeat(400_000)}1]`],
  ['names like amounts', `{${Array.from({ length: 30_000 }, (_, i) => `"a${i}cents":1`).join()}}`],
  ['quotes', '"'.repeat(10 * MB)],
  ['backslashes', `["${'\\'.repeat(10 * MB)}`],
  ['a form of a million fields', 'a=1&'.repeat(2.5 * MB)],
  ['e-mail-like text', `{"a": "${'a@'.repeat(100_000)}"}`],
  ['spaces', `{"name": "${' '.repeat(400_000)}"}`],
  ['lines of JSON', '{"a":1}\n'.repeat(1.3 * MB)],
  ['short lines that end unlike JSON', `${'[]\n'.repeat(3 * MB)}x`],
  ['binary', Buffer.alloc(10 * MB, 0xfe)],
];

test.each(LARGE)('%s is explained within a moment', (_, body) => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  // CPU time of this thread, best of three: other users of the machine don't count.
  const times = [1, 2, 3].map(() => {
    const event = eventOf({ headers, body });
    const before = process.threadCpuUsage();
    expect(explainEvent(event).length).toBeLessThan(MAX_LENGTH);
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1000;
  });
  expect(Math.min(...times)).toBeLessThan(MAX_MAIN_THREAD_MS);
});

test('a large body is explained by its beginning, and says that it is cut', () => {
  const text = explainEvent(eventOf({ headers: json, body: many }));
  expect(text).toContain('"orders"');
  expect(text).toContain('order 0');
  expect(text).toContain('its beginning');
});

test('a body that is cut has no counts: they would be those of its beginning', () => {
  const items = Array.from({ length: 83_887 }, (_, id) => ({ id, sku: `HR-${id}` }));
  const list = explainEvent(eventOf({ headers: json, body: JSON.stringify(items) }));
  expect(list).toContain(
    'Its body is a JSON array of many items, the first an object with 2 fields: id and sku.',
  );
  const object = explainEvent(
    eventOf({ headers: json, body: JSON.stringify({ a: [1], items, b: 2 }) }),
  );
  expect(object).toContain(
    'Its body is a JSON object with the fields a (array) and items (array) and perhaps more.',
  );
  const small = explainEvent(eventOf({ headers: json, body: { items: items.slice(0, 489) } }));
  expect(small).toContain('items (array of 489)');
});

test('of many lines the first ones are explained, and the cut is named', () => {
  const lines = Array.from({ length: 20_000 }, (_, i) => JSON.stringify(order(i))).join('\n');
  const text = explainEvent(eventOf({ headers: json, body: lines }));
  expect(text).toContain('NDJSON');
  expect(text).toContain('order 0');
  expect(text).toContain('its beginning');
});

describe('the closed beginning of JSON', () => {
  const whole = '{"a": [1, {"b": "x\\"]}"}, 2], "c": {"d": null}, "e": 12345678901234567890}';

  test('parses wherever the JSON is cut', () => {
    for (let end = 1; end < whole.length; end++) {
      const value: unknown = JSON.parse(closedJson(whole.slice(0, end)));
      expect(value).toBeTypeOf('object');
    }
    expect(JSON.parse(closedJson(whole.slice(0, 26)))).toEqual({ a: [1, { b: 'x"]}' }] });
    // A number that may continue after the cut is left out.
    expect(JSON.parse(closedJson(whole.slice(0, -3)))).toEqual({
      a: [1, { b: 'x"]}' }, 2],
      c: { d: null },
    });
  });

  test('is the whole text when nothing is cut', () => {
    expect(JSON.parse(closedJson(whole))).toEqual({
      a: [1, { b: 'x"]}' }, 2],
      c: { d: null },
      e: '12345678901234567890',
    });
    const exact = '[1.5, -2e10, 1234567890123456, "9999999999999999999", 0.12345678901234567890]';
    expect(JSON.parse(closedJson(exact))).toEqual(JSON.parse(exact));
  });

  test('stays as it is when it is no JSON', () => {
    for (const text of ['', 'x', '"abc', ']', '{]', '[1}', '{"a" 1,', '-']) {
      expect(() => JSON.parse(closedJson(text)), text).toThrow();
    }
  });
});
