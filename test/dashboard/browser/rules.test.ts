import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { capture } from '../../fixtures/account.ts';
import { serverOfFile } from '../../fixtures/running-server.ts';
import { until } from '../../fixtures/until.ts';
import { type AccountPage, openAccount } from './open-account.ts';
import { rows, saveDestination, visit } from './open-page.ts';

/* Rules on the page: as a filter of the list, tried on history, and their versions. */

const JSON_TYPE = { headers: { 'content-type': 'application/json' } };

const server = serverOfFile();

const start = (viewport = { width: 1280, height: 800 }) =>
  openAccount(server, { viewport, expected: /status of 4(?:00|04|29)/ });

/** Adds a destination, and opens its view. */
async function destination({ page, account, endpointId }: AccountPage) {
  const added = await account.addDestination({ id: endpointId }, 'http://127.0.0.1:1/in');
  const form = page.locator('.settings-form');
  const at = `/endpoints/${endpointId}/destinations/${added.id}`;
  await visit(page, at, '.settings-form .rule-editor .cm-content');
  const filter = page.getByRole('textbox', { name: 'Filter' });
  const facts = (text: string) =>
    until(`the try says ${text}`, async () => {
      const shown = await form.locator('.trial-fact').allTextContents();
      return shown.join(', ') === text;
    });
  return { form, filter, facts };
}

/** The text of an editor, without its placeholder. */
const textOf = async (editor: Locator) =>
  (await editor.locator('.cm-line').allTextContents()).join('\n');

/** Adds a filter by its parts. */
async function build(page: Page, member: string, operator: string, value: string) {
  await page.getByLabel('Member', { exact: true }).fill(member);
  await page.getByLabel('Operator').selectOption({ label: operator });
  await page.getByLabel('Value').fill(value);
  await page.getByRole('button', { name: 'Add', exact: true }).click();
}

/** Types are learned after the capture: each visit looks again. */
async function learned(page: Page, address: string) {
  await until('they are learned', async () => {
    await page.goto(address);
    const schema = page.locator('.snippets pre, .problem').first();
    await schema.waitFor();
    return /paid.*open|open.*paid/s.test((await schema.textContent()) ?? '');
  });
}

test('a rule filters the list, also what arrives, and stays in the address', async () => {
  const { page, captureUrl } = await start();
  for (const n of [1, 2, 3]) await capture(captureUrl, `{"n": ${n}}`, JSON_TYPE);
  await page.getByText('3 events').waitFor();
  await rows(page).first().waitFor();

  expect(await page.getByLabel('Member', { exact: true }).count()).toBe(0);
  await page.keyboard.press('f');
  await until('it has the focus', () =>
    page
      .getByLabel('Member', { exact: true })
      .evaluate((field) => field === document.activeElement),
  );
  await build(page, 'body.n', 'at least', '3');
  await page.getByText('1 match', { exact: true }).waitFor();
  expect(new URL(page.url()).searchParams.get('where')).toBe('body.n>=3');
  await capture(captureUrl, '{"n": 1}', JSON_TYPE);
  await capture(captureUrl, '{"n": 4}', JSON_TYPE);
  await page.getByText('2 matches').waitFor();
  await page.reload();
  await page.getByText('2 matches').waitFor();
  await page.keyboard.press('f');
  const rule = page.getByRole('textbox', { name: 'Rule' });
  await until('it is in the editor', async () => (await textOf(rule)) === 'body.n>=3');
  // A second condition narrows it, and each ends alone.
  await build(page, 'body.n', 'is', '4');
  await page.getByText('1 match', { exact: true }).waitFor();
  expect(await textOf(rule)).toBe('body.n>=3 and body.n=4');
  await page.getByRole('button', { name: 'End the filter body.n>=3' }).click();
  await until('one is left', async () => (await textOf(rule)) === 'body.n=4');
  await page.getByRole('button', { name: 'Clear' }).click();
  await page.getByText('5 events').waitFor();
  expect(await rule.count()).toBe(0);
});

test('a wrong rule is explained at its field, and a link to one opens it', async () => {
  const { page, captureUrl, endpointId } = await start();
  await capture(captureUrl, '{"n": 1}', JSON_TYPE);
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  const rule = page.locator('.cm-content[aria-label="Rule"]');
  await rule.click();
  await page.keyboard.type('body.n>=');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Enter');
  const fault = page.locator('#where-fault');
  await fault.waitFor();
  expect(await fault.textContent()).not.toBe('');
  await rule.locator('.cm-lintRange-error').waitFor();
  expect(await rule.getAttribute('aria-invalid')).toBe('true');
  expect(await page.locator('.notices > *, .problem').count()).toBe(0);
  await page.keyboard.type('1');
  // Enter alone would take a suggestion that has come by then.
  await page.keyboard.press('Control+Enter');
  await page.getByText('1 match', { exact: true }).waitFor();
  expect(await fault.count()).toBe(0);
  await page.goto(`${server.url}/endpoints/${endpointId}?where=body.`);
  await fault.waitFor();
  await until('it is in the editor', async () => (await textOf(rule)) === 'body.');
});

