import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { capture } from '../../fixtures/account.ts';
import { httpReceiver, status } from '../../fixtures/receiver.ts';
import { serverOfFile } from '../../fixtures/running-server.ts';
import { until } from '../../fixtures/until.ts';
import { AXE, findings } from './axe.ts';
import { openAccount } from './open-account.ts';
import { rows, setScreen, visit } from './open-page.ts';

/* Rows: what they say, where they lead, and the list of all endpoints. */

const JSON_TYPE = { headers: { 'content-type': 'application/json' } };

const server = serverOfFile({ retryBase: 60_000, retryMax: 60_000 });

const start = () =>
  openAccount(server, { viewport: { width: 1440, height: 900 }, expected: /status of 404/ });

/** Adds an endpoint, and returns its capture URL. */
async function addEndpoint(page: Page, name: string): Promise<string> {
  await page.getByRole('button', { name: '+ New' }).click();
  await page.getByLabel('Name of the new endpoint').fill(name);
  await page.getByRole('button', { name: 'Create' }).click();
  await page.locator('.endpoint-head h1', { hasText: /cond/ }).waitFor();
  return (await page.locator('.endpoint-head .url-text').textContent()) as string;
}

test('the events of all endpoints are in one list, and one opens beside it', async () => {
  const { page, captureUrl } = await start();
  const other = await addEndpoint(page, 'se\u202Econd');
  await capture(`${captureUrl}/a`, '{"n": 1}', JSON_TYPE);
  await capture(`${other}/b`, '{"n": 2}', JSON_TYPE);
  await visit(page, '/events', '[role=option] .what');
  await until('both are there', async () => (await rows(page).count()) === 2);
  expect(await rows(page).allTextContents()).toEqual([
    // What would turn the text around is seen.
    expect.stringMatching(/se\\u202Econd.*\/b/),
    expect.stringMatching(/inbox.*\/a/),
  ]);
  // What arrives is there at once, whose ever it is.
  const newest = await capture(`${captureUrl}/c`, '{"n": 3}', JSON_TYPE);
  await rows(page).filter({ hasText: '/c' }).waitFor();
  await page.locator('.list-head').getByText('3 events', { exact: true }).waitFor();
  await rows(page).first().click();
  await page.locator('.summary').waitFor();
  expect(new URL(page.url()).search).toBe(`?event=${newest}`);
  await page.keyboard.press('j');
  await page.locator('.summary', { hasText: '/b' }).waitFor();
  await page.keyboard.press('Escape');
  await page.locator('.summary').waitFor({ state: 'detached' });
  expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe('/events');
});

test('a row is a link, and tells what its event is', async () => {
  const { page, account, captureUrl, endpointId } = await start();
  const target = await httpReceiver(status(503));
  await account.addDestination({ id: endpointId }, target.url);
  await visit(page, `/endpoints/${endpointId}?tab=headers`, '.list-head');
  const id = await capture(`${captureUrl}/hooks`, '{}', {
    headers: { ...JSON_TYPE.headers, 'x-github-event': 'push' },
  });
  const row = rows(page).first();
  await row.locator('.code', { hasText: '503' }).waitFor();
  expect(await row.locator('.state').textContent()).toContain('failed, retrying');
  expect(await row.locator('.provider').textContent()).toBe('github');
  expect(await row.locator('.type').textContent()).toBe('push');
  expect(await row.locator('.what').textContent()).toBe('POST /hooks');
  expect(await row.locator('.size').textContent()).toBe('2 B');
  expect(await page.locator('.row-heads').isVisible()).toBe(true);

  const address = `/endpoints/${endpointId}/events/${id}?tab=headers`;
  expect(await row.getAttribute('href')).toBe(address);
  const opened = page.context().waitForEvent('page');
  await row.click({ modifiers: ['Control'] });
  const tab = await opened;
  await tab.waitForURL(server.url + address);
  await tab.close();
  expect(new URL(page.url()).pathname).toBe(`/endpoints/${endpointId}`);
});

test('columns leave as the list narrows, and stay under their headings', async () => {
  const { page, captureUrl } = await start();
  await capture(captureUrl, '{}', { headers: { 'x-github-event': 'push' } });
  await capture(`${captureUrl}/untyped`);
  await until('both are there', async () => (await rows(page).count()) === 2);
  const seen = async () =>
    page.locator('.row-heads, a.row:has(.type)').evaluateAll((lines) =>
      lines.map((line) =>
        [...line.children]
          .filter((cell) => cell.getBoundingClientRect().width > 0)
          .filter((cell) => cell.className !== 'pick')
          .map((cell) => `${cell.classList[0]} ${Math.round(cell.getBoundingClientRect().left)}`),
      ),
    );
  const widths: Record<number, number> = {};
  for (const width of [1920, 1440, 1024, 760, 640]) {
    await page.setViewportSize({ width, height: 900 });
    const [heads, cells] = await seen();
    expect(cells, `at ${width}`).toEqual(heads);
    widths[width] = (cells as string[]).length;
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow).toBeLessThanOrEqual(0);
  }
  expect(widths[1920]).toBe(10);
  expect(widths[640]).toBeLessThan(widths[1024] as number);
  await page.setViewportSize({ width: 390, height: 800 });
  const row = rows(page).first();
  await until('it has two lines', async () => (await row.boundingBox())?.height === 56);
  expect(await page.locator('.row-heads').isVisible()).toBe(false);
});

