import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { Pool } from 'undici';
import { HookrelayServer } from '../../bench/harness/server.ts';
import { installProbes } from './probes.ts';

const CREDENTIALS = { email: 'ada@example.com', password: 'correct horse battery' };
/** Captures under way while the list is filled. */
const FILL_AT_ONCE = 64;
/** Endpoints of the account, for the overview. */
export const ENDPOINTS = 62;
/** The longest that a measurement waits for the page, ms. */
const PATIENCE_MS = 60_000;
const VIEWPORT = { width: 1440, height: 900 };

/** One of the two that are compared: a server with its page, its events and an account. */
export interface Side {
  name: string;
  server: HookrelayServer;
  pool: Pool;
  context: BrowserContext;
  endpointId: string;
  /** The path of the capture URL. */
  capturePath: string;
  /** How many events were captured. */
  captured: number;
}

/** Starts a checkout's server, fills it over HTTP, and signs a browser in. */
export async function openSide(
  browser: Browser,
  { name, checkout, events }: { name: string; checkout: string; events: number },
): Promise<Side> {
  const dataDir = mkdtempSync(join(tmpdir(), 'hookrelay-page-'));
  process.on('exit', () => rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 }));
  const server = await HookrelayServer.start({
    dataDir,
    profileDir: null,
    command: [process.execPath, join(checkout, 'bin/hookrelay.mjs')],
  });
  const pool = new Pool(server.url, { connections: FILL_AT_ONCE, pipelining: 1 });
  const registered = await ask<{ accessToken: string }>(
    pool,
    'POST',
    '/api/auth/register',
    CREDENTIALS,
  );
  const authorization = `Bearer ${registered.accessToken}`;
  let first: { id: string; public_token: string } | undefined;
  for (let i = 0; i < ENDPOINTS; i++) {
    const made = await ask<{ id: string; public_token: string }>(
      pool,
      'POST',
      '/api/endpoints',
      { name: `endpoint ${i + 1}` },
      { authorization },
    );
    first ??= made;
  }
  const { id, public_token } = first as NonNullable<typeof first>;
  const context = await browser.newContext({ viewport: VIEWPORT, colorScheme: 'light' });
  context.setDefaultTimeout(PATIENCE_MS);
  await context.addInitScript(installProbes);
  const side: Side = {
    ...{ name, server, pool, context, endpointId: id, captured: 0 },
    capturePath: `/in/${public_token}`,
  };
  await fill(side, events);
  await signIn(side);
  return side;
}

export const markOf = (n: number): string => `mark-${n}-end`;
/** Where a capture is sent, and the path that its row shows. */
const pathOf = (n: number): string => `/orders/${n}`;

/** Captures an event. Its body holds a mark that no row shows. Returns its number. */
export async function capture(side: Side, body?: string): Promise<number> {
  const n = ++side.captured;
  const answer = await side.pool.request({
    method: 'POST',
    path: side.capturePath + pathOf(n),
    headers: { 'content-type': 'application/json' },
    body: body ?? JSON.stringify({ mark: markOf(n), items: [{ sku: 'A-1', count: 2 }], total: n }),
  });
  await answer.body.dump();
  if (answer.statusCode !== 200) throw new Error(`a capture answered ${answer.statusCode}`);
  return n;
}

async function fill(side: Side, events: number): Promise<void> {
  await Promise.all(
    Array.from({ length: FILL_AT_ONCE }, async () => {
      while (side.captured < events) await capture(side);
    }),
  );
}

async function signIn({ context, server }: Side): Promise<void> {
  const page = await context.newPage();
  await page.goto(server.url);
  await page.getByLabel('Email').fill(CREDENTIALS.email);
  await page.getByLabel('Password').fill(CREDENTIALS.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.locator('.connection.is-live').waitFor();
  await page.close();
}

/** The list of the endpoint in a new tab, at rest and live. */
export async function openList(side: Side): Promise<Page> {
  const page = await side.context.newPage();
  await page.goto(`${side.server.url}/endpoints/${side.endpointId}`);
  await page.locator('.connection.is-live').waitFor();
  await page.locator('[role=listbox] [role=option]').first().waitFor();
  await rest(page);
  return page;
}

/** Waits until the page has nothing to do: it loads code when it is idle. */
export async function rest(page: Page): Promise<void> {
  await page.waitForLoadState('load');
  await page.waitForTimeout(SETTLE_MS);
}

/** Time in which a page at rest has loaded what it loads when it is idle, ms. */
const SETTLE_MS = 1500;

async function ask<T>(
  pool: Pool,
  method: 'POST',
  path: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<T> {
  const answer = await pool.request({
    method,
    path,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  const text = await answer.body.text();
  if (answer.statusCode >= 300) throw new Error(`${path} answered ${answer.statusCode}: ${text}`);
  return JSON.parse(text) as T;
}
