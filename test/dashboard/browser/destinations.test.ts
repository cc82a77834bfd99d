import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { capture } from '../../fixtures/account.ts';
import { httpReceiver } from '../../fixtures/receiver.ts';
import { serverOfFile } from '../../fixtures/running-server.ts';
import { until } from '../../fixtures/until.ts';
import { openAccount } from './open-account.ts';
import { backToDestinations, editDestination, saveDestination } from './open-page.ts';

const server = serverOfFile();
const SECRET = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';

test('a destination can get and lose a name, another URL and a secret', async () => {
  server.secrets.push(SECRET);
  const [first, second] = [await httpReceiver(), await httpReceiver()];
  const { page, captureUrl } = await openAccount(server, { expected: /status of 400/ });
  await page.getByRole('link', { name: 'Destinations' }).click();
  await page.getByLabel('URL of the destination').fill(`${first.url}/one`);
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  const card = page.locator('.card');
  await card.getByText(`${first.url}/one`).waitFor();

  let form = await editDestination(page, card);
  await form.getByLabel('Name').fill('billing');
  await form.getByLabel('URL').fill(`${second.url}/two`);
  await form.getByLabel('New signing secret').fill(SECRET);
  await saveDestination(page);
  await backToDestinations(page);
  await card.locator('.card-name', { hasText: 'billing' }).waitFor();
  await card.getByText(`${second.url}/two`).waitFor();
  await card.getByText('********b7oD').waitFor();
  await capture(captureUrl, '{}');
  const [request] = await second.received(1);
  new Webhook(SECRET).verify('{}', request?.headers as Record<string, string>);
  expect(first.requests).toEqual([]);

  // A refused value shows the reason at its field, and stays in the form.
  form = await editDestination(page, card);
  const url = form.getByLabel('URL');
  await url.fill('ftp://example.com/');
  await form.getByRole('button', { name: 'Save' }).click();
  await form.locator('#field-url-fault').waitFor();
  await form.getByText('Couldn’t save the destination: a field needs another value.').waitFor();
  expect(await url.inputValue()).toBe('ftp://example.com/');
  expect(await page.locator('.problem').count()).toBe(0);
  await url.fill(`${second.url}/two`);
  await form.getByLabel('Name').fill('');
  await form.getByLabel('Remove the secret').check();
  await saveDestination(page);
  await backToDestinations(page);
  await card.locator('.card-name', { hasText: `${second.url}/two` }).waitFor();
  await card.getByText('not signed').waitFor();
});

test('the view of a destination has an address, and asks before changes are lost', async () => {
  const { page, endpointId } = await openAccount(server, { expected: /status of 404/ });
  await page.getByRole('link', { name: 'Destinations' }).click();
  await page.getByLabel('URL of the destination').fill('http://127.0.0.1:1/one');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  const card = page.locator('.card');
  let form = await editDestination(page, card);
  const address = new URL(page.url()).pathname;
  expect(address).toMatch(new RegExp(`^/endpoints/${endpointId}/destinations/dst_\\w+$`));
  await page.reload();
  await form.getByLabel('URL').waitFor();
  expect(await form.getByLabel('URL').inputValue()).toBe('http://127.0.0.1:1/one');

  // A link to a section isn't another view.
  const question = page.getByRole('dialog', { name: 'Leave without saving?' });
  await form.getByLabel('Name').fill('bill');
  await form.getByText('Unsaved changes').waitFor();
  await page.getByRole('link', { name: 'Flow', exact: true }).click();
  await until('the place is in the address', async () => page.url().endsWith('#flow'));
  expect(await question.count()).toBe(0);

  await page.getByRole('link', { name: 'Deliveries', exact: true }).click();
  await question.getByRole('button', { name: 'Cancel' }).click();
  expect(new URL(page.url()).pathname).toBe(address);
  expect(await form.getByLabel('Name').inputValue()).toBe('bill');
  // The browser's own ways: back, and back again once it is answered.
  await page.evaluate(() => history.go(-2));
  await question.waitFor();
  expect(new URL(page.url()).pathname).toBe(address);
  await question.getByRole('button', { name: 'Leave' }).click();
  await card.waitFor();
  expect(new URL(page.url()).pathname).toBe(`/endpoints/${endpointId}/destinations`);

  form = await editDestination(page, card);
  expect(await form.getByLabel('Name').inputValue()).toBe('');
  await form.getByLabel('Name').fill('bill');
  await form.getByRole('button', { name: 'Discard' }).click();
  await form.getByText('No changes').waitFor();
  await backToDestinations(page);
  await page.goto(`${server.url}/endpoints/${endpointId}/destinations/dst_nope`);
  await page.getByText('There is no such destination').waitFor();
});

