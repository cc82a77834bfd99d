import { mkdirSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { dashboardFiles, PAGE_POLICY } from '../../../src/api/dashboard/dashboard-files.ts';
import { type RequestOptions, request } from '../../fixtures/http-request.ts';
import { failOnLeaks } from '../../fixtures/leaks.ts';
import { tempDir } from '../../fixtures/running-server.ts';

/* How the built page is served. What it does is tested in a browser, test/dashboard. */

failOnLeaks();

const HTML = '<!doctype html><title>page</title>';
const SCRIPT = 'export const answer = 42;'.repeat(50);

async function serving(directory: string) {
  const files = dashboardFiles(directory);
  const server = http.createServer((req, res) => {
    if (!files.serve(req, res) && !files.serveLost(req, res)) res.writeHead(418).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return (path: string, options: RequestOptions = {}) =>
    request(`http://127.0.0.1:${port}${path}`, options);
}

function built(): string {
  const directory = tempDir();
  mkdirSync(join(directory, 'assets'));
  for (const [name, text] of [
    ['index.html', HTML],
    ['assets/main-abc.js', SCRIPT],
  ] as const) {
    writeFileSync(join(directory, name), text);
    writeFileSync(join(directory, `${name}.br`), brotliCompressSync(text));
    writeFileSync(join(directory, `${name}.gz`), gzipSync(text));
  }
  writeFileSync(join(directory, 'assets', 'notes.txt'), 'no type, so not served');
  return directory;
}

describe('the page', () => {
  test.each([
    '/',
    '/?q=1',
    '/endpoints',
    '/endpoints/ep_1/events/evt_1?tab=raw',
    '/events/evt_1',
    '/account',
    '/account/tokens',
    '/overview',
    '/setup',
    '/login',
  ])('is served at %s', async (path) => {
    const get = await serving(built());
    const { status, text, headers } = await get(path);
    expect([status, text]).toEqual([200, HTML]);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': PAGE_POLICY,
      'cross-origin-opener-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'cache-control': 'no-cache',
    });
    expect(headers['permissions-policy']).toContain('camera=()');
  });

  test.each([
    '/api',
    '/api/endpoints',
    '/healthz',
    '/nothing',
    '/index.html',
    '/endpoints/%2e%2e/x',
    '/endpointsx',
    '/assets/',
    '/assets/notes.txt',
    '/assets/main-abc.js.br',
    '/assets/..%2findex.html',
    '/assets/__proto__',
  ])('leaves %s to other routes', async (path) => {
    const get = await serving(built());
    expect((await get(path)).status).toBe(418);
  });

  test('is served with 404 to a browser that opens an unknown address', async () => {
    const get = await serving(built());
    const headers = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
    const lost = await get('/nothing', { headers });
    expect([lost.status, lost.text]).toEqual([404, HTML]);
    expect(lost.headers['content-security-policy']).toBe(PAGE_POLICY);
    for (const path of ['/assets/nothing.js', '/assets/']) {
      expect((await get(path, { headers })).status).toBe(418);
    }
    expect((await get('/nothing', { headers: { accept: '*/*' } })).status).toBe(418);
    expect((await get('/nothing', { method: 'POST', headers })).status).toBe(418);
  });

  test('allows GET and HEAD only', async () => {
    const get = await serving(built());
    expect((await get('/', { method: 'POST' })).status).toBe(418);
    const head = await get('/', { method: 'HEAD' });
    expect([head.status, head.text, head.headers['content-length']]).toEqual([
      200,
      '',
      String(HTML.length),
    ]);
  });

  test('says how to build it when it is not built', async () => {
    const get = await serving(join(tempDir(), 'nothing'));
    const { status, text, headers } = await get('/');
    expect(status).toBe(200);
    expect(text).toContain('npm start');
    expect(headers['content-security-policy']).toBe(PAGE_POLICY);
  });
});

test('has a policy without inline scripts, other origins or frames', () => {
  // A picture in a body is the only content with an address of its own.
  expect(PAGE_POLICY.replace("img-src 'self' blob:", '')).not.toMatch(/unsafe|\*|http|data:|blob:/);
  expect(PAGE_POLICY).toMatch(/^default-src 'none';/);
  for (const part of ["frame-ancestors 'none'", "base-uri 'none'", "script-src 'self'"]) {
    expect(PAGE_POLICY.split('; ')).toContain(part);
  }
});

test('permits one policy of trusted types, which is for the page’s own worker', () => {
  expect(PAGE_POLICY).toContain("; require-trusted-types-for 'script'; ");
  const named = PAGE_POLICY.split('; ').filter((part) => part.startsWith('trusted-types'));
  expect(named).toEqual(['trusted-types hookrelay-worker']);
  expect(PAGE_POLICY.split('; ')).toContain("worker-src 'self'");
});

describe('its files', () => {
  test('are cached forever, and compressed for clients that accept it', async () => {
    const get = await serving(built());
    for (const [accept, encoding, decode] of [
      ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
      ['gzip', 'gzip', gunzipSync],
      ['br;q=0, gzip;q=0.5', 'gzip', gunzipSync],
      ['identity', undefined, (body: Buffer) => body],
    ] as const) {
      const { headers, body } = await get('/assets/main-abc.js', {
        headers: { 'accept-encoding': accept },
      });
      expect(headers['content-encoding'], accept).toBe(encoding);
      expect(decode(body).toString()).toBe(SCRIPT);
      expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
      expect(headers['content-type']).toBe('text/javascript; charset=utf-8');
      expect(headers.vary).toBe('accept-encoding');
    }
  });

  test('are not sent again when unchanged', async () => {
    const get = await serving(built());
    const { headers } = await get('/');
    const again = await get('/', { headers: { 'if-none-match': `"x", ${headers.etag}` } });
    expect([again.status, again.text, again.headers.etag]).toEqual([304, '', headers.etag]);
    expect((await get('/', { headers: { 'if-none-match': '"x"' } })).status).toBe(200);
  });
});
