import { readdirSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { capture } from '../../fixtures/account.ts';
import { serverOfFile, tempDir } from '../../fixtures/running-server.ts';
import { serveHere } from '../../fixtures/served-process.ts';
import { until } from '../../fixtures/until.ts';
import { openAccount } from './open-account.ts';
import { openPage, rows, signUp } from './open-page.ts';

/* From an empty server to an event that one understands. */

/** The budgets of the requirements. */
const FIRST_LOAD_BYTES = 60 * 1024;
/** All views together, without the editor of rules. */
const PAGE_WEIGHT_BYTES = 190 * 1024;
const EDITOR = /^rule-view-/;

const server = serverOfFile();

test('the printed link leads to a live event in three clicks', async () => {
  const served = await serveHere(tempDir(), ['--registration', 'closed', '--json']);
  const link = await until(
    'the link is printed',
    () => /^\{"type":"setup","url":"([^"]+)"\}\n/m.exec(served.stdout)?.[1],
  );
  const { page } = await openPage(link);
  // A load of another document would lose the count.
  await page.evaluate(() => {
    Object.assign(window, { clicks: 0 });
    addEventListener('click', () => (window as unknown as { clicks: number }).clicks++, true);
  });
  expect(await page.getByRole('heading').textContent()).toBe('Create the first account');
  expect(page.url(), 'the token is taken out of the address').not.toContain('#');
  const { captureUrl } = await signUp(page);
  expect(captureUrl).toMatch(new RegExp(`^${served.url}/in/`));

  await page.getByLabel('Which test event').selectOption('github.push');
  await page.getByRole('button', { name: 'Send a test event' }).click();
  await rows(page).first().waitFor();
  expect(await rows(page).first().locator('.provider, .type').allTextContents()).toEqual([
    ...['github', 'push'],
  ]);
  await rows(page).first().click();
  await page.locator('.json-key', { hasText: '"repository"' }).first().waitFor();
  expect(await page.evaluate(() => (window as unknown as { clicks: number }).clicks)).toBe(3);

  await page.locator('.endpoint-head .url').click();
  await page.getByText('Copied').waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(captureUrl);
});

test('a new event shows by its stream alone, with its source', async () => {
  const { page, captureUrl } = await openAccount(server);
  await page.getByText('Waiting for the first event').waitFor();
  await capture(`${captureUrl}/orders?a=1`, '{"n": 1}', {
    headers: { 'content-type': 'application/json' },
  });
  await rows(page).first().waitFor();
  // The page asks for nothing: an answer of the list would never come.
  const released = Promise.withResolvers<void>();
  await page.route('**/api/endpoints/*/events**', async (route) => {
    await released.promise;
    await route.continue();
  });
  for (let i = 2; i <= 6; i++) {
    await capture(`${captureUrl}/orders/${i}`, '{}');
    await page.getByRole('option', { name: `/orders/${i}` }).waitFor();
  }
  expect(await rows(page).count()).toBe(6);
  released.resolve();
});

test('snippets are ready to run', async () => {
  const { page, captureUrl } = await openAccount(server);
  for (const name of ['curl', 'fetch', 'Python']) {
    await page.getByRole('button', { name, exact: true }).click();
    expect(await page.getByRole('textbox', { name: `${name} example` }).textContent()).toContain(
      captureUrl,
    );
  }
  await page.getByRole('button', { name: 'fetch', exact: true }).click();
  const snippet = await page.getByRole('textbox', { name: 'fetch example' }).textContent();
  await page.evaluate(() => undefined);
  // Runs as another program and not in the page, whose policy forbids eval.
  await new Function(`return (async () => { ${snippet} })()`)();
  await rows(page).first().waitFor();
});

test('the first paint waits for one style, and the form for one script and one answer', async () => {
  const { page } = await openPage(server.url);
  await page.getByLabel('Email').waitFor();
  const asked = await page.evaluate(() =>
    performance.getEntriesByType('resource').map((entry) => {
      const { name, renderBlockingStatus } = entry as PerformanceResourceTiming & {
        renderBlockingStatus: string;
      };
      const path = new URL(name).pathname.replace(/-[\w-]{8}\./, '.');
      return `${path} ${renderBlockingStatus}`;
    }),
  );
  expect(asked.filter((one) => !one.startsWith('/assets/icon')).sort()).toEqual([
    '/assets/index.css blocking',
    '/assets/index.js non-blocking',
    '/dashboard/session non-blocking',
  ]);
});

test('the page is light', async () => {
  const assets = fileURLToPath(new URL('../../../dist/dashboard/assets/', import.meta.url));
  const weight = readdirSync(assets)
    .filter((name) => name.endsWith('.gz') && !EDITOR.test(name))
    .reduce((sum, name) => sum + statSync(assets + name).size, 0);
  expect(weight).toBeLessThan(PAGE_WEIGHT_BYTES);
  // A visitor without a cache: the profile is new.
  const { page, captureUrl } = await openAccount(server, {
    prepare: async (page) => {
      const devtools = await page.context().newCDPSession(page);
      await devtools.send('Network.setCacheDisabled', { cacheDisabled: true });
    },
  });
  await capture(captureUrl, '{}');
  await page.reload();
  await rows(page).first().waitFor();
  const loaded = await page.evaluate(() =>
    [
      ...performance.getEntriesByType('navigation'),
      ...performance.getEntriesByType('resource').filter(({ name }) => name.includes('/assets/')),
    ].reduce((sum, entry) => sum + (entry as PerformanceResourceTiming).encodedBodySize, 0),
  );
  process.stdout.write(`first load until a row: ${Math.round(loaded / 1024)} KB\n`);
  expect(loaded).toBeGreaterThan(10 * 1024);
  expect(loaded).toBeLessThan(FIRST_LOAD_BYTES);
});

test('a session survives a reload, ends at sign-out, and leaves nothing behind', async () => {
  const { page } = await openAccount(server, { expected: /401/ });
  await page.reload();
  await page.locator('.connection.is-live').waitFor();
  const kept = await page.evaluate(() => [
    ...Object.entries(localStorage),
    ...Object.entries(sessionStorage),
    ['cookie', document.cookie],
    ['window', JSON.stringify(Object.keys(window).filter((key) => /token|session$/i.test(key)))],
  ]);
  expect(kept).toEqual([
    ['cookie', ''],
    ['window', '[]'],
  ]);
  await page.locator('.side-foot').getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(await page.context().cookies()).toEqual([]);
});
