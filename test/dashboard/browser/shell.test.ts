import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { capture } from '../../fixtures/account.ts';
import { serverOfFile } from '../../fixtures/running-server.ts';
import { until } from '../../fixtures/until.ts';
import { AXE, findings } from './axe.ts';
import { openAccount } from './open-account.ts';
import { type PageOptions, rows, setScreen, signIn, visit } from './open-page.ts';

/* The frame of the page: its navigation, palette, addresses, titles and sessions. */

const server = serverOfFile();

const start = (options: PageOptions = {}) => openAccount(server, options);

test('the skip link leads to the content', async () => {
  const { page } = await start();
  await page.reload();
  await page.locator('.connection.is-live').waitFor();
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('Skip');
  await page.keyboard.press('Enter');
  await until('the content has the focus', () =>
    page.evaluate(() => document.activeElement?.id === 'main'),
  );
});

describe('an address without a view', () => {
  const LOST = { expected: /status of 404/ };

  test('has a way back in a browser', async () => {
    const { page } = await start(LOST);
    for (const path of ['/nope', '/account/x', '/endpoints/ep_1/x']) {
      await page.goto(server.url + path);
      await page.getByRole('heading', { name: 'There is nothing at this address' }).waitFor();
      await page.locator('main').getByRole('link', { name: 'Overview' }).click();
      await page.getByRole('heading', { name: 'Overview' }).waitFor();
    }
  });

  test('answers programs, and browsers that look at the API, with JSON', async () => {
    const html = { accept: 'text/html,*/*' };
    for (const [path, headers] of [
      ['/nope', { accept: '*/*' }],
      ['/nope', {}],
      ['/api/nope', html],
    ] as const) {
      const answer = await fetch(server.url + path, { headers });
      expect(answer.status).toBe(404);
      expect(await answer.json()).toMatchObject({ error: { code: 'not_found' } });
    }
    const lost = await fetch(`${server.url}/nope`, { headers: html });
    expect([lost.status, lost.headers.get('content-type')]).toEqual([
      404,
      'text/html; charset=utf-8',
    ]);
  });

  test('of an event has a way back too', async () => {
    const { page } = await start(LOST);
    await page.goto(`${server.url}/events/evt_nope`);
    await page.getByRole('heading', { name: 'There is no such event' }).waitFor();
    await page.locator('main').getByRole('link', { name: 'All events' }).click();
    await until('it leads to all events', () => new URL(page.url()).pathname === '/events');
  });
});

test('each view has a title of its own', async () => {
  const { page, endpointId } = await start();
  const at = `/endpoints/${endpointId}`;
  const titles: string[] = [];
  for (const [path, ready] of [
    ['/', '.view-head'],
    [at, '.first'],
    [`${at}/types`, '.page-body'],
    ['/issues', '.page-body'],
    ['/account', '.page-body'],
    ['/nope', '.empty'],
  ] as const) {
    await visit(page, path, ready);
    titles.push(await page.title());
  }
  expect(titles).toEqual([
    'Overview · hookrelay',
    'inbox · Events · hookrelay',
    'inbox · Types · hookrelay',
    'Issues · hookrelay',
    'Settings · hookrelay',
    'Not found · hookrelay',
  ]);
});

test('an endpoint is made once, however often it is asked for', async () => {
  const { page, call } = await start();
  // The answer comes after all three.
  const pressed = Promise.withResolvers<void>();
  let posts = 0;
  await page.route('**/api/endpoints', async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    posts++;
    await pressed.promise;
    await route.continue();
  });
  await page.keyboard.press('n');
  await page.getByLabel('Name of the new endpoint').fill('orders');
  for (let i = 0; i < 3; i++) await page.keyboard.press('Enter');
  pressed.resolve();
  await page.getByRole('heading', { name: 'orders' }).waitFor();
  expect(posts).toBe(1);
  const list: { name: string }[] = await call(200, 'GET', '/api/endpoints');
  expect(list.map(({ name }) => name).sort()).toEqual(['inbox', 'orders']);
});

test('an endpoint that is made elsewhere appears', async () => {
  const { page, call } = await start();
  const nav = page.getByRole('navigation', { name: 'Endpoints' });
  const made = await call(201, 'POST', '/api/endpoints', { name: 'made elsewhere' });
  await capture(`${server.url}/in/${made.public_token}`);
  await nav.getByRole('link', { name: 'made elsewhere' }).waitFor();
});

test('a name cannot rewrite the navigation', async () => {
  const { page, call } = await start();
  await call(201, 'POST', '/api/endpoints', { name: 'pay\u200bpal \u202eevil' });
  await page.reload();
  const link = page.getByRole('navigation', { name: 'Endpoints' }).getByRole('link', {
    name: 'pay',
  });
  await link.waitFor();
  expect(await link.textContent()).toContain('pay\\u200Bpal \\u202Eevil');
  expect(await link.getAttribute('title')).not.toMatch(/[\u200b\u202e]/);
  await link.click();
  await page.getByRole('heading', { name: 'pay' }).waitFor();
  expect(await page.title()).toBe('pay\\u200Bpal \\u202Eevil · Events · hookrelay');
});

