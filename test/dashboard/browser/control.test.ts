import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { capture } from '../../fixtures/account.ts';
import { httpReceiver, type Respond } from '../../fixtures/receiver.ts';
import { serverOfFile } from '../../fixtures/running-server.ts';
import { until } from '../../fixtures/until.ts';
import { openAccount } from './open-account.ts';
import {
  backToDestinations,
  chooseForDestination,
  editDestination,
  type PageOptions,
  saveDestination,
  visit,
} from './open-page.ts';

/* Destinations under control: paused, broken, discarded, and their deliveries. */

const SECRET = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
const down: Respond = (_request, res) => res.writeHead(503).end('down');
/** No failed attempt is tried again during a test. */
const NO_RETRY = { retry: { attempts: 8, base: '1h', factor: 1, max: '1h' } };

const server = serverOfFile({
  breakerFailures: 3,
  breakerAfter: 0,
  breakerProbe: 300_000,
});

/** The server refuses what the test types. */
const FAULTY = { expected: /status of 400/ };

/** A signed-in page with one destination. */
async function start(options: PageOptions = {}, settings: Record<string, unknown> = {}) {
  const receiver = await httpReceiver();
  const { page, account, captureUrl, endpointId } = await openAccount(server, options);
  await account.addDestination({ id: endpointId }, `${receiver.url}/in`, SECRET, settings);
  await page.getByRole('link', { name: 'Destinations' }).click();
  const card = page.locator('.card');
  await card.getByText('healthy').waitFor();
  const press = (name: string) => card.getByRole('button', { name }).click();
  const choose = (item: string) => chooseForDestination(card, item);
  const open = (tab: string) => visit(page, `/endpoints/${endpointId}/${tab}`, '.tabs');
  return { receiver, page, captureUrl, endpointId, card, press, choose, open };
}

/** Two clicks before the page is drawn again, when a disabled button can't stop the second. */
function pressTwice(button: Locator): Promise<void> {
  return button.evaluate((element: HTMLElement) => {
    element.click();
    element.click();
  });
}

/** Requests that the page sends for a method and a path. */
function sentBy(page: Page, method: string, path: RegExp): string[] {
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() === method && path.test(request.url())) sent.push(request.url());
  });
  return sent;
}

test('a pause holds deliveries, which are discarded or go on', async () => {
  const { receiver, page, captureUrl, card, press, choose } = await start();
  await press('Pause');
  await card.locator('.badge', { hasText: 'paused' }).waitFor();
  for (const n of [1, 2]) await capture(captureUrl, `{"n": ${n}}`);
  await card.getByText('2 deliveries wait, the oldest from').waitFor();

  await choose('Discard what waits …');
  const dialog = page.getByRole('dialog', { name: 'Discard what waits' });
  await dialog.waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await card.getByText('2 deliveries wait').waitFor();
  await choose('Discard what waits …');
  await dialog.getByRole('button', { name: 'Discard 2 deliveries' }).click();
  await page.getByText('2 deliveries cancelled').waitFor();
  await card.getByText('nothing waits').waitFor();

  await capture(captureUrl, '{"n": 3}');
  await card.getByText('1 delivery waits').waitFor();
  await press('Resume');
  const [request] = await receiver.received(1);
  expect(String(request?.body)).toBe('{"n": 3}');
  await card.getByText('nothing waits').waitFor();
  expect(await card.locator('.badge', { hasText: 'paused' }).count()).toBe(0);
});

test('an open breaker says when it probes, and probes now', async () => {
  const { receiver, page, captureUrl, card, press, open } = await start();
  receiver.respond = down;
  const ids: string[] = [];
  for (const n of [1, 2, 3]) ids.push(await capture(captureUrl, `{"n": ${n}}`));
  await card.getByText(/breaker open since .*, next probe at .* \(in \d+ (min|s)\)/).waitFor();
  expect(await card.locator('.badge', { hasText: 'breaker open' }).count()).toBe(1);
  await card.getByText('3 deliveries wait').waitFor();
  await open('deliveries');
  await page.getByText('Waits for the breaker').nth(2).waitFor();
  await open('destinations');
  const failed = receiver.requests.length;
  await press('Probe now');
  await receiver.received(failed + 1);
  receiver.respond = (_request, res) => void res.end('ok');
  // The oldest delivery was the probe. Another one begins after its end.
  const probe = page.locator('.attempts .badge', { hasText: 'probe' });
  await open(`events/${ids[0]}?tab=deliveries`);
  await probe.waitFor();
  await open('destinations');
  await press('Probe now');
  await card.getByText('healthy').waitFor();
  await card.getByText('nothing waits').waitFor();
  await receiver.received(failed + 4);
  expect(await card.getByRole('button', { name: 'Probe now' }).count()).toBe(0);

  const probes: number[] = [];
  for (const id of ids) {
    await open(`events/${id}?tab=deliveries`);
    await page.locator('.attempts li').nth(1).waitFor();
    probes.push(await probe.count());
  }
  expect(probes.reduce((sum, count) => sum + count, 0)).toBe(2);
});

