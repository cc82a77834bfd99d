import { expect, test } from 'vitest';
import { capture } from '../../fixtures/account.ts';
import { httpReceiver } from '../../fixtures/receiver.ts';
import { runServer } from '../../fixtures/running-server.ts';
import { until } from '../../fixtures/until.ts';
import { browserOfFile, openPage, rows, signUp } from './open-page.ts';

/* Rules on the page: as a filter of the list, tried on history, and their versions. */

const browser = browserOfFile();
const JSON_TYPE = { headers: { 'content-type': 'application/json' } };

async function start(viewport = { width: 1280, height: 800 }) {
  const server = await runServer();
  const { page } = await openPage(browser(), server.url, { viewport, expected: /status of 400/ });
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

test('a rule filters the list, also what arrives, and stays in the address', async () => {
  const { page, captureUrl } = await start();
  for (const n of [1, 2, 3]) await capture(captureUrl, `{"n": ${n}}`, JSON_TYPE);
  await page.getByText('3 events').waitFor();
  await rows(page).first().waitFor();

  const rule = page.getByRole('textbox', { name: 'Rule' });
  expect(await rule.count()).toBe(0);
  await page.keyboard.press('f');
  await rule.waitFor();
  expect(await rule.evaluate((field) => field === document.activeElement)).toBe(true);
  await page.keyboard.type('body.n>=3');
  await page.keyboard.press('Enter');
  await page.getByText('1 match', { exact: true }).waitFor();
  expect(new URL(page.url()).searchParams.get('where')).toBe('body.n>=3');
  await capture(captureUrl, '{"n": 1}', JSON_TYPE);
  await capture(captureUrl, '{"n": 4}', JSON_TYPE);
  await page.getByText('2 matches').waitFor();
  await page.reload();
  await page.getByText('2 matches').waitFor();
  expect(await rule.inputValue()).toBe('body.n>=3');
  await page.getByRole('button', { name: 'Clear' }).click();
  await page.getByText('5 events').waitFor();
  expect(await rule.count()).toBe(0);
});

test('a wrong rule is explained at its field', async () => {
  const { page, captureUrl } = await start();
  await capture(captureUrl, '{"n": 1}', JSON_TYPE);
  await page.getByRole('button', { name: 'Rule', exact: true }).click();
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
});

test('a type filters by headers and bodies, on a phone too', async () => {
  const { page, captureUrl } = await start({ width: 390, height: 800 });
  const of = (headers: Record<string, string>) => ({
    headers: { ...JSON_TYPE.headers, ...headers },
  });
  await capture(captureUrl, '{}', of({ 'x-github-event': 'push' }));
  await capture(captureUrl, '{"type": "invoice.paid"}', of({ 'stripe-signature': 't=1,v1=x' }));
  await page.getByRole('button', { name: 'Rule', exact: true }).click();
  const type = page.getByRole('textbox', { name: 'Type' });
  for (const [value, shown] of [
    ['push', 'github push'],
    ['invoice.paid', 'stripe invoice.paid'],
  ] as const) {
    await type.fill(value);
    await type.press('Enter');
    await page.getByText('1 match', { exact: true }).waitFor();
    await rows(page).getByText(shown).waitFor();
  }
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow).toBeLessThanOrEqual(0);
  // Closing the fields ends their filters.
  await page.getByRole('button', { name: 'Rule', exact: true }).click();
  await page.getByText('2 events').waitFor();
  expect(await type.count()).toBe(0);
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