test('a type filters by headers and bodies, on a phone too', async () => {
  const { page, captureUrl } = await start({ width: 390, height: 800 });
  const of = (headers: Record<string, string>) => ({
    headers: { ...JSON_TYPE.headers, ...headers },
  });
  await capture(captureUrl, '{}', of({ 'x-github-event': 'push' }));
  await capture(captureUrl, '{"type": "invoice.paid"}', of({ 'stripe-signature': 't=1,v1=x' }));
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  for (const type of ['push', 'invoice.paid']) {
    await build(page, 'type', 'is', type);
    await page.getByText('1 match', { exact: true }).waitFor();
    expect(new URL(page.url()).searchParams.get('type')).toBe(type);
    await rows(page).getByText(type).waitFor();
  }
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow).toBeLessThanOrEqual(0);
  await page.getByRole('button', { name: 'End the filter Type' }).click();
  await page.getByText('2 events').waitFor();
});

test('the builder suggests the members and values that the endpoint has learned', async () => {
  const { page, captureUrl, endpointId } = await start();
  const kinds = ['paid', 'paid', 'paid', 'open', 'open', 'open'];
  for (const kind of kinds) {
    const body = `{"type": "invoice.sent", "invoice": {"state": "${kind}", "no": "7"}}`;
    const headers = { ...JSON_TYPE.headers, 'stripe-signature': 't=1,v1=x' };
    await capture(captureUrl, body, { headers });
  }
  const optionsOf = (list: string) =>
    page
      .locator(`#${list} option`)
      .evaluateAll((all) => all.map((one) => (one as HTMLOptionElement).value));
  await learned(page, `${server.url}/endpoints/${endpointId}/types?type=invoice.sent`);
  await visit(page, `/endpoints/${endpointId}`, '[role=option] .what');
  await page.keyboard.press('f');
  await page.getByLabel('Member', { exact: true }).fill('body.invoice.state');
  await until('they are suggested', async () => (await optionsOf('filter-values')).length > 0);
  expect(await optionsOf('filter-values')).toEqual(expect.arrayContaining(['paid', 'open']));
  expect(await optionsOf('filter-members')).toEqual(
    expect.arrayContaining(['status', 'type', 'header.', 'body.invoice.no']),
  );
  // The schema says that it is a text.
  await build(page, 'body.invoice.no', 'is', '7');
  await page.getByText('6 matches').waitFor();
  expect(new URL(page.url()).searchParams.get('where')).toBe('body.invoice.no="7"');
});

