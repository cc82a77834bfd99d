import { createHmac } from 'node:crypto';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { capture } from '../../fixtures/account.ts';
import { httpReceiver } from '../../fixtures/receiver.ts';
import { serverOfFile } from '../../fixtures/running-server.ts';
import { until } from '../../fixtures/until.ts';
import { openAccount } from './open-account.ts';
import {
  backToDestinations,
  editDestination,
  type PageOptions,
  rows,
  saveDestination,
  visit,
} from './open-page.ts';

/* The proof of a sender: set, checked, enforced; what it refuses, repeats and signs. */

const server = serverOfFile();
const FIRST = 'whsec_the_first_secret_1111';
const SECOND = 'whsec_the_second_secret_2222';
const BODY = '{"id":"evt_1","object":"event","type":"invoice.paid"}';

/** The headers of a request that Stripe signs. */
function signed(body: string, secret: string): Record<string, string> {
  const t = Math.floor(Date.now() / 1000);
  const v1 = createHmac('sha256', secret).update(`${t}.${body}`).digest('hex');
  return { 'content-type': 'application/json', 'stripe-signature': `t=${t},v1=${v1}` };
}

async function start(options: PageOptions = {}) {
  server.secrets.push(FIRST, SECOND);
  const { page, captureUrl, endpointId } = await openAccount(server, options);
  const send = (body: string, secret: string) =>
    capture(captureUrl, body, { headers: signed(body, secret) });
  const open = (tab: string, ready = '.page-body') =>
    visit(page, `/endpoints/${endpointId}${tab}`, ready);
  return { page, captureUrl, endpointId, send, open };
}

/** Names the sender and pastes a secret; the settings are open. */
async function chooseStripe(page: Page, secret: string): Promise<void> {
  await page.getByLabel('Sender').fill('stripe');
  await page.getByRole('textbox', { name: 'New secret' }).fill(`${secret}\n`);
}

/** @param masked the last secret, as the page shows it then */
async function save(page: Page, masked: string): Promise<void> {
  await page.getByRole('button', { name: 'Save the source' }).click();
  await page.getByText(masked, { exact: true }).waitFor();
}

