import { expect, test } from 'vitest';
import { capture } from '../../fixtures/account.ts';
import { runServer } from '../../fixtures/running-server.ts';
import { browserOfFile, openPage, signUp, visit } from './open-page.ts';

const browser = browserOfFile();

async function openBody(body: string) {
  const server = await runServer();
  const { page } = await openPage(browser(), server.url);
  const { captureUrl, endpointId } = await signUp(page);
  const headers = { 'content-type': 'application/json' };
  const id = await capture(captureUrl, body, { headers });
  await visit(page, `/endpoints/${endpointId}/events/${id}`, '.json');
  return { page, captureUrl, endpointId };
}

test('what is selected in the tree is copied as JSON, closed parts whole', async () => {
  const many = Array.from({ length: 250 }, (_, n) => n);
  const value = {
    ...{ 'a\u202Eb': 'pay\u200Bpal', open: { n: 1.5, none: null, empty: {} }, closed: [1, [2]] },
    ...{ many, long: 'x'.repeat(5000), last: true },
  };
  const { page } = await openBody(JSON.stringify(value));
  await page.getByRole('button', { name: /^"closed"/ }).click();
  const copied = () =>
    page.evaluate(async () => {
      getSelection()?.selectAllChildren(document.querySelector('.json') as Element);
      document.execCommand('copy');
      return navigator.clipboard.readText();
    });
  expect(JSON.parse(await copied())).toEqual(value);
  await page.getByRole('button', { name: /^"many"/ }).click();
  await page.getByText('… 150 more items').waitFor();
  expect(JSON.parse(await copied())).toEqual(value);
});

test('names and values show what they hide', async () => {
  const { page } = await openBody('{"a\u202Eb":"pay\u200Bpal"}');
  await page.locator('.json-key', { hasText: 'a\\u202Eb' }).waitFor();
  await page.locator('.json-string', { hasText: 'pay\\u200Bpal' }).waitFor();
});

test('the way to show a body is kept for the next event, and its marks are large enough', async () => {
  const { page, captureUrl, endpointId } = await openBody('{"a":{"b":1}}');
  for (const toggle of await page.locator('.json-toggle').all()) {
    const box = await toggle.boundingBox();
    expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(24);
  }
  await page.getByRole('button', { name: 'Raw', exact: true }).click();
  const next = await capture(captureUrl, '{"c":2}');
  await visit(page, `/endpoints/${endpointId}/events/${next}`, '.raw');
  await page.getByRole('textbox', { name: 'Raw body' }).getByText('{"c":2}').waitFor();
});
