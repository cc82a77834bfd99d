import { expect, test } from 'vitest';
import { capture } from '../../fixtures/account.ts';
import { httpReceiver, status } from '../../fixtures/receiver.ts';
import { serverOfFile } from '../../fixtures/running-server.ts';
import { until } from '../../fixtures/until.ts';
import { openAccount } from './open-account.ts';
import { choose, chooseForDestination, rows, visit } from './open-page.ts';

/* Finding, reading, comparing and replaying events. */

const JSON_TYPE = { headers: { 'content-type': 'application/json' } };

/** A retry comes soon, and not before a busy machine has shown that it will. */
const server = serverOfFile({ retryBase: 2000, retryMax: 2000, retryAttempts: 100 });
const start = () => openAccount(server);

test('search and filters narrow the list and appear in the address', async () => {
  const { page, captureUrl, endpointId } = await start();
  for (let i = 0; i < 5; i++) await capture(captureUrl, `{"order": "${i}-x"}`, JSON_TYPE);
  await capture(`${captureUrl}/other`, 'plain', { method: 'PUT' });
  await until('all are there', async () => (await rows(page).count()) === 6);

  await page.getByRole('searchbox').fill('"3-x"');
  await page.getByText('1 match', { exact: true }).waitFor();
  expect(new URL(page.url()).searchParams.get('q')).toBe('"3-x"');
  expect(await rows(page).count()).toBe(1);
  // Events that match appear, and others don't.
  await capture(captureUrl, '{"order": "9-x"}', JSON_TYPE);
  await capture(captureUrl, '{"again": "3-x"}', JSON_TYPE);
  await page.getByText('2 matches').waitFor();
  await page.getByRole('button', { name: 'Clear' }).click();
  await page.getByText('8 events').waitFor();

  await page.keyboard.press('f');
  await page.getByLabel('Member', { exact: true }).fill('method');
  await page.getByLabel('Value').selectOption('PUT');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByText('1 match', { exact: true }).waitFor();
  expect(await page.getByLabel('Method', { exact: true }).inputValue()).toBe('PUT');
  const address = page.url();
  await page.goto(`${server.url}/endpoints/${endpointId}?q=nothing+like+it`);
  await page.getByText('Nothing matches. No body that passes').waitFor();
  await page.goto(address);
  await page.getByText('1 match', { exact: true }).waitFor();
  expect(await rows(page).first().textContent()).toContain('/other');
});

test('a search result that arrives before its list is drawn is shown', async () => {
  const { page, captureUrl, endpointId } = await start();
  const words = ['one', 'two', 'three', 'four', 'five', 'six'];
  for (const word of words) await capture(captureUrl, word);
  // Effects then run long after the answer.
  await page.evaluate(() => {
    window.requestAnimationFrame = () => 0;
  });
  for (const word of words) {
    await visit(page, `/endpoints/${endpointId}?q=${word}`, '.list-head');
    await page.getByText('1 match', { exact: true }).waitFor();
  }
});

test('numbers are exact, and saved bytes are the captured ones', async () => {
  const { page, captureUrl, endpointId } = await start();
  const body = ' {"id": 12345678901234567890, "price": 1.0, "big": 1e400, "a": 1, "a": 2}\n';
  // A header that looks like the end of the API's answer.
  const id = await capture(captureUrl, body, {
    headers: { ...JSON_TYPE.headers, body_encoding: 'json', body: '{"fake": true}' },
  });
  await page.goto(`${server.url}/events/${id}`);
  await page.waitForURL(`**/endpoints/${endpointId}/events/${id}`);
  await page.locator('.json').waitFor();
  expect(await page.locator('.json-number').allTextContents()).toEqual([
    '12345678901234567890',
    '1.0',
    '1e400',
    '1',
    '2',
  ]);
  await page.getByRole('button', { name: 'Raw', exact: true }).click();
  expect(await page.getByRole('textbox', { name: 'Raw body' }).textContent()).toBe(body);
  const download = page.waitForEvent('download');
  await choose(page, 'More actions', 'Download the body');
  const stream = await (await download).createReadStream();
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  expect(Buffer.concat(chunks).toString()).toBe(body);
});

test('binary bodies show as hex, forms as fields, headers with duplicates', async () => {
  const { page, captureUrl } = await start();
  await capture(captureUrl, Buffer.from([0xff, 0xfe, 0x00, 0x41]));
  await rows(page).first().waitFor();
  await rows(page).first().click();
  await page.getByRole('textbox', { name: 'Body as hexadecimal bytes' }).waitFor();
  expect(await page.locator('.hex').textContent()).toMatch(
    /^00000000 {2}ff fe 00 41 +\|\.\.\.A\|$/,
  );
  await capture(captureUrl, 'name=caf%C3%A9&tag=1&tag=%3Cb%3E', {
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'X-Double': ['one', 'two'] },
  });
  await until('it is there', async () => (await rows(page).count()) === 2);
  await rows(page).first().click();
  await page.locator('.fields').waitFor();
  expect(await page.locator('.fields tr').allTextContents()).toEqual([
    'namecafé',
    'tag1',
    'tag<b>',
  ]);
  await page.getByRole('button', { name: 'Headers' }).click();
  const headers = await page.locator('.fields tr').allTextContents();
  expect(headers.filter((text) => text.startsWith('X-Double'))).toEqual([
    'X-Doubleone',
    'X-Doubletwo',
  ]);
});

