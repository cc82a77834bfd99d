import { describe, expect, test } from 'vitest';
import { ForwardRoutes, type Routed } from '../../../src/cli/listen/forward/forward-routes.ts';
import { parseForwardTarget } from '../../../src/cli/listen/forward/forward-target.ts';
import {
  meantRule,
  parseRoute,
  parseRoutes,
  type RouteRule,
} from '../../../src/cli/listen/forward/route-rule.ts';
import { decodeKeys } from '../../../src/cli/listen/views/screen-keys.ts';

describe('a target', () => {
  test.each([
    ['3000', 'http://localhost:3000/'],
    [':3000', 'http://localhost:3000/'],
    [' 3000 ', 'http://localhost:3000/'],
    ['3000/hooks', 'http://localhost:3000/hooks'],
    [':3000/hooks?a=1', 'http://localhost:3000/hooks?a=1'],
    ['/hooks', 'http://localhost:3000/hooks'],
    ['/', 'http://localhost:3000/'],
    ['localhost:8080', 'http://localhost:8080/'],
    ['127.0.0.1:8080/x', 'http://127.0.0.1:8080/x'],
    ['[::1]:8080', 'http://[::1]:8080/'],
    ['host.docker.internal:80/x', 'http://host.docker.internal/x'],
    ['http://localhost', 'http://localhost/'],
    ['HTTPS://app.test:8443/x', 'https://app.test:8443/x'],
  ])('%j is %s', (text, url) => {
    expect(parseForwardTarget(text)).toBe(url);
  });

  test.each([
    ...['', '0', '65536', '99999999', 'localhost', 'example.com/hooks', 'ftp://x', '-1'],
    ...[
      'http://user:pw@localhost',
      'http://localhost/#x',
      'http://',
      'javascript:alert(1)',
      '3000 4',
    ],
  ])('%j is refused', (text) => {
    expect(() => parseForwardTarget(text)).toThrow(/^Expected a port/);
  });
});

function chooseTarget(rules: RouteRule[], otherwise: string | null, event: Routed): string | null {
  return new ForwardRoutes(rules, otherwise).targetOf(event);
}

const EVENT = {
  head: {
    method: 'POST',
    path: '/github/push',
    query: 'v=2',
    source_ip: '192.0.2.7',
    verification: { state: 'verified' as const, provider: 'github', secret: 1, reason: null },
    content_type: 'application/json',
    endpoint_id: 'ep_1',
    provider: 'github',
    event_type: 'push',
    raw_headers: [
      ['X-GitHub-Event', 'push'],
      ['X-Tag', 'one'],
      ['X-Tag', 'a -> b'],
    ] as [string, string][],
    body_encoding: 'json' as const,
  },
  body: Buffer.from(
    '{"type":"invoice.paid","n":12345678901234567890,"ok":true,"data":{"object":{"id":"in_1","esc":"\\u00e9"}},"list":[1],"nil":null}',
  ),
  endpointName: 'my hooks',
};