test('a new secret is shown once, and the old one signs too', async () => {
  const { receiver, page, captureUrl, card, choose } = await start(FAULTY);
  const sent = sentBy(page, 'POST', /rotate-secret/);
  await choose('Rotate the secret …');
  const dialog = page.getByRole('dialog', { name: 'Rotate the secret' });
  const overlap = dialog.getByLabel('The old one signs too for');
  await overlap.fill('a day');
  await dialog.getByRole('button', { name: 'Rotate' }).click();
  await dialog.locator('#field-overlap-fault').waitFor();
  expect(await overlap.getAttribute('aria-invalid')).toBe('true');
  await overlap.fill('1h');
  await pressTwice(dialog.getByRole('button', { name: 'Rotate' }));
  await dialog.waitFor({ state: 'detached' });
  expect(sent).toHaveLength(2);
  const secret = (await card.locator('.once .mono').textContent()) as string;
  server.secrets.push(secret);
  await card.getByText('The old one signs too until').waitFor();
  await capture(captureUrl, '{}');
  const [request] = await receiver.received(1);
  const headers = request?.headers as Record<string, string>;
  new Webhook(secret).verify('{}', headers);
  new Webhook(SECRET).verify('{}', headers);
  await card.getByRole('button', { name: 'I have it' }).click();
  expect(await page.getByText(secret).count()).toBe(0);
});

test('all settings can be edited, and wrong ones are named at their fields', async () => {
  const { receiver, page, captureUrl, card } = await start(FAULTY);
  const other = await httpReceiver();
  let form = await editDestination(page, card);
  const save = () => form.getByRole('button', { name: 'Save' }).click();
  const fault = (id: string) => form.locator(`#field-${id}-fault`).innerText();
  await form.getByLabel('Path').selectOption('leave the address as it is');
  await form.getByLabel('Timeout').fill('2h');
  await form.getByLabel('Retries').selectOption('by a schedule');
  await form.getByLabel('Delays before the retries').fill('5s, soon');
  await form.getByLabel('Give up on').fill('4xx, 99');
  await form.getByLabel('Most starts').fill('0');
  await form.getByLabel('Most at once').fill('many');
  await form.getByLabel('Hold').fill('long');
  await form.getByRole('button', { name: 'Add a header' }).click();
  await form.getByRole('textbox', { name: 'Header', exact: true }).fill('host');
  await form.getByRole('textbox', { name: 'Value' }).fill('Bearer 1');
  await save();
  // They are named at their fields, and counted once beside the button.
  await form.getByText(/^Couldn’t save the destination: \d fields need another value/).waitFor();
  expect(await form.locator('.problem').count()).toBe(0);
  expect(await fault('timeout')).toContain('from 1s to');
  expect(await fault('schedule')).toMatch(/^entry 2: must be a duration/);
  expect(await fault('give_up_on')).toMatch(/^entry 2: /);
  expect(await fault('rate_limit')).toContain('at least 1');
  expect(await fault('concurrency')).toContain('must be auto');
  expect(await fault('hold')).toContain('must be a duration');
  expect(await form.locator('#header-0-fault').innerText()).toContain('only hookrelay sets');
  const timeout = form.getByLabel('Timeout');
  expect(await timeout.getAttribute('aria-invalid')).toBe('true');
  expect(await timeout.evaluate((one) => one === document.activeElement)).toBe(true);

  await timeout.fill('20s');
  await form.getByLabel('Delays before the retries').fill('5s, 5m');
  await form.getByLabel('Give up on').fill('4xx, 501');
  await form.getByLabel('Most starts').fill('10');
  await form.getByLabel('In each').selectOption('minute');
  await form.getByLabel('Most at once').fill('4');
  await form.getByLabel('Breaker').selectOption('off');
  await form.getByLabel('Hold').fill('');
  await form.getByRole('textbox', { name: 'Header', exact: true }).fill('authorization');
  await saveDestination(page);
  await capture(`${captureUrl}/more?a=1`, '{}');
  const [request] = await receiver.received(1);
  expect(request).toMatchObject({ target: '/in', headers: { authorization: 'Bearer 1' } });

  // As the server has them.
  await backToDestinations(page);
  form = await editDestination(page, card);
  const values = ['Timeout', 'Retries', 'Delays before the retries', 'Give up on'];
  values.push('Most starts', 'In each', 'Most at once', 'Breaker', 'Hold', 'Path', 'State');
  const shown: string[] = [];
  for (const label of values)
    shown.push(await form.getByLabel(label, { exact: true }).inputValue());
  expect(shown).toEqual([
    '20s',
    'schedule',
    '5s, 5m',
    '4xx, 501',
    '10',
    'minute',
    '4',
    'off',
    '',
    'ignore',
    'active',
  ]);
  // The value stays on the server, and another server gets it only when it is typed again.
  const header = form.getByLabel('New value of authorization');
  expect(await header.inputValue()).toBe('');
  expect(await header.getAttribute('placeholder')).toMatch(/^\*{8}.* stays$/);
  expect(await page.content()).not.toContain('Bearer 1');
  await form.getByLabel('URL').fill(`${other.url}/in`);
  await save();
  await form.getByText('must be sent again').first().waitFor();
  await header.fill('Bearer 2');
  await saveDestination(page);
  await backToDestinations(page);
  await card.getByText(`${other.url}/in`).waitFor();
  await capture(captureUrl, '{}');
  expect((await other.received(1))[0]?.headers.authorization).toBe('Bearer 2');
  form = await editDestination(page, card);
  await form.getByRole('button', { name: 'Remove authorization' }).click();
  await saveDestination(page);
  await capture(captureUrl, '{}');
  expect((await other.received(2))[1]?.headers.authorization).toBeUndefined();
});

