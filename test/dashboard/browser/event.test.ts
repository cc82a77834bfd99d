import { expect, test } from 'vitest';
import { capture } from '../../fixtures/account.ts';
import { httpReceiver, status } from '../../fixtures/receiver.ts';
import { serverOfFile } from '../../fixtures/running-server.ts';
import { until } from '../../fixtures/until.ts';
import { openAccount } from './open-account.ts';
import { choose, rows, visit } from './open-page.ts';

/* The open event: its head, its tabs, its actions and what is explained of it. */

const JSON_TYPE = { headers: { 'content-type': 'application/json' } };

const server = serverOfFile({ retryBase: 3_600_000, retryMax: 3_600_000 });

async function start() {
  const { page, account, captureUrl, endpointId } = await openAccount(server);
  const addDestination = (url: string) => account.addDestination({ id: endpointId }, url);
  return { page, captureUrl, endpointId, addDestination };
}

test('the head has the path of a typed event; its row heads it, and keys count, while it loads', async () => {
  const { page, captureUrl } = await start();
  await capture(`${captureUrl}/shop/7`, '{"type": "order.created", "id": "1"}', {
    headers: { ...JSON_TYPE.headers, 'x-github-event': 'push', 'x-github-delivery': '1' },
  });
  await rows(page).first().waitFor();
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/api/endpoints/*/events/evt_*', async (route) => {
    await held;
    await route.continue();
  });
  await rows(page).first().click();
  const head = page.locator('.summary');
  await head.getByText('/shop/7').waitFor();
  await head.getByText('github').waitFor();
  await head.getByText('push').waitFor();
  expect(await page.getByText('Loading …').count()).toBe(0);
  // A key that is pressed meanwhile counts.
  await page.keyboard.press('h');
  release();
  await page.locator('.detail .tabs [aria-current]', { hasText: 'Headers' }).waitFor();
  await page.keyboard.press('b');
  await page.locator('.json').waitFor();
});

test('the key q does nothing without a query, and an address with its tab shows the body', async () => {
  const { page, captureUrl, endpointId } = await start();
  const plain = await capture(captureUrl, '{"n": 1}', JSON_TYPE);
  const asked = await capture(`${captureUrl}?a=1`, '{"n": 2}', JSON_TYPE);
  const at = `/endpoints/${endpointId}/events`;
  await visit(page, `${at}/${asked}`, '.json');
  await page.keyboard.press('q');
  await page.locator('.tabs [aria-current]', { hasText: 'Query' }).waitFor();
  await visit(page, `${at}/${plain}?tab=query`, '.json');
  await page.locator('.detail .tabs [aria-current]', { hasText: 'Body' }).waitFor();
  await visit(page, `${at}/${plain}`, '.json');
  await page.keyboard.press('q');
  await page.keyboard.press('h');
  await page.locator('.tabs [aria-current]', { hasText: 'Headers' }).waitFor();
  expect(new URL(page.url()).search).toBe('?tab=headers');
});

test('r three times makes one replay, which is taken back', async () => {
  const { page, captureUrl, endpointId, addDestination } = await start();
  const receiver = await httpReceiver();
  await addDestination(`${receiver.url}/one`);
  const id = await capture(captureUrl, '{}', JSON_TYPE);
  await receiver.received(1);
  receiver.respond = status(503);
  let asked = 0;
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/replay', async (route) => {
    asked++;
    await held;
    await route.continue();
  });
  await visit(page, `/endpoints/${endpointId}/events/${id}?tab=deliveries`, '.delivery');
  for (let i = 0; i < 3; i++) await page.keyboard.press('r');
  release();
  await page.getByText('Replayed to 1 destination').waitFor();
  await receiver.received(2);
  expect(asked).toBe(1);
  // The first attempt failed, so that the delivery is open until it is taken back.
  await page.locator('.delivery .next').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('1 delivery is cancelled').waitFor();
  await page.locator('.delivery .badge', { hasText: 'cancelled' }).waitFor();
});

test('a menu is used by keys, and gives the focus back', async () => {
  const { page, captureUrl, endpointId } = await start();
  const id = await capture(captureUrl, '{}', JSON_TYPE);
  await visit(page, `/endpoints/${endpointId}/events/${id}`, '.json, .body');
  const more = page.getByRole('button', { name: 'More actions' });
  await more.focus();
  await page.keyboard.press('Enter');
  const focused = () => page.evaluate(() => document.activeElement?.textContent);
  await until('it is open', async () => (await focused())?.startsWith('Copy as curl') ?? false);
  await page.keyboard.press('ArrowDown');
  await until('the next', async () => (await focused()) === 'Copy link');
  await page.keyboard.press('End');
  await until('the last', async () => (await focused()) === 'Delete …');
  await page.keyboard.press('Escape');
  await page.getByRole('menu').waitFor({ state: 'detached' });
  expect(await more.evaluate((one) => one === document.activeElement)).toBe(true);
  await page.locator('.detail').waitFor();
  await choose(page, 'More actions', 'Copy link');
  await page.getByText('The link is copied').waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(`/events/${id}`);
});

test('the curl command of a large body reads a file beside it', async () => {
  const { page, captureUrl, endpointId } = await start();
  const body = 'x'.repeat(1024 * 1024 + 1);
  const id = await capture(captureUrl, body, { headers: { 'content-type': 'text/plain' } });
  await visit(page, `/endpoints/${endpointId}/events/${id}`, '.raw');
  const download = page.waitForEvent('download');
  await page.keyboard.press('c');
  expect((await download).suggestedFilename()).toBe(`${id}.bin`);
  await page.getByText('The curl command is copied.').waitFor();
  const command = await page.evaluate(() => navigator.clipboard.readText());
  expect(command).toContain(`--data-binary '@${id}.bin'`);
  expect(command.length).toBeLessThan(2000);
});

test('an answer stays when the tab changes; code has colours and stays in its pane', async () => {
  const { page, captureUrl, endpointId } = await start();
  const id = await capture(captureUrl, '{}', JSON_TYPE);
  const code = `import express from 'express';\nconst long = '${'x'.repeat(400)}';\n`;
  const answer = { code, file: 'push.ts', test: '', test_file: 'push.test.ts', engine: 'builtin' };
  await page.route('**/ai/handler?over=type', (route) => route.fulfill({ json: answer }));
  await visit(page, `/endpoints/${endpointId}/events/${id}?tab=ai`, '.ai');
  await page.getByRole('button', { name: 'Handler' }).click();
  await page.locator('.code-keyword', { hasText: 'import' }).waitFor();
  for (const width of [1440, 1024, 390]) {
    await page.setViewportSize({ width, height: 800 });
    const overflow = await page.evaluate(() => {
      const pane = document.querySelector('.detail-body') as HTMLElement;
      return [
        document.documentElement.scrollWidth - innerWidth,
        pane.scrollWidth - pane.clientWidth,
        (document.querySelector('.code')?.getBoundingClientRect().right ?? 0) -
          pane.getBoundingClientRect().right,
      ].some((one) => one > 0);
    });
    expect([width, overflow]).toEqual([width, false]);
  }
  await page.keyboard.press('b');
  await page.locator('.ai').waitFor({ state: 'detached' });
  await page.keyboard.press('a');
  const shown = page.getByRole('textbox', { name: 'Handler', exact: true });
  await shown.waitFor();
  expect(await shown.textContent()).toBe(code);
});

