import { expect, test } from 'vitest';
import { capture } from '../../fixtures/account.ts';
import { runServer, serverOfFile } from '../../fixtures/running-server.ts';
import { until } from '../../fixtures/until.ts';
import { openAccount } from './open-account.ts';
import { CREDENTIALS, openPage, rows } from './open-page.ts';

/* All of it without a pointer. */

const server = serverOfFile();

test('keys alone lead from the first account to a replay', async () => {
  const server = await runServer();
  // The open event isn't among what the search finds.
  const { page } = await openPage(server.url, { expected: /status of 404/ });
  const { keyboard } = page;
  // The browser moves the focus with the next frame. Keys before that would be lost.
  await page.locator('input[name=email]:focus').waitFor();
  await keyboard.type(CREDENTIALS.email);
  await keyboard.press('Tab');
  await keyboard.type(CREDENTIALS.password);
  await keyboard.press('Enter');
  await page.locator('.connection.is-live').waitFor();
  await page.getByRole('heading', { name: 'inbox' }).waitFor();

  await keyboard.press('u');
  await page.getByText('The capture URL is copied').waitFor();
  const captureUrl = await page.evaluate(() => navigator.clipboard.readText());
  for (let i = 0; i < 3; i++) await capture(`${captureUrl}/${i}`, `{"i": ${i}}`);
  await until('all are there', async () => (await rows(page).count()) === 3);

  await keyboard.press('j');
  await page.getByRole('heading', { name: '/2' }).waitFor();
  await keyboard.press('j');
  await page.getByRole('heading', { name: '/1' }).waitFor();
  await keyboard.press('k');
  await page.getByRole('heading', { name: '/2' }).waitFor();
  await keyboard.press('h');
  await page.locator('.fields').waitFor();
  await keyboard.press('c');
  await page.getByText('The curl command is copied').waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^curl /);
  await keyboard.press('r');
  await page.getByText('There is no destination to replay to').waitFor();

  await keyboard.press('/');
  await keyboard.type('"i": 0');
  await page.getByText('1 match', { exact: true }).waitFor();
  await keyboard.press('Escape');
  await keyboard.press('Shift+X');
  await page.getByText('3 events').waitFor();
  await keyboard.press('Escape');
  await page.locator('.summary').waitFor({ state: 'detached' });

  await keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await help.waitFor();
  const told = await help.locator('dt').allTextContents();
  expect(told).toEqual(expect.arrayContaining(['j', 'k', 'x', 'X', '/', '?', 't', 'ge']));
  // The page's keys don't work behind the dialog.
  await keyboard.press('j');
  expect(await page.locator('.summary').count()).toBe(0);
  await keyboard.press('Escape');
  await help.waitFor({ state: 'detached' });

  await keyboard.press('g');
  await keyboard.press('e');
  await page.getByRole('heading', { name: 'Endpoints' }).waitFor();
});

test('a dialog that ends late leaves the next one open', async () => {
  const { page } = await openAccount(server);
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  // The browser tells of an end after the keys that are waiting.
  await page.evaluate(async () => {
    const help = document.querySelector('dialog') as HTMLDialogElement;
    const told = new Promise((resolve) => help.addEventListener('close', resolve));
    help.close();
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'n', bubbles: true }));
    await told;
  });
  await page.getByLabel('Name of the new endpoint').waitFor();
  await page.keyboard.press('Escape');
  await page.locator('dialog').waitFor({ state: 'detached' });

  // The field of a dialog that has ended keeps the focus until the page is drawn.
  await page.keyboard.press('Control+k');
  await page.locator('.palette-input:focus').waitFor();
  await page.evaluate(() => {
    const field = document.activeElement as HTMLElement;
    document.querySelector('dialog')?.close();
    field.dispatchEvent(new KeyboardEvent('keydown', { key: 'n', bubbles: true }));
  });
  const next = page.getByLabel('Name of the new endpoint');
  await next.fill('orders');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'orders' }).waitFor();
});

test('the list takes arrow keys and announces the position', async () => {
  const { page, captureUrl } = await openAccount(server);
  for (let i = 0; i < 40; i++) await capture(`${captureUrl}/${i}`);
  await page.getByText('40 events').waitFor();
  const list = page.getByRole('listbox', { name: 'Events, newest first' });
  await list.focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.getByRole('heading', { name: '/38' }).waitFor();
  expect(await list.getAttribute('aria-activedescendant')).toBe(
    await list.getByRole('option', { selected: true }).getAttribute('id'),
  );
  expect(await list.getByRole('option', { selected: true }).getAttribute('aria-posinset')).toBe(
    '2',
  );
  await page.keyboard.press('End');
  await page.getByRole('heading', { name: '/0', exact: false }).waitFor();
  expect(await list.getByRole('option', { selected: true }).isVisible()).toBe(true);
  await page.keyboard.press('PageUp');
  await until('it is a page up', async () => {
    const at = await list.getByRole('option', { selected: true }).getAttribute('aria-posinset');
    return Number(at) < 38;
  });
  expect(await list.evaluate((box) => box.scrollHeight - box.clientHeight)).toBeGreaterThan(100);
  await page.keyboard.press('Home');
  await page.getByRole('heading', { name: '/39' }).waitFor();
  // One cursor: the row shows the list's focus, and a click doesn't take it away.
  await rows(page).nth(3).click();
  await page.getByRole('heading', { name: '/36' }).waitFor();
  expect(await list.evaluate((box) => box === document.activeElement)).toBe(true);
  await page.keyboard.press('ArrowDown');
  await page.getByRole('heading', { name: '/35' }).waitFor();
  const outlines = await list.evaluate((box) => [
    getComputedStyle(box).outlineStyle,
    getComputedStyle(box.querySelector('[aria-selected=true]') as Element).outlineStyle,
  ]);
  expect(outlines).toEqual(['none', 'solid']);
  // Back leads to the list, and not through each event.
  await page.goBack();
  await page.locator('.summary').waitFor({ state: 'detached' });
});

test('everything clickable is reachable by Tab, with visible focus', async () => {
  const { page, captureUrl } = await openAccount(server);
  await capture(captureUrl, '{"a": {"b": 1}}');
  await rows(page).first().click();
  await page.locator('.json').waitFor();
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  const reached = new Set<string>();
  for (let i = 0; i < 90; i++) {
    await page.keyboard.press('Tab');
    const at = await page.evaluate(() => {
      const element = document.activeElement as HTMLElement;
      element.dataset.reached = '1';
      // A list shows its focus at its row.
      const row = element.getAttribute('aria-activedescendant');
      const shown = row === null ? element : (document.getElementById(row) as HTMLElement);
      const { outlineStyle } = getComputedStyle(shown);
      return { tag: element.tagName, outlineStyle, text: element.textContent ?? '' };
    });
    // After the last element the focus starts again.
    if (at.tag === 'BODY') continue;
    expect(at.outlineStyle, at.text).not.toBe('none');
    reached.add(at.text);
  }
  const missed = await page
    .locator('a[href], button:not(:disabled), select, input, [role=listbox]')
    .evaluateAll((all) =>
      all
        .filter(
          (one) =>
            (one as HTMLElement).tabIndex >= 0 &&
            one.checkVisibility() &&
            !(one as HTMLElement).dataset.reached,
        )
        .map((one) => one.outerHTML.slice(0, 120)),
    );
  expect(missed).toEqual([]);
  expect(reached.size).toBeGreaterThan(20);
});