test('the JSON in a form’s payload is shown, compared, and its fields stay in view', async () => {
  const { page, captureUrl } = await start();
  const form = { headers: { 'content-type': 'application/x-www-form-urlencoded' } };
  for (const n of ['12345678901234567890', '12345678901234567891']) {
    await capture(captureUrl, `payload=${encodeURIComponent(`{"n": ${n}}`)}&v=1`, form);
  }
  await until('both are there', async () => (await rows(page).count()) === 2);
  await rows(page).nth(1).click();
  await page.locator('.json').waitFor();
  expect(await page.locator('.json-number').allTextContents()).toEqual(['12345678901234567890']);
  await page.getByText('from the field payload').waitFor();
  await page.getByRole('button', { name: 'Form', exact: true }).click();
  expect(await page.locator('.fields tr').allTextContents()).toEqual([
    'payload{"n": 12345678901234567890}',
    'v1',
  ]);
  await choose(page, 'More actions', 'Compare …');
  await rows(page).nth(0).click();
  await choose(page, 'More actions', 'Compare with the marked');
  const table = page.getByRole('table', { name: 'Differences of the bodies' });
  await table.waitFor();
  expect(await table.locator('tbody .mono').allTextContents()).toEqual([
    '$.n',
    '12345678901234567890',
    '12345678901234567891',
  ]);
});

test('two events are compared by their structure', async () => {
  const { page, captureUrl } = await start();
  await capture(captureUrl, '{"a": 1, "list": [1, 2], "same": true}', JSON_TYPE);
  await capture(captureUrl, '{"same": true, "list": [1, 2.0, 3], "b": "<i>"}', JSON_TYPE);
  await until('both are there', async () => (await rows(page).count()) === 2);
  await rows(page).nth(1).click();
  await choose(page, 'More actions', 'Compare …');
  await rows(page).nth(0).click();
  await choose(page, 'More actions', 'Compare with the marked');
  const table = page.getByRole('table', { name: 'Differences of the bodies' });
  await table.waitFor();
  const found = await table
    .locator('tbody tr')
    .evaluateAll((lines) =>
      lines.map((line) => [...line.querySelectorAll('td')].map((cell) => cell.textContent)),
    );
  expect(found).toEqual([
    ['−', '$.a', '1', ''],
    ['~', '$.list[1]', '2', '2.0'],
    ['+', '$.list[2]', '', '3'],
    ['+', '$.b', '', '"<i>"'],
  ]);
});

test('a mark from another endpoint is replaced at once', async () => {
  const { page, captureUrl } = await start();
  await capture(captureUrl);
  await rows(page).first().click();
  await choose(page, 'More actions', 'Compare …');
  await page.getByRole('button', { name: '+ New' }).click();
  await page.getByLabel('Name of the new endpoint').fill('second');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('heading', { name: 'second' }).waitFor();
  await capture((await page.locator('.endpoint-head .url-text').textContent()) as string);
  await rows(page).first().click();
  await choose(page, 'More actions', 'Compare …');
  await page.getByText('Marked: open another').waitFor();
});

