import { expect, test } from 'vitest';
import { signedUrls } from '../../../src/capture/judging/signed-urls.ts';

const OWN = {
  baseUrl: () => 'https://hooks.example',
  ownsHost: (host: string) => host === 'localhost:8484' || host === 'hooks.example',
};

function urls(
  registered: string | null,
  { path = '', query = '', host = 'hooks.example' } = {},
): string[] {
  const rawHeaders = ['Accept', '*/*', 'Host', host];
  return signedUrls({ publicToken: 'tok', path, query, rawHeaders }, registered, OWN);
}

test('the capture URL with the target of the request', () => {
  expect(urls(null, { path: '/a%2Fb', query: 'c=%20', host: 'evil.example' })).toEqual([
    'https://hooks.example/in/tok/a%2Fb?c=%20',
  ]);
});

test('the host that the request came to, where it is one of ours', () => {
  expect(urls(null, { host: 'localhost:8484' })).toEqual([
    'https://hooks.example/in/tok',
    'https://localhost:8484/in/tok',
    'http://localhost:8484/in/tok',
  ]);
  expect(urls(null)).toEqual(['https://hooks.example/in/tok', 'http://hooks.example/in/tok']);
});

test.each([
  ['https://p.example/hook', {}, ['https://p.example/hook']],
  ['https://p.example/hook/', { path: '/x', query: 'y' }, ['https://p.example/hook/x?y']],
  ['https://p.example/hook', { query: 'y' }, ['https://p.example/hook?y']],
  [
    'https://p.example/hook?k=1',
    { path: '/hook', query: 'k=1' },
    ['https://p.example/hook/hook?k=1', 'https://p.example/hook?k=1'],
  ],
  [
    'https://p.example/hook?k=1',
    { path: '/hook' },
    ['https://p.example/hook/hook', 'https://p.example/hook?k=1'],
  ],
  ['https://p.example/hook?k=1', { query: 'k=1' }, ['https://p.example/hook?k=1']],
  ['https://p.example/?k=1', {}, ['https://p.example/', 'https://p.example/?k=1']],
])('%s as it is registered, and with the target of the request', (registered, target, expected) => {
  expect(urls(registered, target)).toEqual(expected);
});
