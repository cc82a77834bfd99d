import { expect, test } from 'vitest';
import { capture } from '../../fixtures/account.ts';
import { httpReceiver, status } from '../../fixtures/receiver.ts';
import { serverOfFile } from '../../fixtures/running-server.ts';
import { until } from '../../fixtures/until.ts';
import { openAccount } from './open-account.ts';
import {
  backToDestinations,
  choose,
  chooseForDestination,
  editDestination,
  type PageOptions,
  rows,
  saveDestination,
  visit,
} from './open-page.ts';

/* Replays of one event and of many, edited copies, deletion and retention. */

const JSON_TYPE = { 'content-type': 'application/json' };
/** No failed attempt is tried again during a test. */
const server = serverOfFile({ retryBase: 3_600_000, retryMax: 3_600_000 });

/** A signed-in page, and the API with the rights of its account. */
async function start(options: PageOptions = {}) {
  const receiver = await httpReceiver();
  const { page, captureUrl, endpointId, call: callApi } = await openAccount(server, options);
  const call = (status: number, method: string, rest: string, body?: unknown) =>
    callApi(status, method, `/api/endpoints/${endpointId}${rest}`, body);
  const add = (name: string, settings: object = {}) =>
    call(201, 'POST', '/destinations', { name, url: `${receiver.url}/${name}`, ...settings });
  const open = (rest: string) => visit(page, `/endpoints/${endpointId}${rest}`, '.tabs');
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const dialog = (name: string) => page.getByRole('dialog', { name });
  /** The paths of the requests so far, sorted: no order holds between destinations. */
  const targets = () => receiver.requests.map(({ target }) => target).sort();
  return {
    receiver,
    page,
    captureUrl,
    endpointId,
    call,
    add,
    open,
    button,
    dialog,
    targets,
  };
}

test('an event is replayed to chosen destinations', async () => {
  const { receiver, page, captureUrl, add, open, dialog, targets } = await start();
  await add('one');
  await add('two');
  await add('off', { state: 'disabled' });
  const id = await capture(captureUrl, '{"n": 1}');
  await receiver.received(2);
  await open(`/events/${id}?tab=deliveries`);
  await choose(page, 'Ways to replay', 'To some destinations …');
  const replay = dialog('Replay the event');
  const send = replay.getByRole('button', { name: 'Replay', exact: true });
  expect(await send.isDisabled()).toBe(true);
  expect(await replay.getByRole('checkbox', { name: 'off (disabled)' }).isDisabled()).toBe(true);
  await replay.getByRole('checkbox', { name: 'two' }).check();
  await send.click();
  await page.getByText('Replayed to 1 destination').waitFor();
  await receiver.received(3);
  expect(targets()).toEqual(['/one', '/two', '/two']);

  // The dialog also replays to all, by keys alone.
  await page.keyboard.press('R');
  await replay.getByRole('radio', { name: 'every destination (2)' }).check();
  await page.keyboard.press('Enter');
  await page.getByText('Replayed to 2 destinations').waitFor();
  await receiver.received(5);
});

