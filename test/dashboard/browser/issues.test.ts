import { expect, test } from 'vitest';
import { capture, expectStatus, register } from '../../fixtures/account.ts';
import { channelMessages } from '../../fixtures/channel-messages.ts';
import { httpReceiver, status } from '../../fixtures/receiver.ts';
import { runServer, serverOfFile } from '../../fixtures/running-server.ts';
import { storedIssue } from '../../fixtures/stored-issue.ts';
import { AXE, findings } from './axe.ts';
import { openAccount } from './open-account.ts';
import { openPage, visit } from './open-page.ts';

const server = serverOfFile();

test('issues are listed, shown and changed, without a serious finding', async () => {
  const { page, endpointId } = await openAccount(server, { bypassCSP: true });
  const eventIds = ['evt_00000000000000000000000001'];
  const id = storedIssue(server, endpointId, { kind: 'conflict', count: 3, eventIds });
  storedIssue(server, endpointId, { kind: 'drift', subject: 'order.created', state: 'ignored' });
  await page.evaluate(AXE);

  await visit(page, '/issues', '.issue-row');
  const list = page.locator('.issue-row');
  expect(await list.count()).toBe(1);
  await list.getByText('3×').waitFor();
  await list.getByText('inbox').first().waitFor();
  expect(await findings(page)).toEqual([]);
  await page.getByLabel('State').selectOption('all');
  await page.getByText('drift').last().waitFor();
  await expect.poll(() => list.count()).toBe(2);

  await visit(page, `/issues/${id}`, 'h2');
  await page.getByRole('heading', { name: 'What to do' }).waitFor();
  await page.getByRole('link', { name: eventIds[0] as string }).waitFor();
  // Commands stand apart from the words of their step.
  const command = `hookrelay events list ${endpointId} --duplicates only`;
  expect(await page.locator('.steps pre').first().textContent()).toBe(command);
  expect(await findings(page)).toEqual([]);
  for (const [button, state] of [
    ['Acknowledge', 'acknowledged'],
    ['Ignore', 'ignored'],
    ['Resolve', 'resolved'],
  ] as const) {
    await page.getByRole('button', { name: button, exact: true }).click();
    await page.locator('.badge', { hasText: state }).waitFor();
  }
  await visit(page, '/issues', '.empty');
});

test('the filter of issues is in the address, and the severe ones come first', async () => {
  const { page, endpointId } = await openAccount(server);
  const now = Date.now();
  storedIssue(server, endpointId, { kind: 'conflict', lastAt: now });
  storedIssue(server, endpointId, { kind: 'verification', lastAt: now - 60_000 });
  storedIssue(server, endpointId, { kind: 'drift', lastAt: now - 1000 });

  await visit(page, '/issues', '.issue-row');
  const kinds = () => page.locator('.issue-place').allTextContents();
  expect(await kinds()).toEqual(['verification · inbox', 'drift · inbox', 'conflict · inbox']);
  await page.getByLabel('Kind').selectOption('drift');
  await expect.poll(kinds).toEqual(['drift · inbox']);
  expect(new URL(page.url()).search).toBe('?kind=drift');
  await page.locator('main').getByLabel('Endpoint').selectOption({ label: 'inbox' });
  await page.waitForURL(`**/issues?kind=drift&endpoint=${endpointId}`);
  await page.reload();
  await expect.poll(kinds).toEqual(['drift · inbox']);
  expect(await page.getByLabel('Kind').inputValue()).toBe('drift');
  await page.goBack();
  await page.goBack();
  await expect.poll(kinds).toHaveLength(3);
});

test('a change of an issue is sent once, and can be undone', async () => {
  const { page, endpointId } = await openAccount(server);
  const id = storedIssue(server, endpointId, { state: 'acknowledged' });
  await visit(page, `/issues/${id}`, 'h2');
  const sent: string[] = [];
  const held = Promise.withResolvers<void>();
  await page.route(`**/api/issues/${id}`, async (route) => {
    if (route.request().method() === 'PATCH') {
      sent.push(route.request().postDataJSON().state);
      await held.promise;
    }
    await route.continue();
  });
  const ignore = page.getByRole('button', { name: 'Ignore', exact: true });
  await ignore.evaluate((button: HTMLButtonElement) => {
    for (let i = 0; i < 3; i++) button.click();
  });
  held.resolve();
  await page.locator('.badge', { hasText: 'ignored' }).waitFor();
  expect(sent).toEqual(['ignored']);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.locator('.badge', { hasText: 'acknowledged' }).waitFor();
  expect(sent).toEqual(['ignored', 'acknowledged']);
});

test('a drift shows its members with both types, and is accepted by one click', async () => {
  const { page, endpointId } = await openAccount(server);
  const id = storedIssue(server, endpointId, { kind: 'drift', subject: 'order.created' });
  await page.route(`**/api/issues/${id}`, async (route) => {
    const response = await route.fetch();
    const cause =
      'Since 2026-11-21T14:05:00.000Z payloads of order.created differ from those before: ' +
      'body.city is missing (was a string); body.to\u202Etal is a number (was a string or null).';
    await route.fulfill({ response, json: { ...(await response.json()), cause } });
  });
  await visit(page, `/issues/${id}`, '.drift');
  const rows = await page.locator('.drift tbody tr').allInnerTexts();
  expect(rows.map((row) => row.split('\t'))).toEqual([
    ['body.city', 'a string', 'missing'],
    ['body.to\\u202Etal', 'a string or null', 'a number'],
  ]);
  await page.getByRole('button', { name: 'Accept the new shape' }).click();
  await page.locator('.badge', { hasText: 'resolved' }).waitFor();
  await page.getByText('has learned the new shape').waitFor();
});

