import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { capture } from '../../fixtures/account.ts';
import { httpReceiver } from '../../fixtures/receiver.ts';
import { runServer } from '../../fixtures/running-server.ts';
import { until } from '../../fixtures/until.ts';
import { browserOfFile, openPage, rows, signUp, visit } from './open-page.ts';

/* Rules on the page: as a filter of the list, tried on history, and their versions. */

const browser = browserOfFile();
const JSON_TYPE = { headers: { 'content-type': 'application/json' } };

async function start(viewport = { width: 1280, height: 800 }) {
  const server = await runServer();
  const { page } = await openPage(browser(), server.url, {
    viewport,
    expected: /status of 40[04]/,
  });
  return { server, page, ...(await signUp(page)) };
}

/** Adds a destination, and opens its dialog. */
async function editDestination({ page }: Awaited<ReturnType<typeof start>>) {
  const target = await httpReceiver();
  await page.getByRole('link', { name: 'Destinations' }).click();
  await page.getByLabel('URL of the destination').fill(target.url);
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit the destination' });
  const edit = () => page.getByRole('button', { name: 'Edit …' }).click();
  await edit();
  return { dialog, edit };
}

/** Adds a filter by its parts. */
async function build(page: Page, member: string, operator: string, value: string) {
  await page.getByLabel('Member', { exact: true }).fill(member);
  await page.getByLabel('Operator').selectOption({ label: operator });
  await page.getByLabel('Value').fill(value);
  await page.getByRole('button', { name: 'Add', exact: true }).click();
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
  expect(await rule.inputValue()).toBe('body.n>=3');
  // A second condition narrows it, and each ends alone.
  await build(page, 'body.n', 'is', '4');
  await page.getByText('1 match', { exact: true }).waitFor();
  expect(await rule.inputValue()).toBe('body.n>=3 and body.n=4');
  await page.getByRole('button', { name: 'End the filter body.n>=3' }).click();
  await until('one is left', async () => (await rule.inputValue()) === 'body.n=4');
  await page.getByRole('button', { name: 'Clear' }).click();
  await page.getByText('5 events').waitFor();
  expect(await rule.count()).toBe(0);
});

test('a wrong rule is explained at its field, and a link to one opens it', async () => {
  const { page, captureUrl, endpointId, server } = await start();
  await capture(captureUrl, '{"n": 1}', JSON_TYPE);
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  const rule = page.getByRole('textbox', { name: 'Rule' });
  await rule.fill('body.n>=');
  await rule.press('Enter');
  const fault = page.locator('#where-fault');
  await fault.waitFor();
  expect(await fault.textContent()).not.toBe('');
  expect(await rule.getAttribute('aria-invalid')).toBe('true');
  expect(await page.locator('.notices > *, .problem').count()).toBe(0);
  await rule.fill('body.n>=1');
  await rule.press('Enter');
  await page.getByText('1 match', { exact: true }).waitFor();
  expect(await fault.count()).toBe(0);
  await page.goto(`${server.url}/endpoints/${endpointId}?where=body.`);
  await fault.waitFor();
  expect(await rule.inputValue()).toBe('body.');
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
  const { page, captureUrl, endpointId, server } = await start();
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
  // Types are learned after the capture: each visit looks again.
  await until('they are learned', async () => {
    await page.goto(`${server.url}/endpoints/${endpointId}/types?type=invoice.sent`);
    const schema = page.locator('.snippets pre, .problem').first();
    await schema.waitFor();
    return /paid.*open|open.*paid/s.test((await schema.textContent()) ?? '');
  });
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

test('a filter is tried on past events before it is saved', async () => {
  const started = await start();
  for (const n of [1, 2, 3]) await capture(started.captureUrl, `{"n": ${n}}`, JSON_TYPE);
  await capture(started.captureUrl, '{"n": "many"}', JSON_TYPE);
  const { dialog } = await editDestination(started);
  const attempt = () =>
    dialog.getByRole('button', { name: 'Try on the last 1,000 events' }).click();
  await attempt();
  await dialog.getByText('Without a filter, every event matches.').waitFor();
  await dialog.getByLabel('Filter').fill('body.n>=2');
  await attempt();
  // Without a filter, all four went there; now two of them.
  await dialog.getByText('2 match, 2 are dropped; 2 change sides').waitFor();
  await dialog.locator('.fault', { hasText: 'evt_' }).waitFor();
  await dialog.getByLabel('Filter').fill('body.n>=');
  await attempt();
  await dialog.locator('.problem').waitFor();
});

test('an earlier version of a filter is set again', async () => {
  const { dialog, edit } = await editDestination(await start());
  for (const filter of ['body.n=1', 'body.n=2']) {
    await dialog.getByLabel('Filter').fill(filter);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await edit();
    await until('it is saved', async () => {
      return (await dialog.getByLabel('Filter').inputValue()) === filter;
    });
  }
  await dialog.getByText('Versions').click();
  const versions = dialog.locator('.rule-versions li');
  await versions.first().waitFor();
  expect(await versions.first().textContent()).toContain('body.n=2');
  const before = await versions.count();
  const earlier = versions.filter({ hasText: 'body.n=1' });
  await earlier.getByRole('button', { name: /^Set version \d+ again$/ }).click();
  await dialog.waitFor({ state: 'detached' });
  await edit();
  expect(await dialog.getByLabel('Filter').inputValue()).toBe('body.n=1');
  await dialog.getByText('Versions').click();
  await until('it is a version', async () => (await versions.count()) === before + 1);
});
