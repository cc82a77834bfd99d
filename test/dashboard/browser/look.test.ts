import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { capture } from '../../fixtures/account.ts';
import { serverOfFile } from '../../fixtures/running-server.ts';
import { storedIssue } from '../../fixtures/stored-issue.ts';
import { until } from '../../fixtures/until.ts';
import { openAccount } from './open-account.ts';
import { visit } from './open-page.ts';

/* One scale of type, one place for titles, one clock, and what a slow or lost line shows. */

const server = serverOfFile();
const SIZES_PX = [12, 13, 14, 16, 20, 28];
const WEIGHTS = [400, 600];

/** The texts that are shown in another size or weight than those of the scale. */
const offTheScale = (page: Page) =>
  page.evaluate(
    ([sizes, weights]) => {
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      const found = new Set<string>();
      while (walker.nextNode()) {
        const element = walker.currentNode.parentElement;
        const text = walker.currentNode.textContent?.trim();
        if (!text || !element?.checkVisibility()) continue;
        const { fontSize, fontWeight } = getComputedStyle(element);
        if (sizes?.includes(Number.parseFloat(fontSize)) && weights?.includes(Number(fontWeight))) {
          continue;
        }
        found.add(`${element.className || element.tagName}: ${fontSize} ${fontWeight}`);
      }
      return [...found];
    },
    [SIZES_PX, WEIGHTS],
  );

test('every text is of one scale, and every title at one place', { timeout: 120_000 }, async () => {
  const { page, call, captureUrl, endpointId } = await openAccount(server);
  await call(201, 'POST', `/api/endpoints/${endpointId}/destinations`, {
    url: 'http://127.0.0.1:9/none',
    name: 'ledger',
  });
  const json = { 'content-type': 'application/json', 'x-github-event': 'push' };
  const id = await capture(`${captureUrl}/a`, '{"a": [1, "b", null]}', { headers: json });
  storedIssue(server, endpointId, { kind: 'drift', subject: 'push' });
  await call(201, 'POST', '/api/tokens', { name: 'ci' });
  const off: Record<string, string[]> = {};
  const look = async (path: string, ready: string) => {
    await visit(page, path, ready);
    const found = await offTheScale(page);
    if (found.length > 0) off[path] = found;
  };
  const at = `/endpoints/${endpointId}`;
  await look(at, '.row .what');
  await look(`${at}/events/${id}`, '.json');
  await look(`${at}/events/${id}?tab=headers`, '.fields');
  await look(`${at}/events/${id}?tab=deliveries`, '.attempts li');
  expect(await page.locator('.delivery-target strong').textContent()).toBe('ledger');
  await look(`${at}/deliveries`, '.delivery-list li');
  await look(`${at}/destinations`, '.card');
  await look(`${at}/settings`, 'form');
  await look(`${at}/types`, 'tbody tr');
  await look(`${at}/try`, 'pre');
  const places: string[] = [];
  for (const [path, ready] of [
    ['/', '.overview-figures'],
    ['/endpoints', '.endpoint-row'],
    ['/issues', '.issue-row'],
    ['/account/tokens', '.rows li'],
    ['/account/sessions', '.rows li'],
    ['/account/audit', '.audit-row'],
    ['/account/system', '.system-figures'],
  ] as const) {
    await look(path, ready);
    const box = await page.locator('.view-head h1').boundingBox();
    places.push(`${box?.x} ${box?.y}`);
  }
  await page.keyboard.press('?');
  await page.locator('dialog .keys').first().waitFor();
  expect(await offTheScale(page)).toEqual([]);
  expect(off).toEqual({});
  expect(new Set(places)).toHaveProperty('size', 1);
});

test('a long name is cut in the navigation, and takes no room of others', async () => {
  const { page, call } = await openAccount(server);
  const { id } = await call(201, 'POST', '/api/endpoints', { name: 'long '.repeat(39) });
  await page.reload();
  const link = page.locator(`.side-link[href="/endpoints/${id}"]`);
  await link.waitFor();
  const { width, room, isCut } = await link.evaluate((one) => {
    const list = one.closest('ul') as HTMLElement;
    const text = one.querySelector('.cut') as HTMLElement;
    return {
      width: one.clientWidth,
      room: list.clientWidth,
      isCut: text.scrollWidth > text.clientWidth,
    };
  });
  expect(width).toBeLessThanOrEqual(room);
  expect(isCut).toBe(true);
});

