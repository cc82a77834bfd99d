import { expect, test } from 'vitest';
import { capture } from '../../fixtures/account.ts';
import { httpReceiver } from '../../fixtures/receiver.ts';
import { serverOfFile } from '../../fixtures/running-server.ts';
import { openAccount } from './open-account.ts';
import { visit } from './open-page.ts';

/* The deliveries of an event: what became of all, and both sides of each attempt. */

const server = serverOfFile({ retryBase: 50, retryFactor: 1, retryMax: 50, retryAttempts: 8 });
/** No failed attempt is tried again during a test. */
const NO_RETRY = { retry: { attempts: 8, base: '1h', factor: 1, max: '1h' } };

test('a retry doesn’t hide what was delivered, and an attempt has both sides', async () => {
  const { page, account, captureUrl, endpointId } = await openAccount(server, {
    viewport: { width: 1440, height: 900 },
  });
  const receiver = await httpReceiver((request, res) => {
    res.setHeader('x-answer', 'yes');
    res.statusCode = request.target.startsWith('/bad') ? 503 : 200;
    res.end('an answer');
  });
  for (const name of ['good', 'bad']) {
    const url = `${receiver.url}/${name}`;
    await account.addDestination({ id: endpointId }, url, undefined, NO_RETRY);
  }
  const id = await capture(`${captureUrl}/sub?a=1`, '{"n": 1}', {
    headers: { 'content-type': 'application/json' },
  });
  await receiver.received(2);
  await visit(page, `/endpoints/${endpointId}/events/${id}?tab=deliveries`, '.delivery');
  await page
    .locator('.delivery-sum', { hasText: /^1 of 2 delivered, 1 retrying in (1 h|60 min|\d+ min)$/ })
    .waitFor();

  const bad = page.locator('.delivery', { hasText: '/bad' });
  await bad.locator('.attempt-sides > summary').click();
  const request = bad.getByRole('region', { name: 'Request' });
  const response = bad.getByRole('region', { name: 'Response' });
  await request.getByText(`POST ${receiver.url}/bad/sub?a=1`).waitFor();
  await response.getByRole('rowheader', { name: 'x-answer' }).waitFor();
  await response.getByText('an answer').waitFor();
  await request.getByRole('button', { name: 'Show the body' }).click();
  const body = request.getByRole('textbox', { name: 'Body of the request' });
  expect(await body.textContent()).toBe('{"n": 1}');
  const [left, right] = await Promise.all([request.boundingBox(), response.boundingBox()]);
  expect(right?.y).toBe(left?.y);
  expect(right?.x).toBeGreaterThan((left?.x ?? 0) + (left?.width ?? 0) - 1);
  await page.setViewportSize({ width: 390, height: 800 });
  const below = await response.boundingBox();
  expect(below?.x).toBe((await request.boundingBox())?.x);
});

test('attempts say how long the wait between them was', async () => {
  const { page, account, captureUrl, endpointId } = await openAccount(server);
  const receiver = await httpReceiver((_, res) => {
    res.statusCode = 500;
    res.end('no');
  });
  await account.addDestination({ id: endpointId }, `${receiver.url}/ledger`);
  const id = await capture(captureUrl, '{}');
  await receiver.received(8);
  await visit(page, `/endpoints/${endpointId}/events/${id}?tab=deliveries`, '.delivery');
  await page.locator('.attempts li').nth(7).waitFor();
  const waits = await page.locator('.attempt-when').allTextContents();
  expect(waits[0]).not.toContain('later');
  for (const wait of waits.slice(1)) expect(wait).toMatch(/ · \d+(?:\.\d)? m?s later$/);
  await page.locator('.delivery .badge', { hasText: 'gave up' }).waitFor();
  await page.getByRole('button', { name: 'Retry now' }).waitFor();
});

test('an action that the server refuses says why beside its button', async () => {
  const { page, account, captureUrl, endpointId } = await openAccount(server, {
    expected: /status of 503/,
  });
  const receiver = await httpReceiver((_, res) => {
    res.statusCode = 500;
    res.end('no');
  });
  await account.addDestination({ id: endpointId }, `${receiver.url}/ledger`, undefined, NO_RETRY);
  const id = await capture(captureUrl, '{}');
  await receiver.received(1);
  await visit(page, `/endpoints/${endpointId}/events/${id}?tab=deliveries`, '.next');
  const body = { error: { code: 'busy', message: 'the store is busy', hint: 'try again soon' } };
  await page.route('**/retry', (route) => route.fulfill({ status: 503, json: body }));
  const retry = page.getByRole('button', { name: 'Retry now' });
  await retry.click();
  const why = page.locator('.delivery .actions').getByRole('alert');
  await why.getByText('the store is busy: try again soon').waitFor();
  await page.unroute('**/retry');
  await retry.click();
  await why.waitFor({ state: 'detached' });
});
