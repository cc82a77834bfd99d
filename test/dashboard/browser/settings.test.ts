import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { type Account, callApi, expectStatus } from '../../fixtures/account.ts';
import { serverOfFile } from '../../fixtures/running-server.ts';
import { storedIssue } from '../../fixtures/stored-issue.ts';
import { AXE, findings } from './axe.ts';
import { openAccount } from './open-account.ts';
import { setScreen, visit } from './open-page.ts';

const server = serverOfFile();

/** A session of the account beside the page's. */
async function logIn({ email, password }: Account) {
  const login = await callApi(server, 'POST', '/api/auth/login', { email, password });
  const { accessToken, refreshToken } = expectStatus(200, login);
  server.secrets.push(accessToken, refreshToken);
  return { authorization: `Bearer ${accessToken}` };
}

/** Holds the requests of a method until they are released, and counts them. */
async function hold(page: Page, url: string, wanted: string) {
  const released = Promise.withResolvers<void>();
  let count = 0;
  await page.route(url, async (route) => {
    if (route.request().method() === wanted) {
      count++;
      await released.promise;
    }
    await route.continue();
  });
  return { release: released.resolve, count: () => count };
}

test('each section of the settings has an address', async () => {
  const { page } = await openAccount(server, { expected: /status of 404/ });
  await page.goto(`${server.url}/account`);
  const current = page.locator('.settings-tabs [aria-current]');
  await page.getByRole('heading', { name: 'Channels' }).waitFor();
  expect(await current.textContent()).toBe('Alerts');
  for (const [tab, path, heading] of [
    ['API tokens', 'tokens', 'API tokens'],
    ['Sessions', 'sessions', 'Password'],
    ['Audit', 'audit', 'Audit'],
    ['System', 'system', 'Plan: free'],
  ] as const) {
    await page.getByRole('link', { name: tab, exact: true }).click();
    await page.waitForURL(`**/account/${path}`);
    await page.getByRole('heading', { name: heading, exact: true }).waitFor();
    expect(await current.textContent()).toBe(tab);
  }
  await page.goBack();
  await page.locator('.audit-row').first().waitFor();
});

test('Enter three times makes one token, and its secret goes with it or with the view', async () => {
  const { page } = await openAccount(server);
  await visit(page, '/account/tokens', '.section-head');
  const held = await hold(page, '**/api/tokens', 'POST');
  // Once the dialog is closed, another Enter opens a new one: only a held request takes three.
  const make = async (name: string, presses: number) => {
    await page.getByRole('button', { name: 'New token …' }).click();
    await page.getByLabel('Name').fill(name);
    for (let i = 0; i < presses; i++) await page.keyboard.press('Enter');
    held.release();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    server.secrets.push((await page.locator('.once .mono').textContent()) as string);
  };
  await make('pay\u200bpal', 3);
  expect(held.count()).toBe(1);
  // What a name hides is shown.
  const row = page.locator('.rows li', { hasText: 'pay\\u200Bpal' });
  await row.waitFor();
  await row.getByRole('button').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await row.waitFor({ state: 'detached' });
  expect(await page.locator('.once').count()).toBe(0);

  await make('ci', 1);
  await page.getByRole('link', { name: 'Audit' }).click();
  await page.locator('.audit-row').first().waitFor();
  await page.getByRole('link', { name: 'API tokens' }).click();
  await page.locator('.rows li', { hasText: 'ci' }).waitFor();
  expect(await page.locator('.once').count()).toBe(0);
});

test('a long list of sessions is short, and all others end by one answer', async () => {
  const { page, account } = await openAccount(server);
  let headers = {};
  for (let i = 0; i < 7; i++) headers = await logIn(account);
  await visit(page, '/account/sessions', '.rows li');
  const rows = page.locator('.rows li');
  expect(await rows.count()).toBe(5);
  await rows.first().getByText('this one').waitFor();
  await page.getByRole('button', { name: 'Show all 8' }).click();
  expect(await rows.count()).toBe(8);
  await rows.nth(1).getByRole('button', { name: 'End' }).click();
  await expect.poll(() => rows.count()).toBe(7);

  const held = await hold(page, '**/api/sessions/*', 'DELETE');
  await page.getByRole('button', { name: 'End all others …' }).click();
  const ask = page.getByRole('dialog', { name: 'End 6 other sessions?' });
  await ask.getByRole('button', { name: 'End them' }).evaluate((button: HTMLButtonElement) => {
    for (let i = 0; i < 3; i++) button.click();
  });
  held.release();
  await ask.waitFor({ state: 'detached' });
  await expect.poll(() => rows.count()).toBe(1);
  expect(held.count()).toBe(6);
  expect((await callApi(server, 'GET', '/api/me', undefined, { headers })).status).toBe(401);
  // This one goes on.
  await page.reload();
  await rows.first().getByText('this one').waitFor();
});