describe('a session ends', () => {
  const ENDED = { expected: /status of 401/ };

  async function showsNoData(page: Page): Promise<void> {
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await page.locator('.connection, .row, .endpoint-head, .side-link').count()).toBe(0);
    expect(await page.title()).toBe('Sign in · hookrelay');
  }

  test('in all tabs of the browser when one signs out, and begins in all', async () => {
    const { page, account, captureUrl } = await start(ENDED);
    await capture(captureUrl);
    await rows(page).first().waitFor();
    const other = await page.context().newPage();
    await other.goto(`${server.url}/account`);
    await other.locator('.connection.is-live').waitFor();
    await other.getByRole('button', { name: 'Sign out' }).click();
    await showsNoData(other);
    await showsNoData(page);
    await signIn(other, account);
    await page.locator('.connection.is-live').waitFor();
    await rows(page).first().waitFor();
  });

  test('when it is revoked elsewhere', async () => {
    const { page, call, captureUrl } = await start(ENDED);
    await capture(captureUrl);
    await rows(page).first().waitFor();
    const sessions: { id: string }[] = await call(200, 'GET', '/api/sessions');
    for (const { id } of sessions) await call(204, 'DELETE', `/api/sessions/${id}`);
    await showsNoData(page);
  });
});

describe('the palette', () => {
  test('leads to endpoints, tabs and events, and does what a key does', async () => {
    const { page, call, captureUrl, endpointId } = await start();
    await call(201, 'POST', '/api/endpoints', { name: 'billing' });
    const eventId = await capture(`${captureUrl}/orders`, '{"word": "xylophone"}');
    await page.reload();
    await rows(page).first().waitFor();
    const field = page.getByRole('combobox', { name: 'Find an endpoint' });
    const open = async (text: string, found: string) => {
      await page.keyboard.press('Control+k');
      await field.fill(text);
      await page.locator('.palette-row[aria-selected=true]', { hasText: found }).waitFor();
      await page.keyboard.press('Enter');
      await field.waitFor({ state: 'detached' });
    };
    await open('bill', 'billing');
    await page.getByRole('heading', { name: 'billing' }).waitFor();
    await open('billing dest', 'Destinations');
    await until('the tab is open', () => page.url().endsWith('/destinations'));
    await open(eventId, eventId);
    await until('the event is open', () =>
      page.url().endsWith(`/endpoints/${endpointId}/events/${eventId}`),
    );
    await open('xylophone', '/orders');
    await open('shortcuts', 'Show these shortcuts');
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await help.waitFor();
    await page.keyboard.press('Escape');
    // Chromium ends a dialog some time after the key. Until then it takes the keys.
    await help.waitFor({ state: 'detached' });
    await open('new end', 'New endpoint');
    await page.getByLabel('Name of the new endpoint').waitFor();
  });

  test('is usable without sight or color', async () => {
    const { page } = await start({ bypassCSP: true, forcedColors: 'active' });
    await page.evaluate(AXE);
    await page.keyboard.press('Control+k');
    const chosen = page.locator('.palette-row[aria-selected=true]');
    await chosen.waitFor();
    const first = await chosen.getAttribute('id');
    await page.keyboard.press('ArrowDown');
    await until('the next is chosen', async () => (await chosen.getAttribute('id')) !== first);
    expect(await page.locator('.palette-input').getAttribute('aria-activedescendant')).toBe(
      await chosen.getAttribute('id'),
    );
    expect(await chosen.evaluate((one) => getComputedStyle(one).outlineStyle)).toBe('solid');
    expect(await findings(page)).toEqual([]);
  });
});

test('times are local or UTC, chosen once', async () => {
  const { page } = await start({ timezoneId: 'Asia/Tokyo' });
  await page.getByRole('button', { name: 'Times: Local. Change' }).click();
  await page.reload();
  await page.getByRole('button', { name: 'Times: UTC. Change' }).waitFor();
});

test('the frame leaves the view its room on any screen, and all of it is reachable', async () => {
  const { page, endpointId } = await start();
  const sizeOf = () =>
    page.evaluate(() => {
      const main = document.querySelector('main') as HTMLElement;
      const tabs = document.querySelector('.tabs') as HTMLElement;
      return {
        overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
        width: main.clientWidth,
        below:
          Math.min(innerHeight, main.getBoundingClientRect().bottom) -
          tabs.getBoundingClientRect().bottom,
      };
    });
  const settings = page.locator('.side-foot').getByRole('link', { name: 'Settings' });
  for (const [width, height] of [
    [1440, 900],
    [1024, 768],
    [390, 780],
    [844, 390],
  ] as const) {
    const at = `at ${width} × ${height}`;
    await setScreen(page, { width, height });
    const { overflow, width: mainWidth, below } = await sizeOf();
    expect(overflow, at).toBe(0);
    expect(mainWidth, at).toBeGreaterThanOrEqual(Math.min(width, 700));
    // The list with its filters.
    expect(below, at).toBeGreaterThan(height === 390 ? 330 : height * 0.6);
    if (width < 1024) {
      expect(await settings.isVisible(), at).toBe(false);
      await page.getByRole('button', { name: 'More' }).click();
    }
    await settings.click();
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
    if (width < 1024) expect(await settings.isVisible(), at).toBe(false);
    await page.goBack();
    await until('the endpoint is back', () => page.url().endsWith(endpointId));
    await page.locator('.endpoint > .tabs').waitFor();
  }
});