test('an event is replayed once to a URL, and the server’s objection is shown', async () => {
  const { receiver, page, captureUrl, endpointId, add, open, dialog } = await start({
    expected: /status of 400/,
  });
  await add('one');
  receiver.respond = status(503);
  const id = await capture(captureUrl, '{"n": 1}');
  await receiver.received(1);
  await open(`/events/${id}?tab=deliveries`);
  await choose(page, 'Ways to replay', 'Once to a URL …');
  const replay = dialog('Replay the event');
  expect(await replay.getByRole('radio', { name: 'a URL, once' }).isChecked()).toBe(true);
  const url = replay.getByRole('textbox', { name: 'URL' });
  const send = () => replay.getByRole('button', { name: 'Replay', exact: true }).click();
  await url.fill('ftp://example.com/');
  await send();
  await replay.locator('#field-url-fault').waitFor();
  expect(await url.getAttribute('aria-invalid')).toBe('true');
  await url.fill(`${receiver.url}/once`);
  await replay.locator('#field-url-fault').waitFor({ state: 'detached' });
  await send();
  await page.getByText('Replayed to the URL').waitFor();
  const [, request] = await receiver.received(2);
  expect(request?.target).toBe('/once');
  const delivery = page.locator('.delivery', { hasText: '/once' });
  await delivery.getByText('once', { exact: true }).waitFor();
  await delivery.getByText(/^Attempt #2 in/).waitFor();
  await delivery.locator('.attempt-code', { hasText: '503' }).waitFor();

  await visit(page, `/endpoints/${endpointId}/deliveries`, '.delivery-list li');
  await page.getByText(`${receiver.url}/once (once)`).waitFor();
});

test('an edited copy is captured, delivered, and linked to its original', async () => {
  const { receiver, page, captureUrl, add, open, dialog } = await start({
    expected: /status of 400/,
  });
  await add('one');
  const body = '{"id": 12345678901234567890, "n": 1}';
  const headers = { ...JSON_TYPE, 'x-tenant': '7', 'x-old': '1' };
  const id = await capture(`${captureUrl}/v1?a=1`, body, { headers });
  await receiver.received(1);
  await open(`/events/${id}`);
  await choose(page, 'Ways to replay', 'Edit and resend …');
  const edit = dialog('Edit and resend');
  const send = () => edit.getByRole('button', { name: 'Send the copy' }).click();
  const method = edit.getByLabel('Method');
  await method.fill('post it');
  await edit.getByLabel('Value of x-tenant').fill('→');
  await send();
  await edit.locator('#field-method-fault').waitFor();
  await edit.getByText('must be without line ends').first().waitFor();
  expect(await method.evaluate((field) => field === document.activeElement)).toBe(true);
  await method.fill('PUT');
  await edit.getByLabel('Path', { exact: true }).fill('/v2');
  await edit.getByLabel('Query').fill('a=2');
  await edit.getByLabel('Value of x-tenant').fill('8');
  await edit.getByRole('button', { name: 'Remove x-old' }).click();
  await edit.getByRole('button', { name: 'Add a header' }).click();
  await edit.getByLabel('Header', { exact: true }).last().fill('x-new');
  await edit.getByLabel('Value of x-new').fill('yes');
  await edit.getByLabel('Body').fill(body.replace('"n": 1', '"n": 2'));
  await send();
  await page.getByText('The edited copy is captured').waitFor();
  const [, request] = await receiver.received(2);
  expect(request).toMatchObject({
    method: 'PUT',
    target: '/one/v2?a=2',
    headers: { ...JSON_TYPE, 'x-tenant': '8', 'x-new': 'yes' },
  });
  expect(request?.headers['x-old']).toBeUndefined();
  expect(String(request?.body)).toBe('{"id": 12345678901234567890, "n": 2}');

  await page.locator('.summary', { hasText: 'edited copy of' }).waitFor();
  expect(page.url()).not.toContain(id);
  await page.locator('.summary').getByRole('link', { name: id }).click();
  await page.locator('.detail-nav', { hasText: id }).waitFor();
  await page.locator('.summary', { hasText: 'edited copy of' }).waitFor({ state: 'detached' });
  expect(new URL(page.url()).pathname).toContain(`/events/${id}`);
});

test('an edited copy goes to chosen destinations, and a signature that no longer fits is named', async () => {
  const { receiver, page, captureUrl, add, open, dialog, targets } = await start();
  await add('production', { filter: 'method=GET' });
  await add('staging');
  const headers = { ...JSON_TYPE, 'x-github-event': 'push', 'x-hub-signature-256': 'sha256=ab' };
  const id = await capture(captureUrl, '{"n": 1}', { headers });
  await receiver.received(1);
  await open(`/events/${id}`);
  await choose(page, 'Ways to replay', 'Edit and resend …');
  const edit = dialog('Edit and resend');
  const send = edit.getByRole('button', { name: 'Send the copy' });
  const [staging, production] = ['staging', 'production'].map((name) =>
    edit.getByRole('checkbox', { name }),
  ) as [ReturnType<typeof page.locator>, ReturnType<typeof page.locator>];
  await staging.waitFor();
  expect([await staging.isChecked(), await production.isChecked()]).toEqual([false, false]);
  await edit.getByText('Choose the destinations that get the copy').waitFor();
  expect(await send.isDisabled()).toBe(true);
  await production.check();
  await edit.getByText('production gets the copy whatever its filter says').waitFor();
  await production.uncheck();
  await staging.check();
  await edit.getByLabel('Body').fill('{"n": 2}');
  await edit.getByText('x-hub-signature-256 signs the original').waitFor();
  await send.click();
  await page.getByText('X-Hub-Signature-256 signs the original').waitFor();
  await receiver.received(2);
  expect(targets()).toEqual(['/staging', '/staging']);
});

test('a body that is not text stays in an edited copy', async () => {
  const { receiver, page, captureUrl, add, open, dialog } = await start();
  await add('one');
  const bytes = Buffer.from([0xff, 0, 0xfe]);
  const response = await fetch(captureUrl, { method: 'POST', body: bytes });
  const { event_id } = (await response.json()) as { event_id: string };
  await open(`/events/${event_id}`);
  await choose(page, 'Ways to replay', 'Edit and resend …');
  const edit = dialog('Edit and resend');
  await edit.getByText('The body (3 B, not UTF-8) stays').waitFor();
  await edit.getByLabel('Path', { exact: true }).fill('/copy');
  await edit.getByRole('button', { name: 'Send the copy' }).click();
  await page.getByText('The edited copy is captured').waitFor();
  const [, request] = await receiver.received(2);
  expect(request?.target).toBe('/one/copy');
  expect(request?.body.equals(bytes)).toBe(true);
});

test('an event is deleted after a question, and one that is gone says so', async () => {
  const { page, captureUrl, endpointId, call, add, open, button, dialog } = await start({
    expected: /status of 404/,
  });
  await add('held', { state: 'paused' });
  const ids: string[] = [];
  for (const n of [1, 2, 3]) ids.push(await capture(captureUrl, `{"n": ${n}}`));
  await open('');
  await page.getByText('3 events', { exact: true }).waitFor();
  await open(`/events/${ids[0]}`);
  await choose(page, 'More actions', 'Delete …');
  const remove = dialog('Delete the event');
  await remove.getByText('1 open delivery will be cancelled').waitFor();
  await page.keyboard.press('Escape');
  await remove.waitFor({ state: 'detached' });
  await choose(page, 'More actions', 'Delete …');
  await remove.getByRole('button', { name: 'Delete for good' }).click();
  await page.getByText('The event is deleted').waitFor();
  await page.getByText('2 events', { exact: true }).waitFor();
  expect(new URL(page.url()).pathname).toBe(`/endpoints/${endpointId}`);
  await until('its row is gone', async () => (await rows(page).count()) === 2);

  // Deleted elsewhere while it is shown, and before it is opened.
  await open(`/events/${ids[1]}`);
  // The button is there before the event is.
  await page.locator('.json').waitFor();
  await call(204, 'DELETE', `/events/${ids[1]}`);
  await button('Replay').click();
  const gone = page.getByText('This event is gone: it was deleted');
  await gone.waitFor();
  expect(await button('Replay').count()).toBe(0);
  await page.getByRole('button', { name: 'Back to the events' }).click();
  await page.getByText('1 event', { exact: true }).waitFor();
  await call(204, 'DELETE', `/events/${ids[2]}`);
  await rows(page).first().click();
  await gone.waitFor();
});

test('events that match are replayed to a chosen destination, as a job with progress', async () => {
  const { receiver, page, captureUrl, add, open, targets } = await start();
  await add('one');
  await add('two');
  for (const n of [1, 2, 3]) await capture(captureUrl, `{"n": ${n}}`, { headers: JSON_TYPE });
  await receiver.received(6);
  await open('?where=body.n%3E%3D2');
  await page.getByText('2 matches', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Replay these …' }).click();
  const bulk = page.getByRole('dialog', { name: 'Bulk replay' });
  await bulk.getByText('2 events would be delivered again.').waitFor();
  await bulk.getByRole('radio', { name: 'some destinations' }).check();
  const send = bulk.getByRole('button', { name: 'Replay 2 events' });
  expect(await send.isDisabled()).toBe(true);
  await bulk.getByRole('checkbox', { name: 'two' }).check();
  await send.click();
  await page.getByText('2 events will be replayed').waitFor();
  await receiver.received(8);
  expect(targets().filter((target) => target === '/two')).toHaveLength(5);

  await open('/replays');
  const job = page.locator('.delivery-list li');
  await job.getByText('2 events matched · 2 deliveries queued · 2 delivered · 0 gave up').waitFor();
  await job.locator('.badge', { hasText: 'done' }).waitFor();
  expect(await job.getByRole('button').count()).toBe(0);
});

test('a bulk replay that runs is cancelled after a question', async () => {
  const { page, captureUrl, add, open, call } = await start();
  await add('held', { state: 'paused' });
  for (const n of [1, 2]) await capture(captureUrl, `{"n": ${n}}`);
  await open('/replays');
  await page.getByText('Nothing was replayed in bulk.').waitFor();
  await call(202, 'POST', '/replay', {});
  await page.getByRole('link', { name: 'Deliveries' }).click();
  await page.getByRole('link', { name: 'Replays' }).click();
  const job = page.locator('.delivery-list li');
  await job.getByText('2 events matched · 2 deliveries queued · 0 delivered').waitFor();
  await job.getByRole('button', { name: /^Cancel/ }).click();
  const cancel = page.getByRole('dialog', { name: 'Cancel the bulk replay' });
  await cancel.getByRole('button', { name: 'Go on with it' }).click();
  await cancel.waitFor({ state: 'detached' });
  await job.getByText('running').waitFor();
  await job.getByRole('button', { name: /^Cancel/ }).click();
  await cancel.getByRole('button', { name: 'Cancel the bulk replay' }).click();
  await job.getByText('cancelled').waitFor();
  await open('/deliveries?state=pending');
  await page.getByText('No delivery matches.').waitFor();
});

test('what a filter dropped is judged again', async () => {
  const { receiver, page, captureUrl, add, open, call } = await start();
  const { id } = await add('one', { filter: 'body.n>=3' });
  for (const n of [1, 2, 3]) await capture(captureUrl, `{"n": ${n}}`, { headers: JSON_TYPE });
  await receiver.received(1);
  await call(200, 'PATCH', `/destinations/${id}`, { filter: 'body.n>=2' });
  await open('/destinations');
  await chooseForDestination(page.locator('.card'), 'Judge again what it filtered …');
  const judge = page.getByRole('dialog', { name: 'Judge again' });
  await judge.getByRole('button', { name: /^Judge \d events?$/ }).click();
  await page.getByText(/will be replayed/).waitFor();
  const [, request] = await receiver.received(2);
  expect(String(request?.body)).toBe('{"n": 2}');

  // Without a filter there is no such button, but what was dropped is still listed.
  await call(200, 'PATCH', `/destinations/${id}`, { filter: null });
  await open(`/deliveries?state=filtered&destination=${id}`);
  await page.getByText('1 delivery', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Judge these again …' }).click();
  await judge.getByRole('button', { name: 'Judge 1 event' }).click();
  const [, , last] = await receiver.received(3);
  expect(String(last?.body)).toBe('{"n": 1}');
});

test('retention is set, refused at its field, and given back to the server', async () => {
  const { page, open, call } = await start({ expected: /status of 400/ });
  await open('/settings');
  const field = page.getByLabel('Keep events for');
  const set = () => page.getByRole('button', { name: 'Set the retention' }).click();
  await field.fill('long');
  await set();
  await page.locator('#field-retention-fault').waitFor();
  expect(await field.getAttribute('aria-invalid')).toBe('true');
  await field.fill('30d');
  await set();
  await page.getByText('The retention is set').waitFor();
  expect(await page.locator('#field-retention-fault').count()).toBe(0);
  expect(await call(200, 'GET', '')).toMatchObject({ retention: '30d' });
  await page.reload();
  await until('it is shown', async () => (await field.inputValue()) === '30d');
  await field.fill('');
  await set();
  await page.getByText('The server’s retention counts').waitFor();
  expect(await call(200, 'GET', '')).toMatchObject({ retention: null });
});

test('a delivery says that it is behind another one of its key', async () => {
  const { receiver, page, captureUrl, add, open } = await start({ expected: /status of 400/ });
  await add('one');
  receiver.respond = status(503);
  await open('/destinations');
  const card = page.locator('.card');
  const edit = await editDestination(page, card);
  const order = edit.getByLabel('Order by');
  await order.fill('body.[');
  await edit.getByRole('button', { name: 'Save' }).click();
  await edit.locator('#field-order_by-fault').waitFor();
  await order.fill('body.customer');
  await saveDestination(page);
  await backToDestinations(page);
  await card.getByText('in order of body.customer').waitFor();

  const ids: string[] = [];
  for (const customer of [1, 1, 2]) {
    ids.push(await capture(captureUrl, `{"customer": ${customer}}`, { headers: JSON_TYPE }));
  }
  await receiver.received(2);
  await open('/deliveries');
  const behind = 'Waits behind an earlier delivery of the same key';
  const items = page.locator('.delivery-list li');
  await items
    .filter({ hasText: ids[1] as string })
    .getByText(behind)
    .waitFor();
  expect(await page.getByText(behind).count()).toBe(1);
  receiver.respond = (_request, res) => void res.end('ok');
  const first = items.filter({ hasText: ids[0] as string });
  await first.getByRole('button', { name: /^Cancel/ }).click();
  await items
    .filter({ hasText: ids[1] as string })
    .getByText('succeeded')
    .waitFor();
});

test('on a phone, the open tab and the states of deliveries are on the screen', async () => {
  const receiver = await httpReceiver();
  const { page, captureUrl, endpointId } = await openAccount(server, {
    viewport: { width: 390, height: 800 },
  });
  const at = `/endpoints/${endpointId}`;
  const isVisible = (selector: string) =>
    page.evaluate((of) => {
      const box = document.querySelector(of)?.getBoundingClientRect();
      return box !== undefined && box.left >= 0 && box.right <= innerWidth;
    }, selector);
  await visit(page, `${at}/settings`, '.danger');
  await until('the tab is there', () => isVisible('.tabs [aria-current]'));

  const id = await capture(captureUrl, '{}');
  await visit(page, `${at}/events/${id}?tab=deliveries`, '.actions');
  await choose(page, 'Ways to replay', 'To some destinations …');
  await page.getByRole('radio', { name: 'a URL, once' }).check();
  const url = page.getByRole('textbox', { name: 'URL' });
  await url.fill(`${receiver.url}/a/path/that/is/longer/than/the/line/of/a/telephone`);
  await page.keyboard.press('Enter');
  await page.locator('.delivery .badge').nth(2).waitFor();
  expect(await isVisible('.delivery')).toBe(true);
  expect(await isVisible('.delivery .badge:last-child')).toBe(true);
});