test('the audit is filtered by action and actor in the address, and shows each member', async () => {
  const { page, endpointId, call } = await openAccount(server);
  const { token } = await call(201, 'POST', '/api/tokens', { name: 'ci' });
  server.secrets.push(token);
  const byToken = { headers: { authorization: `Bearer ${token}` } };
  const patch = { name: 'in\u202ebox', expect_every: '15m' };
  const path = `/api/endpoints/${endpointId}`;
  expectStatus(200, await callApi(server, 'PATCH', path, patch, byToken));

  await visit(page, '/account/audit', '.audit-row');
  const rows = page.locator('.audit-row');
  expect(await rows.count()).toBe(3);
  await page.getByLabel('Actor').selectOption({ label: 'token ci' });
  await expect.poll(() => rows.count()).toBe(1);
  const members = await rows.locator('.changes > div').allInnerTexts();
  expect(members.map((text) => text.replace(/\s+/g, ' '))).toEqual([
    'name inbox → in\\u202Ebox',
    'expect_every 15m',
  ]);
  await page.getByText('1 entry fits of all').waitFor();
  await page.reload();
  await expect.poll(() => rows.count()).toBe(1);
  await page.getByLabel('Actor').selectOption({ label: 'everybody' });
  await page.getByLabel('Action').selectOption('sign-ins and password');
  await page.getByText('Account created').waitFor();
  expect(new URL(page.url()).search).toBe('?action=auth.');
});

const SYSTEM = {
  version: '1.2.3',
  node_version: '24.0.0',
  store: 'SQLite 3.51.0',
  started_at: new Date(Date.now() - 3_600_000).toISOString(),
  disk: { free_bytes: 5 * 2 ** 30, total_bytes: 40 * 2 ** 30 },
  database_bytes: 12 * 2 ** 20,
  index: { behind: 3 },
  checks: [
    { name: 'disk space', state: 'ok', text: '5.0 GB free', hint: null },
    { name: 'backups', state: 'warn', text: 'there is none', hint: 'hookrelay backup FILE' },
    { name: 'database', state: 'fail', text: 'it is damaged', hint: 'stop the server first' },
  ],
};

test('the system tells each check’s state in words, and what to do', async () => {
  const { page } = await openAccount(server);
  await page.route('**/api/system', (route) => route.fulfill({ json: SYSTEM }));
  await visit(page, '/account/system', '.rows li');
  const texts = await page.locator('.rows li .badge').allTextContents();
  expect(texts).toEqual(['● fine', '▲ warning', '✕ failed']);
  await page.getByText('1 check failed, 1 warning').waitFor();
  await page.getByRole('textbox', { name: 'Command: hookrelay backup FILE' }).waitFor();
  await page.getByText('stop the server first').waitFor();
  await page.getByText('5.0 GB free of 40.0 GB').waitFor();
  await page.getByText('12.0 MB').waitFor();
  await page.getByText('3 events behind').waitFor();
});

/** axe looks at the layout of a desk and of a phone, each in one theme: others differ in size. */
const SCREENS = [
  { colorScheme: 'light', width: 1280, height: 800, hasAxe: true },
  { colorScheme: 'dark', width: 390, height: 844, hasAxe: true },
  { colorScheme: 'dark', width: 1440, height: 900, hasAxe: false },
  { colorScheme: 'light', width: 844, height: 390, hasAxe: false },
] as const;

test('long names and bad news have no finding and fit, on every screen', async () => {
  const { page, endpointId, call } = await openAccount(server, { bypassCSP: true });
  const long = 'x'.repeat(90);
  const { token } = await call(201, 'POST', '/api/tokens', { name: long });
  const channel = { type: 'webhook', url: `http://127.0.0.1:1/${long}` };
  const { secret } = await call(201, 'POST', '/api/channels', channel);
  server.secrets.push(token, secret);
  const subject = `order.${long}`;
  const id = storedIssue(server, endpointId, { kind: 'drift', subject, count: 12_345 });
  await page.route('**/api/system', (route) => route.fulfill({ json: SYSTEM }));
  await page.evaluate(AXE);
  const section = (name: string, row: string) => [
    `/account/${name}`,
    `.settings:has([href="/account/${name}"][aria-current]) ${row}`,
  ];
  const found: Record<string, unknown> = {};
  for (const [path = '', ready = ''] of [
    section('alerts', '.channel'),
    section('tokens', '.rows li'),
    section('sessions', '.rows li'),
    section('audit', '.audit-row'),
    section('system', '.rows li'),
    ['/issues', '.issue-row'],
    ['/issues?state=resolved', '.empty'],
    [`/issues/${id}`, '.steps'],
  ]) {
    await visit(page, path, ready);
    for (const { colorScheme, width, height, hasAxe } of SCREENS) {
      await setScreen(page, { width, height }, { colorScheme });
      const faults: unknown[] = hasAxe ? await findings(page) : [];
      const spill = await page.evaluate(() => {
        const main = document.querySelector('main') as HTMLElement;
        const root = document.documentElement;
        return [main.scrollWidth - main.clientWidth, root.scrollWidth - root.clientWidth];
      });
      if (spill.some((one) => one !== 0)) faults.push({ spill });
      if (faults.length > 0) found[`${path}, ${colorScheme}, ${width} × ${height}`] = faults;
    }
  }
  expect(found).toEqual({});
});
