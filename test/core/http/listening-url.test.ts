import { expect, test } from 'vitest';
import { listeningUrl } from '../../../src/core/http/listening-url.ts';

const TLS = { certFile: 'c', keyFile: 'k' };

test.each([
  ['127.0.0.1', null, 'http://127.0.0.1:8484'],
  ['0.0.0.0', null, 'http://127.0.0.1:8484'],
  ['::', null, 'http://[::1]:8484'],
  ['::1', TLS, 'https://[::1]:8484'],
  ['hooks.internal', TLS, 'https://hooks.internal:8484'],
])('a server on %s is reachable at its URL', (host, tls, url) => {
  expect(listeningUrl({ host, port: 8484, tls })).toBe(url);
});
