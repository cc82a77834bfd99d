import { expect, test } from 'vitest';
import { expectStatus, register } from '../../fixtures/account.ts';
import { channelMessages } from '../../fixtures/channel-messages.ts';
import { httpReceiver } from '../../fixtures/receiver.ts';
import { runServer } from '../../fixtures/running-server.ts';
import { storedIssue } from '../../fixtures/stored-issue.ts';
import { AXE, findings } from './axe.ts';
import { browserOfFile, openPage, signUp, visit } from './open-page.ts';

const browser = browserOfFile();

test('issues are listed, shown and changed, without a serious finding', async () => {
  const server = await runServer();
  const { page } = await openPage(browser(), server.url, { bypassCSP: true });
  const { endpointId } = await signUp(page);
  const eventIds = ['evt_00000000000000000000000001'];
  const id = storedIssue(server, endpointId, { kind: 'conflict', count: 3, eventIds });
  storedIssue(server, endpointId, { kind: 'drift', subject: 'order.created', state: 'ignored' });
  await page.evaluate(AXE);

  await visit(page, '/endpoints', '.endpoint-row');
  await page.getByRole('link', { name: '1 open issue' }).click();
  const list = page.locator('.lines li');
  await list.first().waitFor();
  expect(await list.count()).toBe(1);
  expect(await findings(page)).toEqual([]);
  await page.getByLabel('State').selectOption('all');
  await page.getByText('drift').waitFor();
  expect(await list.count()).toBe(2);

  await visit(page, `/issues/${id}`, 'h2');
  await page.getByRole('heading', { name: 'What to do' }).waitFor();
  await page.getByRole('link', { name: eventIds[0] as string }).waitFor();
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
  await page.getByRole('link', { name: 'Issues', exact: true }).waitFor();
});

test('an endpoint expects events', async () => {
  const server = await runServer();
  const { page } = await openPage(browser(), server.url, { expected: /status of 400/ });
  const { endpointId } = await signUp(page);
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

test('a channel is added, shows its secret once, and goes', async () => {
  const receiver = await httpReceiver();
  const server = await runServer();
  const { page } = await openPage(browser(), server.url, {
    bypassCSP: true,
    expected: /status of 4(00|09)/,
  });
  await signUp(page);
  await visit(page, '/account', '.lines li');
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
  const secret = (await page.locator('.once .mono').textContent()) as string;
  server.secrets.push(secret);
  expect(secret).toMatch(/^whsec_/);
  const line = page.locator('.lines li', { hasText: receiver.url }).first();
  await line.getByText('no message yet').waitFor();
  expect(await line.textContent()).not.toContain('conflict');
  expect(await findings(page)).toEqual([]);

  await page.getByRole('button', { name: 'New channel …' }).click();
  await dialog.getByLabel('Type').selectOption('email');
  await dialog.getByRole('button', { name: 'Add' }).click();
  // This server has no mail server.
  await dialog.getByText('this server sends no email').waitFor();
  await page.keyboard.press('Escape');

  await line.getByRole('button', { name: 'Test' }).click();
  await page.getByText('A test is on its way').waitFor();
  await line.getByRole('button', { name: 'Remove' }).click();
  await page.getByText('The channel is removed').waitFor();
  await line.waitFor({ state: 'detached' });
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
  const { page } = await openPage(browser(), `${server.url}/confirm?token=${token}`);
  await page.getByRole('button', { name: 'Send alerts to this address' }).click();
  await page.getByRole('heading', { name: 'Confirmed' }).waitFor();
  expect(page.url()).toBe(`${server.url}/confirm`);
  const shown = expectStatus(200, await account.call('GET', `/api/channels/${id}`));
  expect(shown.confirmed).toBe(true);
});
