import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { capture } from '../../fixtures/account.ts';
import { httpReceiver, status } from '../../fixtures/receiver.ts';
import { serverOfFile } from '../../fixtures/running-server.ts';
import { until } from '../../fixtures/until.ts';
import { openAccount } from './open-account.ts';
import { rows } from './open-page.ts';

/* What the page asks for before it is needed, and what it doesn't do twice. */

const server = serverOfFile({ retryBase: 3_600_000, retryMax: 3_600_000 });

async function start(count: number) {
  const { page, captureUrl, endpointId, account } = await openAccount(server);
  const ids: string[] = [];
  const send = async (n: number) => {
    const headers = { 'content-type': 'application/json' };
    ids.unshift(await capture(`${captureUrl}/${n}`, `{"mark": "mark-${n}-end"}`, { headers }));
  };
  for (let n = 0; n < count; n++) await send(n);
  await until('all are there', async () => (await rows(page).count()) === count);
  return { page, captureUrl, endpointId, account, ids, send };
}

/** The paths that the page asks for from now on. */
function asked(page: Page): string[] {
  const paths: string[] = [];
  page.on('request', (request) => paths.push(new URL(request.url()).pathname));
  return paths;
}

const times = (paths: readonly string[], end: string) =>
  paths.filter((path) => path.endsWith(end)).length;

test('a page that starts asks for its view beside the user, and once for the session', async () => {
  const { page, endpointId, ids } = await start(2);
  const eventId = ids[0] as string;
  const paths = asked(page);
  // In a row, the others would wait for the user's answer for ever.
  await page.route('**/api/me', async (route) => {
    await until('the view is asked for', () =>
      ['/api/endpoints', `/${endpointId}/events`, `/${eventId}/deliveries`].every(
        (path) => times(paths, path) > 0,
      ),
    );
    await route.continue();
  });
  await page.goto(`${new URL(page.url()).origin}/endpoints/${endpointId}/events/${eventId}`);
  await page.locator('.json', { hasText: 'mark-1-end' }).waitFor();
  expect(times(paths, '/dashboard/session')).toBe(1);
});

test('the next event is loaded while one is open, in the direction of the steps', async () => {
  const { page, ids } = await start(4);
  const paths = asked(page);
  await page.keyboard.press('j');
  await page.locator('.json', { hasText: 'mark-3-end' }).waitFor();
  await until('the next is asked for', () => times(paths, `/${ids[1]}`) === 1);
  await page.keyboard.press('j');
  await page.locator('.json', { hasText: 'mark-2-end' }).waitFor();
  expect(times(paths, `/${ids[1]}`)).toBe(1);
  await page.keyboard.press('j');
  await page.locator('.json', { hasText: 'mark-1-end' }).waitFor();
  await until('the next is asked for', () => times(paths, `/${ids[3]}`) === 1);
  const before = times(paths, `/${ids[1]}`);
  await page.keyboard.press('k');
  await page.locator('.json', { hasText: 'mark-2-end' }).waitFor();
  await until('the one before is asked for', () => times(paths, `/${ids[0]}`) > 1);
  expect(times(paths, `/${ids[1]}`)).toBe(before + 1);
});

test('an event that changed after it was loaded ahead opens as it is now', async () => {
  const { page, account, endpointId, ids } = await start(2);
  const target = await httpReceiver(status(200));
  await account.addDestination({ id: endpointId }, target.url);
  const paths = asked(page);
  await page.keyboard.press('j');
  await until('the next is asked for', () => times(paths, `/${ids[1]}/deliveries`) === 1);
  // Another tab delivers it.
  const other = await page.context().newPage();
  await other.goto(`${server.url}/endpoints/${endpointId}/events/${ids[1]}`);
  await other.locator('.json').waitFor();
  await other.keyboard.press('r');
  await rows(page).nth(1).locator('.is-delivered').first().waitFor();
  await other.close();
  await page.keyboard.press('j');
  await page.locator('.summary .badge.is-delivered').waitFor();
  await page.locator('.delivery-sum').waitFor();
});

test('an arrival draws nothing again in the rows that are there', async () => {
  const { page, send } = await start(5);
  await page.getByRole('listbox').evaluate((list) => {
    const changed: string[] = [];
    const observer = new MutationObserver((records) => {
      for (const { target } of records) {
        const element = target instanceof Element ? target : target.parentElement;
        // The words of times go on by the clock.
        const cell = element?.closest('.row > :not(.time)');
        if (cell) changed.push(cell.outerHTML);
      }
    });
    observer.observe(list, {
      subtree: true,
      childList: true,
      characterData: true,
      attributes: true,
    });
    Object.assign(window, { changed });
  });
  const paths = asked(page);
  await send(5);
  await rows(page).first().getByText('/5').waitFor();
  await until('a page confirms it', () => times(paths, '/events') > 0);
  await send(6);
  await until('a page confirms it', () => times(paths, '/events') > 1);
  await rows(page).first().getByText('/6').waitFor();
  expect(await page.evaluate(() => (window as unknown as { changed: string[] }).changed)).toEqual(
    [],
  );
});