test('a link to an event in the middle selects it, and the arrows go on from there', async () => {
  const { page, captureUrl, endpointId } = await start();
  const ids: string[] = [];
  for (let n = 0; n < 350; n++) ids.push(await capture(`${captureUrl}/${n}`));
  const middle = ids[120] as string;
  const asked: string[] = [];
  page.on('request', (request) => {
    const around = new URL(request.url()).searchParams.get('around');
    if (around !== null) asked.push(around);
  });
  await page.goto(`${server.url}/endpoints/${endpointId}/events/${middle}`);
  const selected = page.getByRole('listbox').getByRole('option', { selected: true });
  await selected.waitFor();
  expect(asked).toEqual([middle]);
  expect(await selected.getAttribute('aria-posinset')).toBe('230');
  const box = await page.getByRole('listbox').boundingBox();
  const row = await selected.boundingBox();
  expect(row?.y).toBeGreaterThan((box?.y ?? 0) + 36);
  await page.keyboard.press('j');
  await page.getByRole('heading', { name: '/119' }).waitFor();
  await page.keyboard.press('ArrowUp');
  await page.getByRole('heading', { name: '/120' }).waitFor();
  await page.keyboard.press('End');
  await page.getByRole('heading', { name: '/0', exact: false }).waitFor();
  await until('the oldest is selected', async () => {
    return (await selected.getAttribute('aria-posinset').catch(() => '')) === '350';
  });
});

test('the list keeps its rows while another filter loads, and says what was searched', async () => {
  const { page, captureUrl } = await start();
  for (const word of ['one', 'two']) await capture(captureUrl, `a ${word} b`);
  await until('both are there', async () => (await rows(page).count()) === 2);
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const queries: string[] = [];
  await page.route('**/events?*q=*', async (route) => {
    queries.push(new URL(route.request().url()).search);
    await released;
    await route.continue();
  });
  await page.getByRole('searchbox').fill('two');
  await page.locator('.is-loading').waitFor();
  expect(await rows(page).count()).toBe(2);
  expect(await page.getByText('Loading …').count()).toBe(0);
  release();
  await page.getByText('1 match', { exact: true }).waitFor();
  await page.getByText('in bodies, case as typed').waitFor();
  await page.getByRole('button', { name: 'Ignore case' }).click();
  await page.getByText('in bodies, any case').waitFor();
  await until('it is asked for', () => queries.at(-1)?.includes('ignore_case=true'));
  await page.getByRole('searchbox').fill('TWO');
  await until('it is searched', () => queries.at(-1)?.includes('q=TWO'));
  await page.getByText('1 match', { exact: true }).waitFor();
  // Nothing in bodies: the same text in paths is one click away.
  await capture(`${captureUrl}/three`);
  await page.getByRole('searchbox').fill('three');
  await page.getByRole('button', { name: 'Search paths instead' }).click();
  await page.getByText('1 match', { exact: true }).waitFor();
  expect(new URL(page.url()).searchParams.get('where')).toBe('path*=three');
});

test('the list has no serious finding, light or dark', async () => {
  // axe injects its script by the browser's own means.
  const options = { viewport: { width: 1440, height: 900 }, bypassCSP: true };
  const { page, captureUrl } = await openAccount(server, options);
  await page.evaluate(AXE);
  const findingsInBoth = async () => {
    const inLight = await findings(page);
    await setScreen(page, options.viewport, { colorScheme: 'dark' });
    const inDark = await findings(page, 'colours');
    await setScreen(page, options.viewport, { colorScheme: 'light' });
    return [...inLight, ...inDark];
  };
  const headers = { ...JSON_TYPE.headers, 'x-github-event': 'push' };
  for (let n = 0; n < 3; n++) await capture(`${captureUrl}/${n}`, '{}', { headers });
  await visit(page, '/events?where=path%5E%3D%2F&method=POST', '[role=option] .what');
  await page.keyboard.press('f');
  await page.getByLabel('Member', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Save view' }).click();
  expect(await findingsInBoth()).toEqual([]);
  await page.getByRole('listbox').focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('ArrowDown');
  await page.locator('.summary').waitFor();
  await page.getByRole('button', { name: 'Delete …' }).first().click();
  await page.getByRole('dialog').waitFor();
  expect(await findingsInBoth()).toEqual([]);
  await page.keyboard.press('Escape');
  // What is open and what is chosen are seen without colours too.
  await page.emulateMedia({ forcedColors: 'active' });
  const selected = page.getByRole('listbox').getByRole('option', { selected: true });
  expect(await selected.evaluate((row) => getComputedStyle(row).outlineStyle)).toBe('solid');
  const mark = selected.locator('.pick');
  expect(await mark.evaluate((one) => getComputedStyle(one, '::after').content)).toBe('"✓"');
});

test('a search goes on past an event that no rule can judge, and says so', async () => {
  const { page, captureUrl } = await openAccount(server, {
    viewport: { width: 1440, height: 900 },
    expected: /status of 503/,
  });
  await capture(`${captureUrl}/old`, '{"n": 1}', JSON_TYPE);
  const costly = await capture(`${captureUrl}/costly`, `[${'0,'.repeat(1_000_000)}0]`, JSON_TYPE);
  await capture(`${captureUrl}/new`, '{"n": 2}', JSON_TYPE);
  await visit(page, `/events?${new URLSearchParams({ where: 'body.n>0' })}`, '[role=option] .what');
  await page.locator('.list-head').getByText('2 matches', { exact: true }).waitFor();
  await until('both are there', async () => (await rows(page).count()) === 2);
  const reach = page.locator('.reach');
  await reach.getByText('Searched in parts.').waitFor();
  await reach.getByText(`too many steps on event ${costly}`).waitFor();
  await page.evaluate(AXE);
  expect(await findings(page)).toEqual([]);
  await capture(`${captureUrl}/later`, '{"n": 3}', JSON_TYPE);
  await reach.getByRole('button', { name: 'Search again' }).click();
  await page.locator('.list-head').getByText('3 matches', { exact: true }).waitFor();
});