test('times of types follow the clock that was chosen', async () => {
  const { page, captureUrl, endpointId } = await openAccount(server, {
    timezoneId: 'Asia/Kolkata',
  });
  const headers = { 'content-type': 'application/json', 'x-github-event': 'push' };
  await capture(captureUrl, '{"a": 1}', { headers });
  await visit(page, `/endpoints/${endpointId}/types`, 'tbody tr');
  const hover = () => page.locator('tbody time').first().getAttribute('title');
  expect(await hover()).toMatch(/ UTC\+5:30$/);
  await page.getByRole('button', { name: 'Times: Local. Change' }).click();
  await until('the hover is UTC', async () => / UTC$/.test((await hover()) ?? ''));
  await page.getByRole('link', { name: 'push' }).click();
  await page.getByText(/1 event · first .+ ago · last .+ ago/).waitFor();
});

test('on a slow line the old rows stay under a line', async () => {
  const { page, call, captureUrl, endpointId } = await openAccount(server);
  await call(201, 'POST', `/api/endpoints/${endpointId}/destinations`, {
    url: 'http://127.0.0.1:9/none',
  });
  await capture(captureUrl, '{}');
  await visit(page, `/endpoints/${endpointId}/deliveries`, '.delivery-list li');
  const released = Promise.withResolvers<void>();
  await page.route('**/deliveries?state=succeeded*', async (route) => {
    await released.promise;
    await route.continue();
  });
  await page.getByLabel('State').selectOption('succeeded');
  await page.locator('.page-body[aria-busy=true]').waitFor();
  expect(await page.locator('.delivery-list li').count()).toBe(1);
  const line = () =>
    page.locator('.renewing').evaluate((one) => Number(getComputedStyle(one, '::before').opacity));
  await until('the line is there', async () => (await line()) === 1);
  released.resolve();
  await page.getByText('No delivery matches.').waitFor();
  expect(await page.locator('.page-body[aria-busy=true]').count()).toBe(0);
  await page.getByRole('link', { name: 'Show all deliveries' }).click();
  await page.locator('.delivery-list li').waitFor();
});

test('what a lost line left as an error goes when the line is back', async () => {
  const { page } = await openAccount(server, { expected: /ERR_INTERNET_DISCON/ });
  await visit(page, '/', '.overview-figures');
  const lose = async (path: string, problem: string) => {
    await page.context().setOffline(true);
    await visit(page, path, '.problem');
    await page.locator('main .problem', { hasText: problem }).waitFor();
    await page.context().setOffline(false);
    await page.locator('main .problem').waitFor({ state: 'detached' });
  };
  await lose('/?range=hour', 'the server does not answer');
  // The code of the settings.
  await lose('/account/tokens', 'didn’t load');
  await page.getByText('For scripts and CI').waitFor();
  await lose('/account/sessions', 'the server does not answer');
});

test('a long path of an event without a type leaves its facts and its body in view', async () => {
  const { page, captureUrl, endpointId } = await openAccount(server, {
    viewport: { width: 390, height: 780 },
  });
  const path = '/very/long/segment'.repeat(60);
  const id = await capture(`${captureUrl}${path}?a=1`, '{"n": 1}', {
    headers: { 'content-type': 'application/json' },
  });
  await visit(page, `/endpoints/${endpointId}/events/${id}`, '.json');
  const head = page.locator('.summary');
  expect(await head.locator('.event-target').count()).toBe(1);
  expect(await head.locator('.event-target').textContent()).toContain(`${path}?a=1`);
  const box = await head.boundingBox();
  const facts = await head.getByText('from 127.0.0.1').boundingBox();
  expect(facts?.y).toBeLessThan((box?.y ?? 0) + (box?.height ?? 0));
  await page.getByText('"n"').waitFor();
  expect((await page.locator('.json').boundingBox())?.y).toBeLessThan(600);
});

test('a dialog begins where one would, and its last buttons stay in view', async () => {
  const { page, captureUrl, endpointId } = await openAccount(server, {
    viewport: { width: 844, height: 390 },
  });
  const id = await capture(captureUrl, '{"n": 1}');
  await visit(page, `/endpoints/${endpointId}/events/${id}`, '.json');
  await page.keyboard.press('R');
  const chosen = page.getByRole('radio', { name: 'some destinations' });
  await until('the choice has the focus', () =>
    chosen.evaluate((one) => one === document.activeElement),
  );
  await page.keyboard.press('Escape');
  await page.locator('dialog').waitFor({ state: 'detached' });
  await page.keyboard.press('e');
  const send = page.getByRole('button', { name: 'Send the copy' });
  await send.waitFor();
  const { bottom, edge } = await send.evaluate((one) => ({
    bottom: one.getBoundingClientRect().bottom,
    edge: (one.closest('dialog') as HTMLElement).getBoundingClientRect().bottom,
  }));
  expect(bottom).toBeLessThanOrEqual(edge);
  await page.keyboard.press('Escape');
  await page.locator('dialog').waitFor({ state: 'detached' });
  // Escape closed the dialog and not the event under it.
  expect(new URL(page.url()).pathname).toContain(id);
});