test('a weak secret and a doubled URL are named at once, and asked about', async () => {
  const { page } = await openAccount(server);
  await page.getByRole('link', { name: 'Destinations' }).click();
  const url = page.getByLabel('URL of the destination');
  const secret = page.getByLabel('Signing secret, if any');
  const add = page.getByRole('button', { name: 'Add', exact: true });
  const cards = page.locator('.card');
  await url.fill('http://127.0.0.1:1/one');
  await secret.fill('short');
  await page.getByText('This secret is short').waitFor();
  await add.click();
  const question = page.getByRole('dialog', { name: 'Add it all the same?' });
  await question.getByText('The secret is short').waitFor();
  await question.getByRole('button', { name: 'Cancel' }).click();
  expect(await cards.count()).toBe(0);
  await page.getByRole('button', { name: 'Generate a strong one' }).click();
  expect(await page.locator('.weak').count()).toBe(0);
  expect(await secret.inputValue()).toMatch(/^whsec_/);
  server.secrets.push(await secret.inputValue());
  await add.click();
  await cards.first().waitFor();

  await url.fill('http://127.0.0.1:1/one');
  await page.getByText('has this URL already').waitFor();
  await add.click();
  await question.getByText('gets each event twice').waitFor();
  await question.getByRole('button', { name: 'Add it' }).click();
  await cards.nth(1).waitFor();
});

test('a name that another destination has is named while it is typed', async () => {
  const { page, endpointId, call } = await openAccount(server);
  for (const name of ['billing', 'ledger']) {
    const url = `http://127.0.0.1:1/${name}`;
    await call(201, 'POST', `/api/endpoints/${endpointId}/destinations`, { name, url });
  }
  await page.getByRole('link', { name: 'Destinations' }).click();
  const form = await editDestination(page, page.locator('.card', { hasText: 'ledger' }));
  const named = form.getByText('Another destination has this name already');
  await form.getByLabel('Name').fill('billing');
  await named.waitFor();
  await form.getByLabel('Name').fill('ledger');
  await named.waitFor({ state: 'detached' });
});

test('a card says when what waits will be through, and a pause can be undone', async () => {
  const receiver = await httpReceiver();
  const { page, captureUrl } = await openAccount(server);
  await page.getByRole('link', { name: 'Destinations' }).click();
  await page.getByLabel('URL of the destination').fill(receiver.url);
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  const card = page.locator('.card');
  const form = await editDestination(page, card);
  await form.getByLabel('Most starts').fill('1');
  await form.getByLabel('In each').selectOption('hour');
  await saveDestination(page);
  await backToDestinations(page);
  for (const n of [1, 2, 3, 4]) await capture(captureUrl, `{"n": ${n}}`);
  await card.getByText('3 deliveries wait, the oldest from').waitFor();
  await card
    .getByText(/through in about .*, at the present pace: less than one a minute/)
    .waitFor();
  await card.getByRole('button', { name: 'Pause' }).click();
  await card.locator('.badge', { hasText: 'paused' }).waitFor();
  expect(await card.getByText('through in').count()).toBe(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await card.getByRole('button', { name: 'Pause' }).waitFor();
  await card.getByText('through in about').waitFor();
});