test('an issue of a destination shows what waits there', async () => {
  const { page, account, captureUrl, endpointId } = await openAccount(server);
  const paused = { state: 'paused' };
  const { id: destinationId } = await account.addDestination(
    { id: endpointId },
    'http://127.0.0.1:1/hooks',
    undefined,
    paused,
  );
  const eventId = await capture(captureUrl, '{"id": 1}');
  const id = storedIssue(server, endpointId, { kind: 'backlog', destinationId });
  await visit(page, `/issues/${id}`, 'h2');
  await page.getByRole('heading', { name: '1 delivery waits' }).waitFor();
  await page.getByRole('link', { name: eventId }).click();
  await page.waitForURL(`**/endpoints/${endpointId}/events/${eventId}`);
});

test('an endpoint expects events', async () => {
  const { page, endpointId } = await openAccount(server, { expected: /status of 400/ });
  await visit(page, `/endpoints/${endpointId}/settings`, '#field-expect_every');
  const field = page.getByLabel('Expect an event every');
  const set = page.getByRole('button', { name: 'Set the expectation' });
  await field.fill('5');
  await set.click();
  await page.locator('#field-expect_every-fault').waitFor();
  await field.fill('900s');
  await set.click();
  await page.getByText('Its silence is an issue now').waitFor();
  await page.reload();
  await field.waitFor();
  expect(await field.inputValue()).toBe('15m');
});

test('a channel is added, shows its secret once, is tested, changed and removed', async () => {
  const receiver = await httpReceiver();
  const { page } = await openAccount(server, {
    bypassCSP: true,
    expected: /status of 4(00|09)/,
  });
  await visit(page, '/account', '.section-head');
  await page.evaluate(AXE);
  await page.getByRole('button', { name: 'New channel …' }).click();
  const dialog = page.getByRole('dialog', { name: 'New channel' });
  await dialog.getByLabel('URL').fill('nothing');
  await dialog.getByLabel('Only some issues').check();
  await dialog.getByLabel('conflict').uncheck();
  await dialog.getByRole('button', { name: 'Add' }).click();
  await dialog.locator('#field-target-fault').waitFor();
  expect(await findings(page)).toEqual([]);
  await dialog.getByLabel('URL').fill(receiver.url);
  await dialog.getByRole('button', { name: 'Add' }).click();
  await dialog.waitFor({ state: 'detached' });
  const once = page.locator('.once .mono');
  const secret = (await once.textContent()) as string;
  server.secrets.push(secret);
  expect(secret).toMatch(/^whsec_/);
  const line = page.locator('.rows li', { hasText: receiver.url });
  await line.getByText('No message yet').waitFor();
  expect(await line.textContent()).not.toContain('conflict');
  expect(await findings(page)).toEqual([]);

  await page.getByRole('button', { name: 'New channel …' }).click();
  await dialog.getByLabel('Type').selectOption('email');
  await dialog.getByRole('button', { name: 'Add' }).click();
  // This server has no mail server.
  await dialog.getByText('this server sends no email').waitFor();
  await page.keyboard.press('Escape');

  // The result of a test stands at its channel.
  await line.getByRole('button', { name: /^Test/ }).click();
  await line.getByText('Test: the message arrived').waitFor();
  expect(receiver.requests).toHaveLength(1);
  await line.getByText('Last message arrived').waitFor();

  await line.getByRole('button', { name: /^Edit/ }).click();
  const edit = page.getByRole('dialog', { name: 'Webhook channel' });
  expect(await edit.getByLabel('conflict').isChecked()).toBe(false);
  await edit.getByLabel('Only some issues').uncheck();
  await edit.getByRole('button', { name: 'Save' }).click();
  await line.getByText('all issues').waitFor();

  await line.getByRole('button', { name: /^Remove/ }).click();
  const ask = page.getByRole('dialog', { name: 'Remove the channel?' });
  await ask.getByText(receiver.url).waitFor();
  await ask.getByRole('button', { name: 'Remove' }).click();
  await page.getByText('The channel is removed').waitFor();
  await line.waitFor({ state: 'detached' });
  // Its secret is of no use any more.
  expect(await once.count()).toBe(0);
});

test('a test that fails says why at its channel', async () => {
  const receiver = await httpReceiver(status(503));
  const { page, call } = await openAccount(server);
  const input = { type: 'webhook', url: receiver.url };
  const { secret } = await call(201, 'POST', '/api/channels', input);
  server.secrets.push(secret);
  await visit(page, '/account/alerts', '.rows li');
  await page.getByRole('button', { name: /^Test/ }).click();
  await page.locator('.test-result.is-bad', { hasText: '503' }).waitFor();
});

test('an address confirms by the button behind its link', async () => {
  // Nobody listens there: the link is read from the database.
  const server = await runServer({
    smtpUrl: 'smtp://127.0.0.1:1',
    smtpFrom: 'alerts@example.com',
  });
  const account = await register(server);
  const input = { type: 'email', to: 'ops@example.com' };
  const { id } = expectStatus(201, await account.call('POST', '/api/channels', input));
  const [message = ''] = channelMessages(server, id);
  const [, token = ''] = /\/confirm\?token=([\w-]+)/.exec(JSON.parse(message).text) ?? [];
  server.secrets.push(token);
  const { page } = await openPage(`${server.url}/confirm?token=${token}`);
  await page.getByRole('button', { name: 'Send alerts to this address' }).click();
  await page.getByRole('heading', { name: 'Confirmed' }).waitFor();
  expect(page.url()).toBe(`${server.url}/confirm`);
  const shown = expectStatus(200, await account.call('GET', `/api/channels/${id}`));
  expect(shown.confirmed).toBe(true);
});
