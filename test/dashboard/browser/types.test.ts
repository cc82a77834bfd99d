import { expect, test } from 'vitest';
import { capture } from '../../fixtures/account.ts';
import { serverOfFile } from '../../fixtures/running-server.ts';
import { storedIssue } from '../../fixtures/stored-issue.ts';
import { until } from '../../fixtures/until.ts';
import { AXE, findings } from './axe.ts';
import { openAccount } from './open-account.ts';
import { visit } from './open-page.ts';

const server = serverOfFile();
const JSON_TYPE = { 'content-type': 'application/json' };

test('types are listed, and their schemas shown in every format and copied', async () => {
  const { page, captureUrl } = await openAccount(server, { bypassCSP: true });
  await page.evaluate(AXE);
  await page.getByRole('link', { name: 'Types' }).click();
  await page.getByText('There is no type yet').waitFor();
  expect(await findings(page)).toEqual([]);

  await capture(captureUrl, '{"total": 10}', { headers: JSON_TYPE });
  for (let n = 0; n < 2; n++) {
    const headers = { ...JSON_TYPE, 'x-github-event': 'Push Hook/1' };
    await capture(captureUrl, '{"ref": "main"}', { headers });
  }
  // The list follows what is learned.
  const lines = page.locator('tbody tr');
  await lines.nth(1).waitFor();
  await until('all are counted', async () =>
    /github2/.test((await lines.allTextContents())[0] ?? ''),
  );
  expect(await lines.nth(0).textContent()).toMatch(/^Push Hook\/1github2/);
  expect(await lines.nth(1).textContent()).toMatch(/^without a type1/);
  expect(await findings(page)).toEqual([]);

  // By keyboard alone.
  await page.getByRole('link', { name: 'Push Hook/1' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Push Hook/1' }).waitFor();
  const schema = page.getByRole('textbox', { name: 'Schema of Push Hook/1' });
  for (const [format, part] of [
    ['TypeScript', 'ref?: string | null;'],
    ['Zod', "from 'zod'"],
    ['JSON Schema', '"type": "object"'],
    ['Pydantic', 'from pydantic import'],
    ['Go', 'json:"ref'],
  ] as const) {
    await page.getByRole('button', { name: format, exact: true }).focus();
    await page.keyboard.press('Enter');
    await schema.getByText(part).waitFor();
    expect(await page.locator('.segments [aria-pressed=true]').allTextContents()).toEqual([format]);
  }
  await page.getByRole('button', { name: 'Copy', exact: true }).click();
  await page.getByText('Copied').waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toBe(await schema.textContent());
  expect(await findings(page)).toEqual([]);
  // The address holds the type and the format, and Back leaves the type.
  await page.reload();
  await schema.getByText('json:"ref').waitFor();
  await page.goBack();
  await page.getByRole('link', { name: 'without a type' }).click();
  await page.getByText('total?: number | null;').waitFor();
});

test('a type whose payload changed leads to its issue', async () => {
  const { page, captureUrl, endpointId } = await openAccount(server);
  for (const type of ['order.created', 'order.paid']) {
    const headers = { ...JSON_TYPE, 'x-github-event': type };
    await capture(captureUrl, '{"id": 1}', { headers });
  }
  const drift = (subject: string, state: 'open' | 'resolved') =>
    storedIssue(server, endpointId, { kind: 'drift', subject, state });
  const id = drift('order.created', 'open');
  drift('order.paid', 'resolved');

  const link = page.getByRole('link', { name: 'the payload of order.created changed' });
  await visit(page, `/endpoints/${endpointId}/types`, 'tbody tr');
  await link.waitFor();
  await page.getByRole('link', { name: 'order.paid' }).click();
  await page.getByRole('textbox', { name: 'Schema of order.paid' }).waitFor();
  expect(await link.count()).toBe(0);
  await page.getByRole('link', { name: 'All types' }).click();
  await page.getByRole('link', { name: 'order.created', exact: true }).click();
  await page.getByRole('textbox', { name: 'Schema of order.created' }).waitFor();
  await link.click();
  await page.waitForURL(`**/issues/${id}`);
});

test('a type without a schema says why, and names of senders stay text', async () => {
  const { page, captureUrl, endpointId } = await openAccount(server, { expected: /status of 404/ });
  const hostile = '<img src=x onerror="window.pwned=1">';
  await capture(captureUrl, 'no JSON', { headers: { 'x-github-event': hostile } });
  const json = { ...JSON_TYPE, 'x-github-event': 'a&format=zod#' };
  await capture(captureUrl, JSON.stringify({ [hostile]: '</pre><b>' }), { headers: json });
  await visit(page, `/endpoints/${endpointId}/types`, 'tbody tr');
  await page.getByRole('link', { name: hostile }).click();
  await page.getByRole('heading', { name: hostile }).waitFor();
  await page.getByText('no event of this type had a JSON body').waitFor();
  await page.getByRole('link', { name: 'All types' }).click();
  await page.getByRole('link', { name: 'a&format=zod#' }).click();
  await page.getByRole('textbox', { name: 'Schema of a&format=zod#' }).getByText('img').waitFor();
  expect(await page.locator('.segments [aria-pressed=true]').textContent()).toBe('TypeScript');

  await visit(page, `/endpoints/${endpointId}/types?type=gone`, '.problem');
  await page.getByText('has no such type').waitFor();
  expect(await page.evaluate(() => 'pwned' in window)).toBe(false);
});
