import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { capture } from '../../fixtures/account.ts';
import { runServer, serverOfFile } from '../../fixtures/running-server.ts';
import { until } from '../../fixtures/until.ts';
import { openAccount } from './open-account.ts';
import { openPage, visit } from './open-page.ts';

/* What is wrong with a form stands at its field, once, in the server's words. */

const server = serverOfFile();

/** The field is wrong, says so, and has the focus. */
async function isAtFault(page: Page, label: string): Promise<string> {
  const field = page.getByLabel(label, { exact: true });
  await until('the field is wrong', async () => {
    return (await field.getAttribute('aria-invalid')) === 'true';
  });
  await until('it has the focus', () => field.evaluate((one) => one === document.activeElement));
  const ids = ((await field.getAttribute('aria-describedby')) ?? '').split(' ');
  const texts = await Promise.all(ids.map((id) => page.locator(`[id="${id}"]`).textContent()));
  // It isn't told a second time.
  expect(await page.locator('.problem').count()).toBe(0);
  return texts.join(' ');
}

test('an account says what is wrong with its password or its address', async () => {
  const { page } = await openPage((await runServer()).url, { expected: /status of 40[09]/ });
  await page.getByLabel('Email').fill('ada@example.com');
  await page.getByLabel('Password').fill('short');
  await page.getByRole('button', { name: 'Create account' }).click();
  expect(await isAtFault(page, 'Password')).toMatch(/8 /);
  await page.getByLabel('Password').fill('correct horse battery');
  await page.getByLabel('Email').fill('ada');
  await page.getByRole('button', { name: 'Create account' }).click();
  expect(await isAtFault(page, 'Email')).not.toBe('');
});

test('a name and a token say what is wrong at their fields', async () => {
  const { page } = await openAccount(server, { expected: /status of 400/ });
  await page.keyboard.press('n');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  expect(await isAtFault(page, 'Name of the new endpoint')).not.toBe('');
  await page.keyboard.press('Escape');

  await visit(page, '/account/tokens', '.section-head');
  const command = page.getByRole('textbox', { name: 'Command that calls the API' });
  expect(await command.textContent()).toBe(
    `curl -H 'Authorization: Bearer TOKEN' ${server.url}/api/endpoints`,
  );
  await page.getByRole('button', { name: 'New token …' }).click();
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  expect(await isAtFault(page, 'Name')).not.toBe('');
});

test('the URL of a replay says what is wrong at its field', async () => {
  const options = { expected: /status of 4\d\d/ };
  const { page, captureUrl, endpointId } = await openAccount(server, options);
  const id = await capture(captureUrl, '{}');
  await visit(page, `/endpoints/${endpointId}/events/${id}`, '.event-actions');
  await page.getByRole('button', { name: 'Ways to replay' }).click();
  await page.getByRole('menuitem', { name: /^Once to a URL/ }).click();
  await page.getByLabel('URL', { exact: true }).fill('ftp://example.com');
  await page.locator('dialog').getByRole('button', { name: 'Replay' }).click();
  expect(await isAtFault(page, 'URL')).not.toBe('');
});

test('a button that copies keeps its width', async () => {
  const { page } = await openAccount(server);
  const button = page.locator('.endpoint-head .copy');
  const width = async () => (await button.boundingBox())?.width;
  const before = await width();
  await button.click();
  await button.getByText('Copied').waitFor();
  expect(await width()).toBe(before);
  await button.getByText('Copied').waitFor({ state: 'hidden' });
  expect(await width()).toBe(before);
});
