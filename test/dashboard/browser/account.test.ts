import { expect, test } from 'vitest';
import { callApi, expectStatus } from '../../fixtures/account.ts';
import { serverOfFile } from '../../fixtures/running-server.ts';
import { openAccount } from './open-account.ts';
import { visit } from './open-page.ts';

const server = serverOfFile();

test('a token gets rights, the audit shows it, and the password changes', async () => {
  const { page, account } = await openAccount(server, { expected: /status of 40[01]/ });
  await page.goto(`${server.url}/account/tokens`);
  await page.getByRole('button', { name: 'New token …' }).click();
  const dialog = page.getByRole('dialog', { name: 'New API token' });
  await dialog.getByLabel('Name').fill('ci');
  await dialog.getByLabel('Scope').selectOption('read only');
  await dialog.getByLabel('Expires').selectOption('in 30 days');
  await dialog.getByLabel('Only some endpoints').check();
  await dialog.getByRole('button', { name: 'Create' }).click();
  // Without an endpoint it is refused, and the form stays.
  await dialog.getByText('must name at least one endpoint').waitFor();
  await dialog.getByLabel('inbox').check();
  await dialog.getByRole('button', { name: 'Create' }).click();
  await dialog.waitFor({ state: 'detached' });
  const token = (await page.locator('.once .mono').textContent()) as string;
  server.secrets.push(token);
  await page.getByText('read only · inbox · never used').waitFor();
  const headers = { authorization: `Bearer ${token}` };
  const me = expectStatus(200, await callApi(server, 'GET', '/api/me', undefined, { headers }));
  expect(me).toMatchObject({ scopes: ['read'], endpoint_ids: [expect.any(String)] });

  await visit(page, '/account/audit', '.audit-row');
  const entry = page.locator('.audit-row', { hasText: 'Token created' });
  await entry.getByText('ci', { exact: true }).waitFor();
  expect(await entry.locator('.changes').textContent()).toContain('scopesread');
  await visit(page, '/account/sessions', '.rows li');

  const login = (password: string) =>
    callApi(server, 'POST', '/api/auth/login', { email: account.email, password });
  const other = expectStatus(200, await login(account.password));
  server.secrets.push(other.accessToken, other.refreshToken);
  const change = async (current: string, next: string) => {
    await page.getByLabel('Current password').fill(current);
    await page.getByLabel('New password').fill(next);
    await page.getByRole('button', { name: 'Change', exact: true }).click();
  };
  await change('wrong password', 'another password');
  const fault = page.locator('#field-current-fault');
  await fault.getByText('the current password is wrong').waitFor();
  await change(account.password, 'another password');
  await page.getByText('The password is changed').waitFor();
  expect(await fault.count()).toBe(0);
  const ended = { headers: { authorization: `Bearer ${other.accessToken}` } };
  expect((await callApi(server, 'GET', '/api/me', undefined, ended)).status).toBe(401);
  expectStatus(200, await login('another password'));
  // This session goes on.
  await page.goto(`${server.url}/account/audit`);
  await page.getByText('Password changed').waitFor();
});
