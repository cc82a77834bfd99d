import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { capture } from '../../fixtures/account.ts';
import { httpReceiver } from '../../fixtures/receiver.ts';
import { serverOfFile } from '../../fixtures/running-server.ts';
import { named, openAccount, shows, visit } from './open-firefox.ts';

/* What an endpoint is set to do: its destinations, and the proof of its sender. */

const server = serverOfFile();
const SECRET = 'a secret that two sides know';

async function start() {
  server.secrets.push(SECRET);
  return openAccount(server);
}

test('a destination is added, edited, paused and resumed', async () => {
  const { page, captureUrl, endpointId } = await start();
  const receiver = await httpReceiver();
  await visit(page, `/endpoints/${endpointId}/destinations`, 'form');
  await page.locator(named('textbox', 'URL of the destination')).fill(`${receiver.url}/one`);
  await page.locator(named('button', 'Add')).click();
  await shows(page, '.card', `${receiver.url}/one`);

  await page.locator('.card a::-p-text(Edit)').click();
  await page.locator('.rule-editor >>> .cm-content').wait();
  await page.locator('.settings-form input[name=name]').fill('billing');
  await page.locator(named('button', 'Save')).click();
  await shows(page, '.notices', 'The destination is saved');
  await visit(page, `/endpoints/${endpointId}/destinations`, '.card');
  await shows(page, '.card-name', 'billing');

  await page.locator(named('button', 'Pause')).click();
  await shows(page, '.card .badge', 'paused');
  await capture(captureUrl, '{}');
  await shows(page, '.card', '1 delivery waits');
  expect(receiver.requests).toEqual([]);
  await page.locator(named('button', 'Resume')).click();
  await receiver.received(1);
  await shows(page, '.card', 'healthy');
});

test('a source is set, checked over past events, and its verdict shown', async () => {
  const { page, captureUrl, endpointId } = await start();
  const body = '{"zen": "Keep it logically awesome."}';
  const hex = createHmac('sha256', SECRET).update(body).digest('hex');
  const headers = { 'x-github-event': 'ping', 'x-hub-signature-256': `sha256=${hex}` };
  await capture(captureUrl, body, { headers });
  await capture(captureUrl, '{}', { headers });

  await visit(page, `/endpoints/${endpointId}/settings`, '#field-provider');
  await page.locator('#field-provider').fill('GitHub');
  await page.locator(named('textbox', 'New secret')).fill(SECRET);
  await page.locator(named('button', 'Check past events')).click();
  await shows(page, 'main', '1 of 2 events passes');
  await page.locator(named('button', 'Save the source')).click();
  await shows(page, '.notices', 'The source is saved');
  await shows(page, 'main', '********know');
  expect(await page.content()).not.toContain(SECRET);

  const id = await capture(captureUrl, body, { headers });
  await visit(page, `/endpoints/${endpointId}/events/${id}`, '.summary .proof.is-verified');
});