test('deliveries show each attempt, the next state, and a replay while it runs', async () => {
  const { page, captureUrl } = await start();
  const target = await httpReceiver(status(503));
  await page.getByRole('link', { name: 'Destinations' }).click();
  await page.getByLabel('URL of the destination').fill(`${target.url}/hook`);
  await page.getByRole('button', { name: 'Generate' }).click();
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByText('it is not shown again').waitFor();
  await capture(captureUrl, '{}', JSON_TYPE);
  await page.locator('.tabs').getByRole('link', { name: 'Events' }).click();
  await rows(page).first().click();
  await page.getByRole('button', { name: 'Deliveries' }).click();
  await page.locator('.attempt-code', { hasText: '503' }).first().waitFor();
  await page.getByText(/^Attempt #\d|An attempt is under way/).waitFor();
  // The retry comes by itself, and is shown without a reload.
  target.respond = (_, res) => void res.end('thanks');
  await page.locator('.delivery .badge', { hasText: 'succeeded' }).waitFor();
  await page.locator('.summary .badge', { hasText: 'delivered' }).waitFor();
  const before = target.requests.length;
  await page.getByRole('button', { name: 'Replay', exact: true }).click();
  await target.received(before + 1);
  await until('both rounds are shown', async () => {
    const badges = await page.locator('.delivery .badge').allTextContents();
    return badges.join() === 'replay,succeeded,earlier';
  });
  await page.locator('summary', { hasText: 'Response' }).first().click();
  await page.getByText('thanks').first().waitFor();

  // A bulk replay: counted first, then done.
  await page.getByRole('button', { name: /^Replay all/ }).click();
  await page.getByText('1 event would be delivered again.').waitFor();
  await page.getByRole('button', { name: 'Replay 1 event' }).click();
  await page.getByText('1 event will be replayed').waitFor();
  await target.received(before + 2);

  await page.getByRole('link', { name: 'Destinations' }).click();
  await page.getByText(/attempts in 24 h succeeded/).waitFor();
  await chooseForDestination(page.locator('.card'), 'How to verify');
  await page.getByRole('textbox', { name: 'Verification in Node' }).waitFor();
});

test('an endpoint is renamed, paused, resumed, and deleted by typing its name', async () => {
  const { page, captureUrl } = await start();
  await page.locator('.tabs').getByRole('link', { name: 'Settings' }).click();
  await page.getByLabel('Name', { exact: true }).fill('orders');
  await page.getByRole('button', { name: 'Rename' }).click();
  await page.getByRole('heading', { name: 'orders' }).waitFor();
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.locator('.badge.is-paused').waitFor();
  expect((await fetch(captureUrl)).status).toBe(404);
  await page.getByRole('button', { name: 'Resume' }).click();
  await page.locator('.badge.is-paused').waitFor({ state: 'detached' });
  expect((await fetch(captureUrl)).status).toBe(200);
  await page.goto(new URL('/endpoints', page.url()).href);
  await page.getByRole('img', { name: '1 event in the last 24 hours' }).waitFor();
  await page.getByRole('button', { name: 'New endpoint' }).click();
  const named = page.getByText('Another endpoint has this name already');
  await page.getByLabel('Name of the new endpoint').fill('orders');
  await named.waitFor();
  await page.getByLabel('Name of the new endpoint').fill('second');
  await named.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('heading', { name: 'second' }).waitFor();
  await page.locator('.tabs').getByRole('link', { name: 'Settings' }).click();
  await page.getByLabel('Name', { exact: true }).fill('orders');
  await named.waitFor();
  await page.getByRole('button', { name: 'Delete the endpoint …' }).click();
  await page.getByText('0 events, 0 open deliveries, 0 destinations').waitFor();
  const remove = page.getByRole('button', { name: 'Delete for good' });
  expect(await remove.isDisabled()).toBe(true);
  await page.getByLabel('Type second to confirm').fill('secon');
  expect(await remove.isDisabled()).toBe(true);
  await page.getByLabel('Type second to confirm').fill('second');
  await remove.click();
  await page.getByText('second is deleted').waitFor();
  await until('it is gone', async () => (await page.locator('.endpoint-row').count()) === 1);
});

test('unread events are counted in the title while the page is hidden', async () => {
  const { page, captureUrl } = await start();
  await page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  });
  for (let i = 0; i < 3; i++) await capture(captureUrl);
  await until('they are counted', async () => (await page.title()).startsWith('(3) inbox'));
  await page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { value: 'visible', configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  });
  expect(await page.title()).toBe('inbox · Events · hookrelay');
});

test('the AI panel says which plan is needed and which command grants it', async () => {
  const { page, captureUrl } = await openAccount(server, { expected: /status of 40[34]/ });
  // The operations come with the server's AI part; its answer is the contract's.
  await page.route('**/ai/**', (route) =>
    route.fulfill({
      status: 403,
      json: {
        error: {
          code: 'plan_required',
          message: 'this needs the starter or the pro plan',
          hint: 'hookrelay users set-plan ada@example.com starter',
        },
      },
    }),
  );
  await capture(captureUrl, '{}', JSON_TYPE);
  await rows(page).first().click();
  await page.locator('.tabs').getByRole('button', { name: 'Explain' }).click();
  await page.locator('.ai').getByRole('button', { name: 'Explain' }).click();
  await page.getByText('hookrelay users set-plan ada@example.com starter').waitFor();
  await page.unroute('**/ai/**');
  await page.route('**/ai/handler?over=type', (route) => {
    const asked = route.request().postDataJSON();
    const code = `// ${asked.language} ${asked.framework}`;
    const test = { test: '# a test', test_file: 'test_push.py' };
    return route.fulfill({ json: { code, file: 'push.py', ...test, engine: 'builtin' } });
  });
  await page.getByLabel('Language').selectOption('python');
  await page.getByRole('button', { name: 'Handler' }).click();
  await page.getByText('// python fastapi').waitFor();
  await page.getByText('by builtin').waitFor();
  const test = page.getByRole('textbox', { name: 'Test of the handler' });
  await page.getByRole('heading', { name: 'test_push.py' }).waitFor();
  await page.getByRole('heading', { name: 'push.py', exact: true }).waitFor();
  expect(await test.textContent()).toBe('# a test');
  await page.locator('.code', { has: test }).getByRole('button', { name: 'Copy' }).click();
  await page.getByText('Copied').waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('# a test');
});