test('a diagnosis is cause, evidence and steps with commands to copy', async () => {
  const { page, captureUrl, endpointId, addDestination } = await start();
  const receiver = await httpReceiver(status(400));
  await addDestination(`${receiver.url}/one`);
  const id = await capture(captureUrl, '{}', JSON_TYPE);
  await receiver.received(1);
  await page.route('**/ai/diagnose', (route) =>
    route.fulfill({
      json: {
        diagnosis:
          '1 attempt to https://a.example/: #1 at 2026-11-24 02:00:00: 503 after 20 ms. The service is down (503).',
        suggestion: '1. Start it.\n2. Try it: curl -v https://a.example/',
        engine: 'builtin',
      },
    }),
  );
  await visit(page, `/endpoints/${endpointId}/events/${id}?tab=ai`, '.ai');
  await page.getByRole('button', { name: 'Diagnose' }).click();
  await page.getByRole('heading', { name: 'Cause' }).waitFor();
  await page.getByText('The service is down (503).', { exact: true }).waitFor();
  await page.getByRole('heading', { name: 'Evidence' }).waitFor();
  const command = page.getByRole('textbox', { name: 'Command: curl' });
  expect(await command.textContent()).toBe('curl -v https://a.example/');
  await page.locator('.code', { has: command }).getByRole('button', { name: 'Copy' }).click();
  await page.getByText('Copied').waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    'curl -v https://a.example/',
  );
});

test('texts that are no JSON are compared by lines', async () => {
  const { page, captureUrl, endpointId } = await start();
  const text = (word: string) =>
    [...Array(20).keys()].map((n) => (n === 10 ? word : `line ${n}`)).join('\n');
  const plain = { headers: { 'content-type': 'text/plain' } };
  const left = await capture(captureUrl, text('one'), plain);
  const right = await capture(captureUrl, text('two\u202e'), plain);
  await visit(page, `/endpoints/${endpointId}/compare/${left}/${right}`, '.line-diff');
  expect(await page.locator('.line-diff .is-removed').allTextContents()).toEqual(['− one\n']);
  expect(await page.locator('.line-diff .is-added').allTextContents()).toEqual(['+ two\\u202E\n']);
  expect(await page.locator('.line-diff .is-cut').count()).toBe(2);
});
