import { describe, expect, test } from 'vitest';
import { OnceKeys } from '../../../src/capture/judging/once-key.ts';
import type { OnceKey } from '../../../src/core/proof/dedupe.ts';
import { readRequestPath } from '../../../src/core/rules/read-text.ts';
import { RequestParts, type RuledRequest } from '../../../src/core/rules/request-parts.ts';
import { bodyType } from '../../../src/providers/body-type.ts';
import type { Provider } from '../../../src/providers/provider.ts';
import { PROVIDERS } from '../../../src/providers/providers.ts';

function request(body: string, headers: string[] = [], provider: string | null = null) {
  return {
    method: 'POST',
    path: '',
    query: 'q=1',
    rawHeaders: headers,
    contentType: 'application/json',
    body: Buffer.from(body),
    provider,
    eventType: null,
    sourceIp: '::1',
    verification: null,
  } satisfies RuledRequest;
}

function onceOf(
  by: 'provider' | string[],
  one: RuledRequest,
  { source = null as string | null, since = 's1' } = {},
): OnceKey | null {
  return new OnceKeys({ by, since }, source).keyOf(one, new RequestParts(one, bodyType));
}

const keyOf = (...given: Parameters<typeof onceOf>) => onceOf(...given)?.key;

test('two requests with the same values have one key, whatever else they hold', () => {
  const by = ['header.x-id', 'body.id'];
  const first = onceOf(by, request('{"id":1,"a":1}', ['X-Id', 'abc']));
  const second = onceOf(by, request('{ "a": 2, "id": 1 }', ['x-other', 'z', 'x-id', 'abc']));
  expect(first?.key).toBe(second?.key);
  expect(first?.key).toMatch(/^[\w-]{43}$/);
  expect(first?.body).not.toBe(second?.body);
  expect(first?.body).toBe(onceOf(['query.q'], request('{"id":1,"a":1}'))?.body);
});

test.each([
  ['the order of paths', ['body.a', 'body.b'], ['body.b', 'body.a']],
  ['how paths are spelled', ['header.X-Id', 'body."a"'], ['body.a', 'header.x-id']],
])('%s changes no key', (_, one, other) => {
  const given = request('{"a":1,"b":2}', ['X-Id', 'abc']);
  expect(keyOf(one, given)).toBeDefined();
  expect(keyOf(one, given)).toBe(keyOf(other, given));
});

test('keys differ by values, their types, their places and the time of the setting', () => {
  const keys = [
    keyOf(['body.a'], request('{"a":1}')),
    keyOf(['body.a'], request('{"a":2}')),
    keyOf(['body.a'], request('{"a":"1"}')),
    keyOf(['body.a'], request('{"a":true}')),
    keyOf(['body.b'], request('{"b":1}')),
    keyOf(['body.a', 'body.b'], request('{"a":1,"b":2}')),
    keyOf(['body.a', 'body.b'], request('{"a":2,"b":1}')),
    keyOf(['body.a'], request('{"a":12345678901234567890}')),
    keyOf(['body.a'], request('{"a":12345678901234567891}')),
    keyOf(['body.a'], request('{"a":1}'), { since: 's2' }),
  ];
  expect(keys).not.toContain(undefined);
  expect(new Set(keys).size).toBe(keys.length);
});

describe('a missing value makes no key', () => {
  test.each(['{}', '{"id":null}', '{"id":{}}', '{"id":[1]}', '[]', 'text', ''])('%s', (body) => {
    expect(onceOf(['body.id'], request(body))).toBeNull();
  });

  test('one of several', () => {
    expect(onceOf(['body.id', 'header.x-id'], request('{"id":1}'))).toBeNull();
  });

  test.each(['{"items":[]}', '{"items":[{"id":1},{}]}', '{"items":[{"id":1},{"id":null}]}'])(
    'of an element: %s',
    (body) => {
      expect(onceOf(['body.items[*].id'], request(body))).toBeNull();
    },
  );
});

test('false and 0 are values, and so is a list by [*]; the empty text is none', () => {
  const bodies = ['{"id":false}', '{"id":0}'];
  const keys = bodies.map((body) => keyOf(['body.id'], request(body)));
  keys.push(keyOf(['body.items[*].id'], request('{"items":[{"id":1},{"id":2}]}')));
  keys.push(keyOf(['body.items[*].id'], request('{"items":[{"id":2},{"id":1}]}')));
  expect(keys).not.toContain(undefined);
  expect(new Set(keys).size).toBe(4);
  expect(keyOf(['body.id'], request('{"id":""}'))).toBeUndefined();
});

describe('by provider', () => {
  const delivery = ['X-GitHub-Delivery', 'd1'];

  test('takes what the source’s provider repeats, otherwise the recognised one', () => {
    const stripe = request('{"id":"evt_1"}', delivery, 'stripe');
    expect(keyOf('provider', stripe)).toBeDefined();
    expect(keyOf('provider', stripe, { source: 'token' })).toBe(keyOf('provider', stripe));
    const github = keyOf('provider', stripe, { source: 'github' });
    expect(github).toBeDefined();
    expect(github).not.toBe(keyOf('provider', stripe));
  });

  test('makes no key for a provider that repeats nothing, and for nobody', () => {
    expect(onceOf('provider', request('{"id":1}', delivery))).toBeNull();
    expect(onceOf('provider', request('{"id":1}', [], 'grafana'))).toBeNull();
    expect(onceOf('provider', request('{}', [], 'github'))).toBeNull();
  });

  test('every provider’s paths can be read: their values make a key', () => {
    const named = PROVIDERS.filter(({ once }: { once?: unknown }) => once) as Provider[];
    expect(named.length).toBeGreaterThan(3);
    const unread = named.flatMap(({ name, once }) =>
      (once?.by ?? []).filter((paths) => {
        const keys = ['1', '2'].map((value) => keyOf('provider', holding(paths, value, name)));
        return keys.includes(undefined) || keys[0] === keys[1];
      }),
    );
    expect(unread).toEqual([]);
  });
});

/** A provider's request that has this value at each of the paths, and nothing else. */
function holding(paths: readonly string[], value: string, provider: string): RuledRequest {
  const body = {};
  const form = new URLSearchParams();
  const headers: string[] = [];
  for (const [part, ...steps] of paths.map(readRequestPath)) {
    if (part === 'headers') headers.push(String(steps[0]), value);
    else if (part === 'form') form.set(String(steps[0]), value);
    else put(body, steps.map(String), value);
  }
  if (form.size === 0) return request(JSON.stringify(body), headers, provider);
  const contentType = 'application/x-www-form-urlencoded';
  return { ...request(form.toString(), headers, provider), contentType };
}

function put(into: Record<string, unknown>, [name = '', ...rest]: string[], value: string): void {
  if (rest.length === 0) into[name] = value;
  else {
    into[name] ??= {};
    put(into[name] as Record<string, unknown>, rest, value);
  }
}

test('a body nested a million deep has a key and a hash', () => {
  const body = `{"id":"evt_1","deep":${'['.repeat(1e6)}${']'.repeat(1e6)}}`;
  expect(onceOf(['body.id'], request(body))).toMatchObject({ body: expect.any(String) });
});
