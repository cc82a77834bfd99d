import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { capture } from '../../fixtures/account.ts';
import { httpReceiver, status } from '../../fixtures/receiver.ts';
import { serverOfFile } from '../../fixtures/running-server.ts';
import { until } from '../../fixtures/until.ts';
import { openAccount } from './open-account.ts';
import { rows } from './open-page.ts';

/* Several events: chosen by pointer and keys, and acted on at once. */

const server = serverOfFile({ retryBase: 60_000, retryMax: 60_000 });

async function start(count: number) {
  const { page, account, captureUrl, endpointId } = await openAccount(server, {
    expected: /status of 500/,
  });
  const ids: string[] = [];
  for (let n = 0; n < count; n++) ids.push(await capture(`${captureUrl}/${n}`, ` {"n": ${n}.0}\n`));
  await until('all are there', async () => (await rows(page).count()) === count);
  const chosen = page.locator('.chosen-bar [role=status]');
  const list = page.getByRole('listbox', { name: 'Events, newest first' });
  return { page, account, captureUrl, endpointId, ids, chosen, list };
}

test('a box, a span, x, Space and Ctrl-A choose, and Escape ends it', async () => {
  const { page, chosen, list } = await start(8);
  await rows(page).nth(1).hover();
  await rows(page).nth(1).locator('.pick').click();
  await page.getByText('1 of 8 chosen').waitFor();
  // The box doesn't open the event.
  expect(await page.locator('.summary').count()).toBe(0);
  await rows(page)
    .nth(4)
    .click({ modifiers: ['Shift'] });
  await page.getByText('4 of 8 chosen').waitFor();
  expect(await rows(page).nth(2).getAttribute('aria-checked')).toBe('true');
  await list.focus();
  await page.keyboard.press('ArrowDown');
  await page.locator('.summary').waitFor();
  await page.keyboard.press('x');
  await page.getByText('5 of 8 chosen').waitFor();
  await page.keyboard.press(' ');
  await page.getByText('4 of 8 chosen').waitFor();
  await page.keyboard.press('Control+a');
  await page.getByText('8 of 8 chosen').waitFor();
  await page.keyboard.press('Escape');
  await page.locator('.summary').waitFor({ state: 'detached' });
  await page.keyboard.press('Escape');
  await chosen.waitFor({ state: 'detached' });
});

test('chosen events are replayed, four at once, and what failed is told', async () => {
  const { page, account, endpointId, ids } = await start(9);
  const target = await httpReceiver(status(200));
  await account.addDestination({ id: endpointId }, target.url);
  let running = 0;
  let most = 0;
  await page.route('**/replay', async (route) => {
    most = Math.max(most, ++running);
    const isWrong = route
      .request()
      .url()
      .includes(ids[3] as string);
    if (isWrong) await route.fulfill({ status: 500, json: { error: { message: 'disk full' } } });
    else await route.continue();
    running--;
  });
  await page.getByRole('listbox').focus();
  await page.keyboard.press('Control+a');
  await page.getByRole('button', { name: 'Replay …' }).click();
  const dialog = page.getByRole('dialog', { name: 'Replay 9 events' });
  // Three clicks replay once.
  await dialog.getByRole('button', { name: 'Replay 9 events' }).click({ clickCount: 3 });
  await dialog.getByText('8 of 9 replayed, 8 deliveries, 1 failed').waitFor();
  await dialog.getByText(`${ids[3]}: disk full`).waitFor();
  await target.received(8);
  expect(target.requests.length).toBe(8);
  expect(most).toBeLessThanOrEqual(4);
  await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
});

test('open deliveries of the chosen are cancelled, and the chosen deleted', async () => {
  const { page, account, captureUrl, endpointId } = await start(2);
  const target = await httpReceiver(status(503));
  await account.addDestination({ id: endpointId }, target.url);
  for (let n = 0; n < 3; n++) await capture(`${captureUrl}/late/${n}`);
  const failing = rows(page).filter({ hasText: 'retrying' });
  await until('they wait for a retry', async () => (await failing.count()) === 3);
  await rows(page).nth(0).locator('.pick').click();
  await rows(page)
    .nth(2)
    .click({ modifiers: ['Shift'] });
  await page.getByRole('button', { name: 'Cancel deliveries …' }).click();
  await page.getByRole('button', { name: 'Cancel deliveries of 3 events' }).click();
  await page.getByText('3 of 3 done, 3 deliveries cancelled').waitFor();
  await page.getByRole('button', { name: 'Close', exact: true }).last().click();
  await until('nothing is retried', async () => (await failing.count()) === 0);

  await page.getByRole('button', { name: 'Delete …' }).click();
  await page.getByRole('button', { name: 'Delete 3 events' }).click();
  await page.getByText('3 of 3 deleted').waitFor();
  await page.getByRole('button', { name: 'Close', exact: true }).last().click();
  await page.getByText('2 events').waitFor();
  expect(await rows(page).count()).toBe(2);
});

test('an export has each chosen event on a line, with its exact body', async () => {
  const { page, ids } = await start(3);
  await page.getByRole('listbox').focus();
  await page.keyboard.press('Control+a');
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^events-[\d-]+\.ndjson$/);
  const lines = readFileSync(await file.path(), 'utf8')
    .trimEnd()
    .split('\n');
  const events = lines.map((line) => JSON.parse(line));
  expect(events.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
  const second = events.find(({ path }) => path === '/1');
  expect(second).toMatchObject({ body_encoding: 'text', body: ' {"n": 1.0}\n', method: 'POST' });
  await page.getByText('3 of 3 exported').waitFor();
});