describe('a rule', () => {
  test.each([
    ['header.x-github-event=push → 3001', true],
    ['header.X-GitHub-Event=push -> 3001', true],
    ['header.x-github-event=push->3001', true],
    ['header.x-github-event=pus → 3001', false],
    ['header.x-github-event=p*h → 3001', true],
    ['header.x-github-event=* → 3001', true],
    ['header.x-gitlab-event=* → 3001', false],
    ['header.x-tag=one → 3001', true],
    // The last arrow belongs to the rule; a value may contain others.
    ['header.x-tag=a -> b -> 3001', true],
    ['method=POST → 3001', true],
    ['method=post → 3001', true],
    ['method=PUT → 3001', false],
    ['path=/github* → 3001', true],
    ['path=*/push → 3001', true],
    ['path=/*/push → 3001', true],
    ['path=/github → 3001', false],
    ['path=/github/push*push → 3001', false],
    ['path=/g*u*p*h → 3001', true],
    ['path= → 3001', false],
    ['endpoint=my hooks → 3001', true],
    ['endpoint=ep_1 → 3001', true],
    ['endpoint=ep_2 → 3001', false],
    ['provider=github → 3001', true],
    ['provider=stripe → 3001', false],
    ['type=push → 3001', true],
    ['body.type=invoice.* → 3001', true],
    ['body.data.object.id=in_1 → 3001', true],
    ['body.data.object.esc=é → 3001', true],
    ['body.n=12345678901234567890 → 3001', true],
    ['body.ok=true → 3001', true],
    ['body.nil=null → 3001', true],
    ['body.data=* → 3001', false],
    ['body.list=* → 3001', false],
    ['body.none=* → 3001', false],
    ['body.type.deeper=* → 3001', false],
    ['body.__proto__=* → 3001', false],
    ['body.constructor=* → 3001', false],
    ['method=POST & path=/github* → 3001', true],
    ['method=PUT & path=/github* → 3001', false],
    // Without `where` these compare texts, as they always did.
    ['body.type=invoice.paid and body.ok=true → 3001', false],
    ['body.n>=1 → 3001', false],
    ['body.type=where x → 3001', false],
    ['header.x-tag=* &where y → 3001', false],
    ['where body.type=invoice.paid and body.ok=true → 3001', true],
    ['where body.n>12345678901234567889 -> 3001', true],
    ['where body.n>12345678901234567890 -> 3001', false],
    ['where body.type=invoice.* → 3001', false],
    ['where not (header.x-tag*=zzz or query.v=1) → 3001', true],
    ['where type=push and provider=github and source_ip=192.0.2.7 → 3001', true],
    ['where verification=verified → 3001', true],
    ['where verification=failed → 3001', false],
    ['where header.x-tag*="a -> b" → 3001', true],
    ['where {"body": {"type": {"$startsWith": "invoice."}}} → 3001', true],
    ['where {"body": {"type": {"$startsWith": "payment."}}} → 3001', false],
    ['endpoint=my hooks & where body.ok=true → 3001', true],
    ['endpoint=other & where body.ok=true → 3001', false],
    ['method=POST & path=/github* & where body.ok=false → 3001', false],
    // A rule goes on to the arrow.
    ['where body.data.object.id="in_1 & where x" → 3001', false],
  ])('%j matches: %s', (rule, fits) => {
    const target = chooseTarget([parseRoute(rule)], null, EVENT);
    expect(target).toBe(fits ? 'http://localhost:3001/' : null);
  });

  test.each([
    ...['', '3001', 'method=POST', 'method=POST →', '→ 3001', 'verb=POST → 3001'],
    ...['header.=x → 3001', 'body.=x → 3001', 'method → 3001', 'path=/x → nowhere'],
    ...['method=POST & → 3001', 'method=POST → 3001 →', 'where → 3001', 'where'],
    ...['where body.ok=true', 'where body.ok=true & method=POST', '{"body": {}} → 3001'],
  ])('%j is refused', (rule) => {
    expect(() => parseRoute(rule)).toThrow(/^Expected /);
  });

  test.each([
    ['body.n>=1 → 3001', 'body.n>=1'],
    ['body.a=1 and body.b>=2 → 3001', 'body.a=1 and body.b>=2'],
    ['header.x!=push & body.a=1 → 3001', 'header.x!=push and body.a=1'],
    ['body.a=rock and roll → 3001', null],
    ['body.type=invoice.* & path=/a → 3001', null],
    ['where body.n>=1 → 3001', null],
  ])('%j was perhaps meant as the rule %j', (route, rule) => {
    expect(meantRule(parseRoute(route))).toBe(rule);
  });

  test('with a body type of the provider', () => {
    const head = { ...EVENT.head, provider: 'stripe', event_type: null };
    const event = { ...EVENT, head, body: Buffer.from('{"type":"charge.failed"}') };
    const routes = [parseRoute('where type=charge.failed → 1')];
    expect(chooseTarget(routes, null, event)).toBe('http://localhost:1/');
  });

  test('never matches a body that is no JSON', () => {
    const head = { ...EVENT.head, body_encoding: 'text' as const };
    const event = { ...EVENT, head, body: Buffer.from('{"type":"x"') };
    expect(chooseTarget([parseRoute('body.type=* → 1')], null, event)).toBeNull();
  });

  test('with an empty path has the path /', () => {
    const event = { ...EVENT, head: { ...EVENT.head, path: '' } };
    expect(chooseTarget([parseRoute('path=/ → 1')], null, event)).toBe('http://localhost:1/');
  });

  test('decides when it is the first match; other events go to the target', () => {
    const rules = ['path=/x → 1', 'method=POST → 2', 'path=/github* → 3'].reduce(
      (previous, rule) => parseRoutes(rule, previous),
      [] as ReturnType<typeof parseRoutes>,
    );
    expect(chooseTarget(rules, 'http://rest/', EVENT)).toBe('http://localhost:2/');
    const get = { ...EVENT, head: { ...EVENT.head, method: 'GET', path: '/y' } };
    expect(chooseTarget(rules, 'http://rest/', get)).toBe('http://rest/');
  });

  test('with many stars matches quickly', () => {
    const event = { ...EVENT, head: { ...EVENT.head, path: `/${'a'.repeat(16_000)}` } };
    const rule = parseRoute(`path=/${'*a'.repeat(2000)}*b → 1`);
    const before = process.threadCpuUsage();
    expect(chooseTarget([rule], null, event)).toBeNull();
    // A matcher that tries every split would never end.
    const { user, system } = process.threadCpuUsage(before);
    expect((user + system) / 1000).toBeLessThan(2000);
  });
});

test.each([
  ['jk', ['down', 'up']],
  ['\x1b[A\x1b[B\x1bOA\x1bOB', ['up', 'down', 'up', 'down']],
  ['gG\x1b[H\x1b[F', ['first', 'last', 'first', 'last']],
  ['rRdcq', ['replay', 'replay-failed', 'details', 'copy', 'quit']],
  ['\r', ['details']],
  ['\x1b', ['back']],
  ['\x03', ['interrupt']],
  // Unknown sequences are read whole: their letters are not keys.
  ['\x1b[3~\x1b[1;5C\x1b[200~x\x1bOq', []],
  ['zé🎉', []],
])('%j is read as the keys %j', (input, keys) => {
  expect(decodeKeys(input)).toEqual(keys);
});
