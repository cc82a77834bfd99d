import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { capture } from '../../fixtures/account.ts';
import { httpReceiver } from '../../fixtures/receiver.ts';
import { runServer } from '../../fixtures/running-server.ts';
import { browserOfFile, openPage, signUp } from './open-page.ts';

const browser = browserOfFile();
const SECRET = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';

test('a destination can get and lose a name, another URL and a secret', async () => {
  const server = await runServer();
  server.secrets.push(SECRET);
  const [first, second] = [await httpReceiver(), await httpReceiver()];
  const { page } = await openPage(browser(), server.url, { expected: /status of 400/ });
  const { captureUrl } = await signUp(page);
  await page.getByRole('link', { name: 'Destinations' }).click();
  await page.getByLabel('URL of the destination').fill(`${first.url}/one`);
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  const card = page.locator('.card');
  await card.getByText(`${first.url}/one`).waitFor();

  const dialog = page.getByRole('dialog', { name: 'Edit the destination' });
  const edit = () => card.getByRole('button', { name: 'Edit …' }).click();
  const save = () => dialog.getByRole('button', { name: 'Save' }).click();
  await edit();
  await dialog.getByLabel('Name').fill('billing');
  await dialog.getByLabel('URL').fill(`${second.url}/two`);
  await dialog.getByLabel('New signing secret').fill(SECRET);
  await save();
  await dialog.waitFor({ state: 'detached' });
  await card.locator('.card-name', { hasText: 'billing' }).waitFor();
  await card.getByText(`${second.url}/two`).waitFor();
  await card.getByText('********b7oD').waitFor();
  await capture(captureUrl, '{}');
  const [request] = await second.received(1);
  new Webhook(SECRET).verify('{}', request?.headers as Record<string, string>);
  expect(first.requests).toEqual([]);

  // A refused value shows the reason and stays in the form.
  await edit();
  await dialog.getByLabel('URL').fill('ftp://example.com/');
  await save();
  await dialog.locator('.problem').waitFor();
  await dialog.getByLabel('URL').fill(`${second.url}/two`);
  await dialog.getByLabel('Name').fill('');
  await dialog.getByLabel('Remove the secret').check();
  await save();
  await card.locator('.card-name', { hasText: `${second.url}/two` }).waitFor();
  await card.getByText('not signed').waitFor();
});
