import { describe, expect, test } from 'vitest';
import { headersSchema } from '../../../src/api/destinations/headers-schema.ts';
import {
  type HeaderChange,
  type HeaderList,
  mergedHeaders,
  openHeaders,
  requireHeaders,
  sealHeaders,
} from '../../../src/api/destinations/sealed-headers.ts';
import { parseInput } from '../../../src/api/input.ts';
import { HookrelayError } from '../../../src/core/errors.ts';
import type { Destination } from '../../../src/core/model.ts';
import { Keys } from '../../../src/core/secrets/keys.ts';

const given = headersSchema({ mayRemove: false });
const patch = headersSchema({ mayRemove: true });
const keys = new Keys(Buffer.alloc(32, 1));

function failure(act: () => unknown): HookrelayError {
  try {
    act();
  } catch (error) {
    if (error instanceof HookrelayError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

const issuesOf = (input: unknown, schema = given) =>
  failure(() => parseInput(schema, input)).issues;

describe('headers of a destination', () => {
  test('are names and values', () => {
    const input = { authorization: 'Bearer abc', 'X-Tenant': '7', "a!#$%&'*+-.^_`|~": 'x  y' };
    expect(parseInput(given, input)).toEqual(Object.entries(input));
    expect(parseInput(given, {})).toEqual([]);
  });

  test('may be named like members of every object', () => {
    const input = JSON.parse('{"__proto__": "a", "constructor": "b"}');
    const headers = parseInput(given, input);
    expect(headers).toEqual([
      ['__proto__', 'a'],
      ['constructor', 'b'],
    ]);
    const sealedHeaders = sealHeaders(headers as HeaderList, 'dst_1', keys);
    const stored = { id: 'dst_1', sealedHeaders } as Destination;
    expect(openHeaders(stored, keys)).toEqual(headers);
  });

  test.each([
    ...['host', 'Host', 'content-type', 'Content-Length', 'content-', 'transfer-encoding', 'TE'],
    ...['trailer', 'upgrade', 'expect', 'connection', 'keep-alive', 'proxy-authorization'],
    ...['accept-encoding', 'Webhook-Signature', 'x-hookrelay-attempt', 'X-HookRelay-Anything'],
  ])('%s is refused', (name) => {
    expect(issuesOf({ [name]: 'x' })).toEqual([
      { path: name, message: 'is a header that only hookrelay sets' },
    ]);
  });

  test.each(['hosts', 'tea', 'x-host', 'accept', 'my-content-type', 'proxy', 'webhook'])(
    '%s is taken',
    (name) => {
      expect(parseInput(given, { [name]: 'x' })).toEqual([[name, 'x']]);
    },
  );

  test.each([
    ['a name with a blank', { 'a b': 'x' }, 'a b'],
    ['a name with a colon', { 'a:': 'x' }, 'a:'],
    ['an empty name', { '': 'x' }, ''],
    ['a name beyond ASCII', { é: 'x' }, 'é'],
    ['an empty value', { a: '' }, 'a'],
    ['a line break', { a: 'x\r\ny: z' }, 'a'],
    ['a control character', { a: 'x\ty' }, 'a'],
    ['a value beyond ASCII', { a: 'é' }, 'a'],
    ['a blank at the end', { a: 'Bearer ' }, 'a'],
    ['a blank at the beginning', { a: ' x' }, 'a'],
    ['a number', { a: 7 }, 'a'],
    ['a list', { a: ['x'] }, 'a'],
    ['a masked value', { a: '********wxyz' }, 'a'],
    ['two names that differ by case', { 'x-a': '1', 'X-A': '2' }, 'X-A'],
    ['null for a new destination', { a: null }, 'a'],
  ])('%s is refused', (_, input, path) => {
    expect(issuesOf(input)).toEqual([{ path, message: expect.stringMatching(/./) }]);
  });

  test.each([
    ['text', 'a: b'],
    ['a list', []],
    ['a number', 1],
  ])('%s is no object', (_, input) => {
    expect(issuesOf(input)).toMatchObject([{ message: 'must be an object of names and values' }]);
  });

  test('have an issue each', () => {
    expect(
      issuesOf({ host: 'x', a: '', ok: 'x', b: null }, patch)?.map(({ path }) => path),
    ).toEqual(['host', 'a']);
  });
});

describe('a change of headers', () => {
  const before: HeaderList = [
    ['Authorization', 'Bearer old'],
    ['x-a', '1'],
  ];
  const merged = (change: HeaderChange[] | null) => mergedHeaders(before, change);

  test.each<[string, HeaderChange[] | null, HeaderList]>([
    ['nothing', [], before],
    ['null removes all', null, []],
    ['null removes one', [['x-a', null]], before.slice(0, 1)],
    ['null removes one whatever its case', [['X-A', null]], before.slice(0, 1)],
    ['null removes none', [['x-b', null]], before],
    ['a value adds', [['x-b', '2']], [...before, ['x-b', '2']]],
    [
      'a value replaces',
      [['x-a', '2']],
      [
        ['Authorization', 'Bearer old'],
        ['x-a', '2'],
      ],
    ],
    [
      'a value replaces whatever its case',
      [['authorization', 'new']],
      [
        ['authorization', 'new'],
        ['x-a', '1'],
      ],
    ],
  ])('%s', (_, change, after) => {
    expect(merged(change)).toEqual(after);
  });

  test('is refused where the headers become too many', () => {
    const many = (count: number) =>
      Array.from({ length: count }, (_, i): HeaderChange => [`x-${i}`, 'v']);
    expect(merged(many(18))).toHaveLength(20);
    expect(failure(() => merged(many(19))).issues).toEqual([
      { path: 'headers', message: 'must be at most 20 headers' },
    ]);
    // The limit holds for what is left.
    expect(merged([...many(20), ['authorization', null], ['x-a', null]])).toHaveLength(20);
  });

  test('is refused where the headers become too large', () => {
    const of = (bytes: number): HeaderChange[] => [['x', 'v'.repeat(bytes - 1)]];
    expect(mergedHeaders([], of(8192))).toHaveLength(1);
    expect(failure(() => mergedHeaders([], of(8193)))).toMatchObject({
      code: 'invalid_input',
      issues: [{ path: 'headers' }],
    });
  });

  test('names every header when they go to another origin', () => {
    requireHeaders([], undefined);
    requireHeaders(before, null);
    requireHeaders(before, [
      ['AUTHORIZATION', 'x'],
      ['x-a', null],
    ]);
    const missing = (change: HeaderChange[] | undefined) =>
      failure(() => requireHeaders(before, change));
    expect(missing(undefined).code).toBe('headers_required');
    expect(missing(undefined).issues?.map(({ path }) => path)).toEqual([
      'headers.Authorization',
      'headers.x-a',
    ]);
    // Otherwise {} would send the secrets to any server.
    expect(missing([]).issues).toHaveLength(2);
    expect(missing([['x-a', '2']]).issues).toEqual([
      { path: 'headers.Authorization', message: 'must be sent again' },
    ]);
  });
});

test('sealed headers belong to one destination, and have no other reader', () => {
  const sealedHeaders = sealHeaders([['a', 'secret']], 'dst_1', keys);
  expect(Buffer.from(sealedHeaders as Uint8Array).includes('secret')).toBe(false);
  const opened = (id: string, by = keys) => openHeaders({ id, sealedHeaders } as Destination, by);
  expect(opened('dst_1')).toEqual([['a', 'secret']]);
  expect(opened('dst_2')).toEqual([]);
  expect(opened('dst_1', new Keys(Buffer.alloc(32, 2)))).toEqual([]);
  expect(sealHeaders([], 'dst_1', keys)).toBeNull();
});