test('a secret is pasted, checked over history and enforced; a forgery is refused, a right request accepted', async () => {
  const { page, captureUrl, endpointId, send, open } = await start({
    expected: /status of 4(00|01|09)/,
  });
  await send(BODY, FIRST);
  await capture(captureUrl, '{"object":"event"}', { headers: { 'stripe-signature': 't=1,v1=0' } });
  await open('/settings');
  await page.getByRole('button', { name: 'Looks like Stripe: choose it' }).click();
  const sender = page.getByLabel('Sender');
  expect(await sender.inputValue()).toBe('Stripe');

  await sender.fill('strpie');
  await page.getByRole('button', { name: 'Save the source' }).click();
  await page.locator('#field-provider-fault', { hasText: 'stripe' }).waitFor();
  expect(await sender.getAttribute('aria-invalid')).toBe('true');
  expect(await sender.evaluate((one) => one === document.activeElement)).toBe(true);
  await sender.fill('Stripe');
  await page.getByRole('button', { name: 'Save the source' }).click();
  await page.getByText('must have a secret').first().waitFor();

  const secret = page.getByRole('textbox', { name: 'New secret' });
  // What is wrong with the text is told before it is sent.
  await secret.fill('sk_test_1111');
  await page.getByText('A secret of Stripe begins with whsec_').waitFor();
  await secret.fill(`"${FIRST}"`);
  await page.getByText('It has quotes around it').waitFor();
  await secret.fill(`${FIRST}\n`);
  expect(await page.locator('.secret-warning').innerText()).toBe('');
  expect(await page.getByLabel('Registered URL').count()).toBe(0);
  await page.getByRole('button', { name: 'Check past events' }).click();
  await page.getByText('1 of 2 events passes.').waitFor();
  await page.getByText('1 event: ').waitFor();
  await save(page, '********1111');
  await page.getByText('The source is saved').waitFor();
  expect(await page.content()).not.toContain(FIRST);

  await page.getByRole('button', { name: 'Enforce …' }).click();
  const dialog = page.getByRole('dialog', { name: 'Enforce the source' });
  await dialog.getByText('1 of the newest 2 events would have been refused.').waitFor();
  await dialog.getByRole('button', { name: 'Enforce', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Stop enforcing' }).waitFor();

  const headers = signed(BODY, SECOND);
  const refused = await fetch(`${captureUrl}/paid`, { method: 'POST', body: BODY, headers });
  expect(refused.status).toBe(401);
  await page.getByRole('link', { name: 'rejected requests' }).click();
  const listed = page.locator('.rejected-list li');
  await listed.getByText('No secret of the source fits its signature.').waitFor();
  expect(await listed.innerText()).toMatch(/^POST \/paid\n+No secret[\s\S]*53 B · from /);
  await listed.getByRole('link').click();
  await page.locator('.json-key', { hasText: '"object"' }).waitFor();
  await page.getByRole('rowheader', { name: 'stripe-signature' }).waitFor();

  await page.getByRole('button', { name: 'Accept …' }).click();
  const asked = page.getByRole('dialog', { name: 'Accept the request' });
  await asked.getByRole('button', { name: 'Accept', exact: true }).click();
  await asked.locator('.problem', { hasText: 'no secret of the endpoint’s source fits' }).waitFor();
  await page.keyboard.press('Escape');
  const back = new URL(page.url()).pathname;

  // The other secret is the sender's too. The one that is there stays, unseen.
  await open('/settings');
  await page.getByRole('button', { name: 'Add a secret' }).click();
  await secret.fill(SECOND);
  await save(page, '********2222');
  await page.getByText('********1111').waitFor();

  await visit(page, back, '.fields');
  await page.getByRole('button', { name: 'Accept …' }).click();
  await asked.getByRole('button', { name: 'Accept', exact: true }).click();
  await page.getByText('as Stripe, by secret 2').waitFor();
  expect(new URL(page.url()).pathname).toMatch(new RegExp(`^/endpoints/${endpointId}/events/evt_`));

  await open('/settings');
  await page.getByRole('button', { name: 'Remove secret 1' }).click();
  await save(page, '********2222');
  await until(
    'the first is gone',
    async () => (await page.getByText('********1111').count()) === 0,
  );
  await page.getByRole('button', { name: 'Stop enforcing' }).click();
  await page.getByRole('button', { name: 'Enforce …' }).waitFor();
  await page.getByRole('button', { name: 'Remove the source …' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
  await page.getByRole('button', { name: 'Remove the source …' }).waitFor({ state: 'detached' });
});

test('rows and events say who sent them, and the list is filtered by it', async () => {
  const { page, captureUrl, endpointId, send, open } = await start({ expected: /status of 400/ });
  await open('/settings');
  await chooseStripe(page, FIRST);
  await save(page, '********1111');
  await page.getByLabel('Recognise repeats').selectOption('paths');
  const paths = page.getByLabel('Paths');
  await paths.fill('body.id\nbody.[');
  const dedupe = page.locator('form', { has: paths });
  await dedupe.getByRole('button', { name: 'Save' }).click();
  await page.locator('#field-dedupe-paths-fault', { hasText: /^entry 2: / }).waitFor();
  await paths.fill('body.id');
  await dedupe.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Repeats are recognised from now on').waitFor();

  const first = await send(BODY, FIRST);
  await send(BODY.replace('invoice', 'charge'), FIRST);
  const forged = await send(BODY, SECOND);
  await open('', '[role=option]');
  await rows(page).nth(2).waitFor();
  const texts = await rows(page).allInnerTexts();
  expect(texts[0]).toContain('proof failed');
  expect(texts[1]).toMatch(/verified[\s\S]*repeat/);
  expect(texts[2]).not.toContain('repeat');
  expect(texts[2]).toContain('verified');

  await rows(page).nth(1).click();
  await page.getByText('as Stripe, by secret 1').waitFor();
  await page.getByText('body differs').waitFor();
  await page.locator('.summary').getByRole('link', { name: first }).click();
  await until('the first one is open', () => page.url().includes(first));
  await page.getByText('body differs').waitFor({ state: 'detached' });

  await open('', '[role=option]');
  const count = (text: string) => page.locator('.list-head', { hasText: text }).waitFor();
  await open('?verification=failed', '[role=option]');
  await count('1 match');
  expect(new URL(page.url()).search).toBe('?verification=failed');
  await rows(page).first().click();
  await page.getByText('No secret of the source fits its signature.').waitFor();
  expect(page.url()).toContain(forged);
  await open('?verification=verified&duplicates=hide', '[role=option]');
  await count('1 match');
  expect(await page.getByLabel('Repeats', { exact: true }).inputValue()).toBe('hide');
  await page.getByLabel('Repeats', { exact: true }).selectOption('only repeats');
  await count('1 match');
  await rows(page).filter({ hasText: 'repeat' }).waitFor();
  await page.getByRole('button', { name: 'Clear' }).click();
  await count('3 events');
  expect(new URL(page.url()).pathname).toBe(`/endpoints/${endpointId}`);
  expect(captureUrl).toContain('/in/');
});

test('a destination signs as the provider does, and says why it didn’t', async () => {
  const { page, send, open } = await start();
  const receiver = await httpReceiver();
  await open('/destinations');
  await page.getByLabel('URL of the destination').fill(`${receiver.url}/in`);
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  const card = page.locator('.card.destination');
  const form = await editDestination(page, card);
  expect(await form.getByLabel('Signature of').count()).toBe(0);

  await open('/settings');
  await chooseStripe(page, FIRST);
  await save(page, '********1111');
  await open('/destinations');
  await editDestination(page, card);
  await form
    .getByLabel('Signature of Stripe')
    .selectOption('Sign as Stripe would, at each attempt');
  await saveDestination(page);
  await backToDestinations(page);
  await page.locator('.card', { hasText: 'signed as the provider signs' }).waitFor();
  await send(BODY, FIRST);
  expect((await receiver.received(1))[0]?.headers['stripe-signature']).toMatch(/^t=\d+,v1=/);

  const forged = await send(BODY, SECOND);
  await open(`/events/${forged}?tab=deliveries`, '.attempts li');
  await page.locator('.attempt-code', { hasText: 'not_verified' }).waitFor();
  await page.getByText('only verified events are signed').waitFor();
  await page.getByText('Correct the source').waitFor();
  expect(receiver.requests).toHaveLength(1);
});

test('a token, a user with a password, and a signature of one’s own have their fields', async () => {
  const { page, captureUrl, endpointId, open } = await start({ expected: /status of 400/ });
  await open('/settings');
  const sender = page.getByLabel('Sender');
  await sender.fill('A token');
  await page.getByRole('textbox', { name: 'New secret' }).fill('the token of a sender');
  await page.getByLabel('Where the token is').fill('x-token');
  await page.getByRole('button', { name: 'Save the source' }).click();
  await page.locator('#field-in-fault', { hasText: 'must be header.NAME' }).waitFor();
  await page.getByLabel('Where the token is').fill('header.x-token');
  await save(page, '********nder');
  await capture(captureUrl, '{"by": "token"}', { headers: { 'x-token': 'the token of a sender' } });

  await sender.fill('HTTP Basic');
  await page.getByLabel('User').fill('ada');
  await page.getByRole('textbox', { name: 'Password' }).fill('lovelace');
  await save(page, '********lace');
  const authorization = `Basic ${Buffer.from('ada:lovelace').toString('base64')}`;
  await capture(captureUrl, '{"by": "basic"}', { headers: { authorization } });

  await sender.fill('A signature of your own');
  await page.getByRole('textbox', { name: 'New secret' }).fill('k');
  await page.getByLabel('Its form').fill('sha256={hex}');
  await page.getByLabel('What is signed').fill('{nothing}');
  await page.getByRole('button', { name: 'Save the source' }).click();
  await page.locator('#field-scheme-signed-fault').waitFor();
  await page.getByLabel('What is signed').fill('{body}');
  await save(page, '********');
  const hex = createHmac('sha256', 'k').update('{"by": "custom"}').digest('hex');
  const headers = { 'x-signature': `sha256=${hex}` };
  await capture(captureUrl, '{"by": "custom"}', { headers });

  await visit(page, `/endpoints/${endpointId}`, '[role=option]');
  await rows(page).nth(2).waitFor();
  const texts = await rows(page).allInnerTexts();
  expect(texts.map((text) => /verified|authenticated|failed/.exec(text)?.[0])).toEqual([
    'verified',
    'authenticated',
    'authenticated',
  ]);
});

test('a sender that checks the URL says so, and an event without a source leads to it', async () => {
  const { page, captureUrl, endpointId, open } = await start();
  const id = await capture(captureUrl, '{"n": 1}');
  await open(`/events/${id}`, '.proof-line');
  const line = page.locator('.proof-line');
  expect(await line.innerText()).toBe('No source set: prove who sends');
  await line.getByRole('link').click();
  await page.getByLabel('Sender').waitFor();
  expect(new URL(page.url()).pathname).toBe(`/endpoints/${endpointId}/source`);
  await page.locator('.tabs [aria-current]', { hasText: 'Settings' }).waitFor();

  await page.getByLabel('Sender').fill('X');
  await page.getByText('X asks your URL every hour; hookrelay answers by itself').waitFor();
  await page.getByText('At X: ').waitFor();
  await open('/rejected', '.empty');
  await page.getByText('the endpoint has no source, so no request is checked').waitFor();
  await page.getByRole('link', { name: 'Set a source' }).click();
  await page.getByLabel('Sender').waitFor();
});