test('deliveries are listed, retried and cancelled, each once', async () => {
  const { receiver, page, captureUrl, endpointId, open } = await start({}, NO_RETRY);
  receiver.respond = down;
  const ids: string[] = [];
  for (const n of [1, 2]) ids.push(await capture(captureUrl, `{"n": ${n}}`));
  await receiver.received(2);
  await open('deliveries');
  const items = page.locator('.delivery-list li');
  await items.nth(1).getByText('Attempt #2 in').waitFor();
  await page.getByText('2 deliveries', { exact: true }).waitFor();

  // The line is slow: the second click comes while the first is under way.
  const release = Promise.withResolvers<void>();
  const retries = sentBy(page, 'POST', /\/retry$/);
  await page.route('**/api/deliveries/*/retry', async (route) => {
    await release.promise;
    await route.continue();
  });
  receiver.respond = (_request, res) => void res.end('ok');
  const retry = items.filter({ hasText: ids[0] as string }).getByRole('button', { name: /^Retry/ });
  await pressTwice(retry);
  await until('the button is off', () => retry.isDisabled());
  release.resolve();
  await items.filter({ hasText: 'succeeded' }).waitFor();
  expect(retries).toHaveLength(1);
  expect(receiver.requests).toHaveLength(3);

  await items
    .filter({ hasText: ids[1] as string })
    .getByRole('button', { name: /^Cancel/ })
    .click();
  await items.filter({ hasText: 'cancelled' }).waitFor();
  await page.getByLabel('State').selectOption('cancelled');
  await page.getByText('1 delivery', { exact: true }).waitFor();
  expect(new URL(page.url()).search).toBe('?state=cancelled');
  await page.getByLabel('State').selectOption('every state');
  await page.getByLabel('Destination', { exact: true }).selectOption({ index: 1 });
  await page.getByText('2 deliveries', { exact: true }).waitFor();

  await items.filter({ hasText: 'succeeded' }).getByRole('link').click();
  await page.locator('.attempts li').nth(1).waitFor();
  expect(new URL(page.url()).pathname).toBe(`/endpoints/${endpointId}/events/${ids[0]}`);
  const last = page.locator('.attempts li').nth(1);
  await last.getByText(/^Request ·/).click();
  await last.getByRole('rowheader', { name: 'webhook-signature' }).waitFor();
  const download = page.waitForEvent('download');
  await last.getByRole('button', { name: 'Body as sent' }).click();
  expect(await readFile(await (await download).path(), 'utf8')).toBe('{"n": 1}');
});

test('the list of deliveries has pages', async () => {
  const { page, captureUrl, press, card, open } = await start();
  await press('Pause');
  await card.locator('.badge', { hasText: 'paused' }).waitFor();
  for (let n = 0; n < 51; n++) await capture(captureUrl, `{"n": ${n}}`);
  await open('deliveries');
  await page.getByText('page 1 of 2').waitFor();
  expect(await page.locator('.delivery-list li').count()).toBe(50);
  await page.getByRole('button', { name: 'Older' }).click();
  await page.getByText('page 2 of 2').waitFor();
  await until('one is left', async () => (await page.locator('.delivery-list li').count()) === 1);
  await page.getByText('Waits until the destination is resumed').waitFor();
  await page.goBack();
  await page.getByText('page 1 of 2').waitFor();
});
