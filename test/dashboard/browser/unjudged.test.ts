import { expect, test } from 'vitest';
import { capture } from '../../fixtures/account.ts';
import { httpReceiver } from '../../fixtures/receiver.ts';
import { serverOfFile } from '../../fixtures/running-server.ts';
import { openAccount } from './open-account.ts';

const server = serverOfFile();
const FILTER = { $not: { body: { list: Array(450).fill({ $gt: 1 }) } } };
const BODY = JSON.stringify({ list: [...Array(20_000).fill(1), 2] });

test('settings hold what filters cannot judge; the event says so, and a retry sends it', async () => {
  const { page, account, endpointId, captureUrl, call } = await openAccount(server);
  const target = await httpReceiver();
  await account.addDestination({ id: endpointId }, target.url, undefined, { filter: FILTER });
  await page.goto(`${server.url}/endpoints/${endpointId}/settings`);
  await page.getByRole('button', { name: 'Hold them' }).click();
  await page.getByRole('button', { name: 'Deliver them' }).waitFor();
  expect(await call(200, 'GET', `/api/endpoints/${endpointId}`)).toMatchObject({
    on_unjudged: 'hold',
  });
  const id = await capture(captureUrl, BODY);
  await page.goto(`${server.url}/endpoints/${endpointId}`);
  await page.locator('.row', { hasText: 'unjudged' }).waitFor();
  await page.goto(`${server.url}/endpoints/${endpointId}/events/${id}?tab=deliveries`);
  await page
    .getByText('A filter could not judge it: the filter takes too long on this body.')
    .waitFor();
  await page.getByText('Waits for you: a filter could not judge the event.').waitFor();
  await page.getByRole('button', { name: 'Retry now' }).click();
  const [sent] = await target.received(1);
  expect(sent?.headers['webhook-id']).toBe(id);
});
