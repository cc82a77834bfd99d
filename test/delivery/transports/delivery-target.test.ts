import { describe, expect, it } from 'vitest';
import { deliveryTarget } from '../../../src/delivery/transports/webhook/delivery-target.ts';

describe('deliveryTarget', () => {
  it.each([
    ['https://a.example', '', '', 'https://a.example', '/'],
    ['https://a.example/', '/', '', 'https://a.example', '/'],
    ['https://a.example:8443/hook', '', '', 'https://a.example:8443', '/hook'],
    ['https://a.example/hook/', '', '', 'https://a.example', '/hook/'],
    ['https://a.example/hook', '/x/y', '', 'https://a.example', '/hook/x/y'],
    ['https://a.example/hook/', '/x', '', 'https://a.example', '/hook/x'],
    ['https://a.example/hook', '/', '', 'https://a.example', '/hook/'],
    ['https://a.example/hook', '', 'a=1', 'https://a.example', '/hook?a=1'],
    ['https://a.example/hook?k=v', '', '', 'https://a.example', '/hook?k=v'],
    ['https://a.example/hook?k=v', '/x', 'a=1&a=2', 'https://a.example', '/hook/x?k=v&a=1&a=2'],
    ['https://a.example/hook?', '', 'a', 'https://a.example', '/hook?a'],
    ['https://a.example/', '//evil.example/x', '', 'https://a.example', '//evil.example/x'],
    ['https://[2606:4700::1]/h', '/x', '', 'https://[2606:4700::1]', '/h/x'],
    ['http://localhost:3000/h', '/x', '', 'http://localhost:3000', '/h/x'],
  ])('%s + %j ? %j', (url, subPath, query, origin, path) => {
    expect(deliveryTarget(url, subPath, query)).toEqual({ origin, path });
  });

  it.each([
    ['/%zz', ''],
    ['/%', '%'],
    ['/a%20b', 'a=%20+b'],
    ['/a%2Fb%2e', 'x=%2E%2e/../..'],
    ['/"<>\\^`{|}', '"<>\\^`{|}'],
    ['/a#b', 'c#d'],
    ['/\x80\xff', '\xe9'],
    ['/a//b', '&&'],
    ['/a/./b', '?'],
    ['/...', ''],
    ['/a..b/..c', ''],
    ['/a/../b', ''],
    ['/a/b/../../c', ''],
    ['/v1;p=..', ''],
  ])('sends the bytes of %j ? %j as captured', (subPath, query) => {
    const sent = deliveryTarget('https://a.example/h', subPath, query)?.path;
    expect(sent).toBe(`/h${subPath}${query && `?${query}`}`);
  });

  it.each([
    '/..',
    '/../',
    '/../admin',
    '/./../admin',
    '/a/../../admin',
    '//../admin',
    '/a//../../admin',
    '/%2e%2e/admin',
    '/%2E./admin',
    '/.%2e/admin',
    '/%252e%252e/admin',
    '/%25252E./admin',
    '/a/..%2f..%2fadmin',
    '/..%2Fadmin',
    '/..%5cadmin',
    '/..%252fadmin',
    '/\\..\\admin',
    '/..\\admin',
    '/a\\..\\..\\admin',
    '/a%2fb/../../admin',
    '/..;/admin',
    '/..;x=1/admin',
    '/%2e%2e;/admin',
    'no-slash',
  ])('refuses to leave the destination by %j', (subPath) => {
    expect(deliveryTarget('https://a.example/h/secret-token', subPath, '')).toBeNull();
  });

  it.each([
    ['/a b', '/h/a%20b'],
    ['/a\tb', '/h/a%09b'],
    ['/a\r\nx-injected: 1', '/h/a%0D%0Ax-injected:%201'],
    ['/\x00\x7f', '/h/%00%7F'],
    ['/日', '/h/%E6%97%A5'],
    ['/😀', '/h/%F0%9F%98%80'],
    ['/\ud800', '/h/%EF%BF%BD'],
  ])('encodes what no request line can hold: %j', (subPath, path) => {
    expect(deliveryTarget('https://a.example/h', subPath, '')?.path).toBe(path);
    expect(deliveryTarget('https://a.example/h', '', subPath.slice(1))?.path).toBe(
      path.replace('/h/', '/h?'),
    );
  });
});
