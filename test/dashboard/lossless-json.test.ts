import { describe, expect, test } from 'vitest';
import { detailText } from '../../src/api/events/detail-view.ts';
import { NOT_CHECKED } from '../../src/core/proof/verification.ts';
import { type JsonNode, parseLossless } from '../../src/core/text/lossless-json.ts';
import { readEvent } from '../../src/dashboard/text/event-answer.ts';
import { diffJson } from '../../src/dashboard/views/event/json-diff.ts';
import { NO_DELIVERIES } from '../fixtures/no-deliveries.ts';

/* The page's own reading of JSON: held against the browser's, and against the server's answers. */

/** The same value, with JSON.parse for scalars only. */
function plain(node: JsonNode, text: string): unknown {
  if (node.kind === 'array') return node.members.map(({ value }) => plain(value, text));
  if (node.kind !== 'object') return JSON.parse(text.slice(node.start, node.end));
  return Object.fromEntries(
    node.members.map(({ key, value }) => [JSON.parse(key as string), plain(value, text)]),
  );
}

describe('parseLossless', () => {
  test.each([
    '{}',
    '[]',
    ' [ ] ',
    '{"a":1}',
    '{"a" : [1, 2.50, -0, 1e400, true, null, "x"], "b": {}}',
    '"text"',
    '-12.5e-3',
    'null',
    '"\\\\"',
    '"\\\\\\""',
    '["\\"", "\\u00e9", "a\\\\"]',
    '{"": {"": [[], {}, [{}]]}}',
    '\t\r\n[1\n,\t2 ]\n',
    '{"__proto__": 1, "constructor": {"x": 2}}',
    '"\u2028\ud800"',
  ])('reads %j as JSON.parse does', (text) => {
    const node = parseLossless(text) as JsonNode;
    const expected = JSON.parse(text, (_, value) => value);
    expect(JSON.stringify(plain(node, text))).toBe(JSON.stringify(expected));
    expect(text.slice(node.start, node.end)).toBe(text.trim());
  });

  test.each(['', '[1,]', '1 2'])('refuses %j', (text) => {
    expect(parseLossless(text)).toBeNull();
  });

  test('keeps duplicates, order and digits', () => {
    const text = '{"b": 1.0, "a": 12345678901234567890, "b": 2}';
    const { members } = parseLossless(text) as JsonNode;
    expect(members.map(({ key, value }) => [key, text.slice(value.start, value.end)])).toEqual([
      ['"b"', '1.0'],
      ['"a"', '12345678901234567890'],
      ['"b"', '2'],
    ]);
  });

  test('accepts any depth and length', () => {
    // Ten times what recursion takes. core/text/lossless-json.slow.test.ts goes further.
    const depth = 100_000;
    expect(parseLossless('['.repeat(depth) + ']'.repeat(depth))?.kind).toBe('array');
    const long = `"${'\\"x'.repeat(200_000)}"`;
    expect(parseLossless(long)?.end).toBe(long.length);
  });
});

describe('readEvent', () => {
  const event = (body: Buffer, rawHeaders: string[] = []) =>
    readEvent(
      detailText({
        kind: 'event',
        event: {
          seq: 1,
          id: 'evt_1',
          endpointId: 'ep_1',
          status: 'received',
          method: 'POST',
          path: '',
          contentType: null,
          size: body.length,
          provider: null,
          eventType: null,
          sourceIp: '192.0.2.1',
          receivedAt: 0,
          attempts: 0,
          editedFrom: null,
          verification: NOT_CHECKED,
          duplicateOf: null,
          isConflicting: false,
          unjudged: null,
          outcome: null,
          deliveryCounts: NO_DELIVERIES,
          heldBy: null,
        },
        content: { query: '', rawHeaders, body },
        deliveries: [],
        source: null,
      }).toString(),
    );

  test.each([
    ['JSON with blanks around it', ' \n{"a": 1.0, "b": 12345678901234567890 }\r\n '],
    ['a scalar', ' 1e400 '],
    ['a string with everything', '"}],\\"body\\":\\u0000 \u2028"'],
    ['text', 'not JSON: "body":1}'],
    ['JSON with a byte order mark', '\ufeff{} '],
    ['text with a byte order mark', '\ufeff{'],
    ['text with NUL', 'a\0b'],
    ['nothing', ''],
  ])('returns the bytes of %s', async (_, text) => {
    const body = Buffer.from(text);
    expect(Buffer.from((await event(body)).bytes)).toEqual(body);
  });

  test('returns bytes that are not UTF-8', async () => {
    const body = Buffer.from([0xff, 0xfe, 0, 1, 0xed, 0xa0, 0x80]);
    expect((await event(body)).text).toBeNull();
    expect(Buffer.from((await event(body)).bytes)).toEqual(body);
  });

  test('is not misled by headers that look like the end of a response', async () => {
    const headers = ['body_encoding', 'json', 'body', '{"fake": 1}', 'x', '","body":{"fake":2}}'];
    const body = Buffer.from('{"real": true, "body": {"inner": 1}}');
    expect((await event(body, headers)).text).toBe(body.toString());
  });
});

describe('diffJson', () => {
  test.each([
    ['{"a": 1, "b": 2}', '{"b":2,"a":1}', []],
    ['[1]', '[1.0]', [['$[0]', '1', '1.0']]],
    ['"\\u00e9"', '"é"', []],
    [
      '{"a": 1}',
      '{"b": 1}',
      [
        ['$.a', '1', null],
        ['$.b', null, '1'],
      ],
    ],
    ['{"a": {"b": [1, {"c": 2}]}}', '{"a": {"b": [1, {"c": 3}]}}', [['$.a.b[1].c', '2', '3']]],
    ['{"a": [1]}', '{"a": {"0": 1}}', [['$.a', '[1]', '{"0": 1}']]],
    ['{"x": 1, "x": 2}', '{"x": 1, "x": 3}', [['$.x', '2', '3']]],
    ['{"a b": 1}', '{"a b": 2}', [['$["a b"]', '1', '2']]],
    ['{"__proto__": 1}', '{}', [['$.__proto__', '1', null]]],
  ] as const)('%s and %s', (left, right, expected) => {
    const found = diffJson(left, right)?.map(({ path, left: a, right: b }) => [path, a, b]);
    expect(found).toEqual(expected);
  });

  test('says so when one text is not JSON', () => {
    expect(diffJson('{}', '<html>')).toBeNull();
  });
});
