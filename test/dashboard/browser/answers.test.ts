import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { capture } from '../../fixtures/account.ts';
import { serverOfFile } from '../../fixtures/running-server.ts';
import { AXE, findings } from './axe.ts';
import { openAccount } from './open-account.ts';
import { type PageOptions, setScreen, visit } from './open-page.ts';

/* The answer to senders, and the other settings of an endpoint. */

const server = serverOfFile();

async function start(options: PageOptions = {}) {
  const { page, captureUrl, endpointId, call: callApi } = await openAccount(server, options);
  const path = `/api/endpoints/${endpointId}`;
  const call = (method: string, body?: object) => callApi(200, method, path, body);
  await visit(page, `${path.slice('/api'.length)}/settings`, '.answer');
  return { page, captureUrl, call };
}

const preview = (page: Page) => page.getByRole('textbox', { name: 'Preview of the answer' });
const kind = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const save = (page: Page) => page.getByRole('button', { name: 'Save the answer' }).click();

test('an answer has the fields that fit its status, and the sender gets what was shown', async () => {
  const { page, captureUrl, call } = await start({ expected: /status of 400/ });
  await preview(page).getByText('HTTP/1.1 200 OK').waitFor();
  expect(await page.getByLabel('Status').count()).toBe(0);

  await kind(page, 'No content');
  expect(await page.getByLabel('Status').inputValue()).toBe('204');
  expect(await page.getByLabel('Body').count()).toBe(0);
  expect(await page.getByLabel('Content type').count()).toBe(0);
  await save(page);
  await page.getByText('Senders get this answer now').waitFor();
  expect((await fetch(captureUrl)).status).toBe(204);

  await kind(page, 'Redirect');
  await save(page);
  await page.locator('#field-location-fault', { hasText: 'is missing' }).waitFor();
  const location = page.getByLabel('Location');
  expect(await location.evaluate((one) => one === document.activeElement)).toBe(true);
  await location.fill('https://a.example/thanks');
  await page.getByRole('button', { name: 'Add a header' }).click();
  await page.getByLabel('Header', { exact: true }).fill('Set-Cookie');
  await page.getByLabel('Value of Set-Cookie').fill('a=b');
  await save(page);
  await page.locator('.answer-headers .fault', { hasText: 'same origin' }).waitFor();
  expect(await page.locator('#field-location-fault').count()).toBe(0);
  await page.getByLabel('Header', { exact: true }).fill('Retry-After');
  await page.getByLabel('Value of Retry-After').fill('120');
  const shown = (await preview(page).innerText()).split('\n').filter((line) => line !== '');
  await save(page);
  await expect.poll(async () => (await call('GET')).response?.status).toBe(302);
  expect((await call('GET')).response).toEqual({
    ...{ status: 302, content_type: null, body: '' },
    headers: { location: 'https://a.example/thanks', 'Retry-After': '120' },
  });
  expect(await page.locator('.answer .fault').count()).toBe(0);
  const answer = await fetch(captureUrl, { redirect: 'manual' });
  expect(shown[0]).toBe('HTTP/1.1 302 Found');
  for (const line of shown.slice(1)) {
    const [name = '', value] = line.split(': ');
    if (name === 'x-hookrelay-event-id') continue;
    expect([name, answer.headers.get(name)]).toEqual([name, value]);
  }

  await page.getByRole('button', { name: 'Add a header' }).click();
  await page.getByLabel('Header', { exact: true }).last().fill('retry-after');
  await page.getByLabel('Value of retry-after', { exact: true }).fill('1');
  await save(page);
  await page.getByText('is there twice').first().waitFor();
  expect(await page.locator('.answer-headers .fault').count()).toBe(2);

  await kind(page, 'Usual answer');
  await save(page);
  await page.getByText('Senders get the usual answer now').waitFor();
  expect((await call('GET')).response).toBeNull();
});

test('an answer that changes elsewhere is shown, but never over what is typed', async () => {
  const { page, call } = await start();
  const look = () => page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  const response = { status: 202, content_type: 'text/plain', body: 'one' };
  await call('PATCH', { response });
  await look();
  const body = page.getByLabel('Body');
  await expect.poll(async () => (await body.count()) && (await body.inputValue())).toBe('one');
  await body.fill('mine');
  await call('PATCH', { name: 'renamed', response: { ...response, body: 'two' } });
  await look();
  await page.getByText('The answer was changed elsewhere.').waitFor();
  expect(await body.inputValue()).toBe('mine');
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('renamed');
  await page.getByRole('button', { name: 'Show it' }).click();
  expect(await body.inputValue()).toBe('two');
});

test('three clicks change once', async () => {
  const { page } = await start();
  const released = Promise.withResolvers<void>();
  let patches = 0;
  await page.route('**/api/endpoints/*', async (route) => {
    if (route.request().method() === 'PATCH') {
      patches++;
      await released.promise;
    }
    await route.continue();
  });
  const press = (name: string) =>
    page.getByRole('button', { name, exact: true }).evaluate((button: HTMLButtonElement) => {
      for (let i = 0; i < 3; i++) button.click();
    });
  await press('Pause');
  await kind(page, 'No content');
  await press('Save the answer');
  await press('Rename');
  released.resolve();
  await page.getByRole('button', { name: 'Resume' }).waitFor();
  await expect.poll(() => page.locator('[aria-busy=true]').count()).toBe(0);
  expect(patches).toBe(3);
});

test('a deletion names what goes with the endpoint; what a name hides need not be typed', async () => {
  const { page, captureUrl, call } = await start();
  await capture(captureUrl, '{}');
  await call('PATCH', { name: 'pay\u200bpal' });
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await page.getByRole('heading', { name: 'pay\\u200Bpal' }).waitFor();
  await page.getByRole('button', { name: 'Delete the endpoint …' }).click();
  await page.getByText('1 event, 0 open deliveries, 0 destinations').waitFor();
  const remove = page.getByRole('button', { name: 'Delete for good' });
  await page.getByRole('dialog').getByRole('textbox').fill('paypal');
  expect(await remove.isDisabled()).toBe(true);
  await page.getByRole('dialog').getByRole('textbox').fill('pay\\u200Bpal');
  await remove.click();
  await page.getByText('is deleted').waitFor();
});

test('the settings have no finding and fit: light on a desk, dark on a phone', async () => {
  const { page } = await start({ bypassCSP: true });
  await page.evaluate(AXE);
  for (const name of ['Usual answer', 'Text', 'No content', 'Redirect']) {
    await kind(page, name);
    if (name === 'Text') {
      await page.getByLabel('Body').fill('x'.repeat(300));
      await page.getByRole('button', { name: 'Add a header' }).click();
    }
    for (const [colorScheme, width] of [
      ['light', 1440],
      ['dark', 390],
    ] as const) {
      await setScreen(page, { width, height: 844 }, { colorScheme });
      expect([name, width, await findings(page)]).toEqual([name, width, []]);
      const spill = await page.evaluate(() => {
        const main = document.querySelector('main') as HTMLElement;
        return main.scrollWidth - main.clientWidth;
      });
      expect([name, width, spill]).toEqual([name, width, 0]);
    }
  }
});