test('a view has a name, is a link, and is there after a reload', async () => {
  const { page, captureUrl, endpointId } = await start();
  for (const n of [1, 2, 3]) await capture(captureUrl, `{"n": ${n}}`, JSON_TYPE);
  await visit(page, `/endpoints/${endpointId}?where=body.n%3E%3D2`, '.chip');
  await page.getByText('2 matches').waitFor();
  await page.getByRole('button', { name: 'Save view' }).click();
  await page.getByLabel('Name of the view').fill('big \u202Eones');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const view = page.getByRole('navigation', { name: 'Saved views' }).getByRole('link');
  await view.waitFor();
  expect(await view.textContent()).toBe('big \\u202Eones');
  expect(await page.getByRole('button', { name: 'Save view' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Clear' }).click();
  await page.getByText('3 events').waitFor();
  await page.reload();
  await view.click();
  await page.getByText('2 matches').waitFor();
  expect(await view.getAttribute('aria-current')).toBe('true');
  await page.getByRole('button', { name: /^Forget the view/ }).click();
  await view.waitFor({ state: 'detached' });
});

test('a filter is tried on past events as it is typed, and a save says what changes', async () => {
  const started = await start();
  const { page, captureUrl, endpointId } = started;
  for (const n of [1, 2, 3]) await capture(`${captureUrl}/v${n}`, `{"n": ${n}}`, JSON_TYPE);
  const odd = await capture(captureUrl, '{"n": "many"}', JSON_TYPE);
  const { form, filter, facts } = await destination(started);
  await form.getByText('Write a filter to see').waitFor();
  await filter.pressSequentially('body.n>=2');
  // Without a filter, all four went there; now two of them.
  await facts('4 tried, 2 match, 2 are dropped, 2 change sides');
  const changed = form.getByRole('list', { name: 'Events that change sides' });
  await changed.getByText('POST /v1').waitFor();
  expect(await changed.getByRole('link').allTextContents()).toEqual([
    expect.stringMatching(/^delivered → dropped.*POST \//),
    expect.stringMatching(/^delivered → dropped.*POST \/v1/),
  ]);
  const oddLink = form.locator('.trial-faults').getByRole('link', { name: odd });
  await form
    .getByText('body.n is text: $gte compares it with a number only if it is one, such as "500.00"')
    .waitFor();
  expect(await oddLink.getAttribute('href')).toBe(`/endpoints/${endpointId}/events/${odd}`);

  await page.getByRole('button', { name: 'Save' }).click();
  const question = page.getByRole('dialog', { name: 'Save the destination?' });
  await question.getByText('2 of the last 4 would no longer be delivered.').waitFor();
  await question.getByText('1 event has a value that the filter can’t take.').waitFor();
  await question.getByRole('button', { name: 'Cancel' }).click();
  await saveDestination(page);
  await facts('4 tried, 2 match, 2 are dropped, none changes sides');
  // Against the saved one, the events that come back.
  await filter.fill('');
  await facts('4 tried, 4 match, 0 are dropped, 2 change sides');
  await page.getByRole('button', { name: 'Save' }).click();
  await question.getByText('2 of the last 4 would be delivered, but aren’t now.').waitFor();
});

test('the last text wins, one try at a time, and a slow try keeps nobody from saving', async () => {
  const started = await start();
  const { page, captureUrl } = started;
  for (const n of [1, 2, 3]) await capture(captureUrl, `{"n": ${n}}`, JSON_TYPE);
  const { form, filter, facts } = await destination(started);
  const tried: string[] = [];
  let open = 0;
  let most = 0;
  const release = Promise.withResolvers<void>();
  await page.route('**/rules/try', async (route) => {
    const { filter: text } = route.request().postDataJSON();
    tried.push(text);
    most = Math.max(most, ++open);
    if (text === 'body.n>=2') await release.promise;
    // The first is over: the page doesn't wait for it any more.
    await route.continue().catch(() => {});
    open--;
  });
  await filter.fill('body.n>=2');
  await until('it is tried', async () => tried.length === 1);
  await page.getByRole('button', { name: 'Save' }).click();
  const question = page.getByRole('dialog', { name: 'Save the destination?' });
  await question.getByText('Trying the filter on past events').waitFor();
  expect(await question.getByRole('button', { name: 'Save' }).isEnabled()).toBe(true);
  await question.getByRole('button', { name: 'Cancel' }).click();
  // The closed dialog gives the focus back to the button, and text goes past the editor then.
  await page.locator('button:focus', { hasText: 'Save' }).waitFor();
  await filter.fill('body.n>=3');
  await facts('3 tried, 1 matches, 2 are dropped, 2 change sides');
  release.resolve();
  await form.getByRole('button', { name: '100', exact: true }).click();
  await until('it is tried on fewer', async () => tried.length === 3);
  expect(tried).toEqual(['body.n>=2', 'body.n>=3', 'body.n>=3']);
  await facts('3 tried, 1 matches, 2 are dropped, 2 change sides');
});

test('a try that another one stands in the way of waits for its turn', async () => {
  const started = await start();
  const { page, captureUrl } = started;
  await capture(captureUrl, '{"n": 1}', JSON_TYPE);
  const { form, filter, facts } = await destination(started);
  let refused = 0;
  await page.route('**/rules/try', async (route) => {
    if (refused++ > 0) return route.continue();
    const error = { code: 'rate_limited', message: 'an account tries one rule at a time' };
    return route.fulfill({ status: 429, json: { error } });
  });
  await filter.fill('body.n=1');
  await facts('1 tried, 1 matches, 0 are dropped, none changes sides');
  expect(await form.locator('.fault').count()).toBe(0);
});

test('faults are underlined at their places, in both forms', async () => {
  const started = await start();
  const { page } = started;
  const { form, filter } = await destination(started);
  const underlined = filter.locator('.cm-lintRange-error');
  await filter.fill('body.n=1 and body.m>=>2');
  await form.getByText(/^Column 22: no such operator/).waitFor();
  expect(await underlined.textContent()).toBe('>2');
  expect(await filter.getAttribute('aria-invalid')).toBe('true');
  await filter.fill('{"body": {"n": {"$gte": 1}, "m": {"$near": 2}}}');
  await form.getByText(/^Column 35: body\.m\.\$near: no such operator/).waitFor();
  expect((await underlined.allTextContents()).join('')).toBe('"$near": 2');
  await filter.fill('{"body": tru}');
  await form.getByText(/^Column 10: this is not JSON/).waitFor();
  // A save is refused at the same place, and the focus is there.
  await page.getByRole('button', { name: 'Save' }).click();
  await form.getByText('Couldn’t save the destination: a field needs another value.').waitFor();
  await filter.fill('{"body": true}');
  await until('it is right', async () => (await filter.getAttribute('aria-invalid')) === 'false');
  expect(await underlined.count()).toBe(0);
});

test('the editor suggests paths, operators and values, by keys alone; Tab leaves it', async () => {
  const started = await start();
  const { page, captureUrl, endpointId } = started;
  for (const state of ['paid', 'paid', 'paid', 'open', 'open', 'open']) {
    const body = `{"type": "invoice.sent", "invoice": {"state": "${state}"}}`;
    await capture(captureUrl, body, {
      headers: { ...JSON_TYPE.headers, 'stripe-signature': 't=1,v1=x' },
    });
  }
  await learned(page, `${server.url}/endpoints/${endpointId}/types?type=invoice.sent`);
  const { filter } = await destination(started);
  const listed = page.locator('.cm-tooltip-autocomplete li');
  const pick = async (label: string) => {
    const option = listed.filter({ has: page.locator('.cm-completionLabel', { hasText: label }) });
    await option.first().waitFor();
    await until('it is chosen', async () => {
      if ((await option.first().getAttribute('aria-selected')) === 'true') return true;
      await page.keyboard.press('ArrowDown');
      return false;
    });
    await page.keyboard.press('Enter');
  };
  await filter.click();
  await page.keyboard.type('body.inv');
  await pick('body.invoice.state');
  await pick('!=');
  await pick('open');
  expect(await textOf(filter)).toBe('body.invoice.state!=open');
  await page.keyboard.type(' a');
  await pick('and');
  await page.keyboard.type('type=inv');
  await pick('invoice.sent');
  expect(await textOf(filter)).toBe('body.invoice.state!=open and type=invoice.sent');
  // Letters are text here, not the page's shortcuts.
  await page.keyboard.press('Escape');
  await page.keyboard.type(' or r?');
  expect(await page.getByRole('dialog').count()).toBe(0);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('BUTTON');
});

test('the editor works on a phone and in forced colours', async () => {
  const started = await start({ width: 390, height: 800 });
  const { page } = started;
  await page.emulateMedia({ forcedColors: 'active' });
  const { form, filter } = await destination(started);
  await filter.click();
  await page.keyboard.type(`body.${'a-long-name.'.repeat(12)}x=1 and veri`);
  const list = page.locator('.cm-tooltip-autocomplete');
  const box = await until('it has a place', () => list.boundingBox());
  expect(box.x).toBeGreaterThanOrEqual(0);
  expect(box.x + box.width).toBeLessThanOrEqual(390);
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow).toBeLessThanOrEqual(0);
  await page.keyboard.press('Escape');
  await form.locator('.faults').waitFor();
});

test('a number with many digits is shown and saved as it was written', async () => {
  const started = await start();
  const { filter } = await destination(started);
  await filter.fill('{"body": {"id": 12345678901234567890}}');
  await saveDestination(started.page);
  await started.page.reload();
  await until('it is shown', async () => (await textOf(filter)).includes('12345678901234567890'));
});

test('an earlier version of a filter is set again, and that can be undone', async () => {
  const started = await start();
  const { page } = started;
  const { form, filter } = await destination(started);
  for (const text of ['body.n=1', 'body.n=2 and body.m=1']) {
    await filter.fill(text);
    await saveDestination(page);
  }
  await form.getByText('Versions').click();
  const versions = form.locator('.rule-versions li');
  await versions.nth(1).waitFor();
  expect(await versions.first().textContent()).toContain('body.n=2 and body.m=1');
  expect(await versions.first().textContent()).toContain('present');
  const earlier = versions.nth(1);
  expect(await earlier.locator('del').allTextContents()).not.toEqual([]);
  // It would be lost: what is typed goes first.
  const again = earlier.getByRole('button', { name: /^Set version \d+ again$/ });
  await filter.fill('body.n=3');
  await until('it is off', () => again.isDisabled());
  await form.getByRole('button', { name: 'Discard' }).click();
  await form.getByText('No changes').waitFor();
  await form.getByText('Versions').click();
  await again.click();
  await until('it is set', async () => (await textOf(filter)) === 'body.n=1');
  await page.getByRole('button', { name: 'Undo' }).click();
  await until('it is undone', async () => (await textOf(filter)) === 'body.n=2 and body.m=1');
});
