import { expect, test } from 'vitest';
import { capture } from '../../fixtures/account.ts';
import { serverOfFile, tempDir } from '../../fixtures/running-server.ts';
import { serveIn, spawnServe } from '../../fixtures/served-process.ts';
import { storedIssue } from '../../fixtures/stored-issue.ts';
import { until } from '../../fixtures/until.ts';
import { CORPUS, inHeader } from '../browser/hostile-corpus.ts';
import {
  counts,
  type FirefoxOptions,
  named,
  openAccount,
  openFirefox,
  shows,
  signIn,
  signUp,
  visit,
} from './open-firefox.ts';

/* The frame: issues, palette and keys, sessions, a server that goes, and hostile senders. */

const server = serverOfFile();
const start = (options: FirefoxOptions = {}) => openAccount(server, options);

test('issues are listed, opened and changed', async () => {
  const { page, endpointId } = await start();
  const id = storedIssue(server, endpointId, { kind: 'conflict', count: 3 });
  await visit(page, '/issues', '.issue-row');
  await shows(page, '.issue-row', '3×');
  await page.locator('.issue-row').click();
  await shows(page, 'h2', 'What to do');
  expect(new URL(page.url()).pathname).toBe(`/issues/${id}`);
  await page.locator(named('button', 'Acknowledge')).click();
  await shows(page, '.badge', 'acknowledged');
  await page.locator(named('button', 'Ignore')).click();
  await shows(page, '.badge', 'ignored');
  await page.locator(named('button', 'Undo')).click();
  await shows(page, '.badge', 'acknowledged');
});

test('keys and the palette lead everywhere', async () => {
  const { page, captureUrl } = await start();
  const { keyboard } = page;
  for (let i = 0; i < 3; i++) await capture(`${captureUrl}/${i}`, `{"word": "word${i}"}`);
  await counts(page, '[role=option]', 3);
  await keyboard.press('j');
  await shows(page, '.event-target', '/2');
  await keyboard.press('j');
  await shows(page, '.event-target', '/1');
  await keyboard.press('k');
  await shows(page, '.event-target', '/2');
  await keyboard.press('Escape');
  await counts(page, '.summary', 0);

  await keyboard.press('?');
  await shows(page, 'dialog', 'Keyboard shortcuts');
  await keyboard.press('j');
  expect(await page.$('.summary')).toBe(null);
  await keyboard.press('Escape');
  await counts(page, 'dialog', 0);
  await keyboard.press('g');
  await keyboard.press('i');
  await shows(page, 'h1', 'Issues');

  // The browser has its own meaning for Ctrl-K, a search from its bar.
  await keyboard.down('Control');
  await keyboard.press('k');
  await keyboard.up('Control');
  await page.locator('.palette-input').fill('word1');
  await shows(page, '.palette-row', '/1');
  await page.locator('.palette-input').fill('inbox dest');
  await shows(page, '.palette-row[aria-selected=true]', 'Destinations');
  await keyboard.press('Enter');
  await until('the tab is open', () => page.url().endsWith('/destinations'));
});

test('signing out in one tab signs out the other, and signing in both', async () => {
  const { page, account, captureUrl } = await start({ expected: /401/ });
  await capture(captureUrl);
  await counts(page, '[role=option]', 1);
  const other = await page.browserContext().newPage();
  await other.goto(`${server.url}/account`);
  await other.locator(named('button', 'Sign out')).click();
  for (const tab of [other, page]) {
    await shows(tab, 'h1', 'Sign in');
    expect(await tab.$('.connection, .row, .endpoint-head, .side-link')).toBe(null);
  }
  await signIn(other, account);
  await page.locator('.connection.is-live').wait();
  await counts(page, '[role=option]', 1);
});

test('no event is lost or doubled when the server is killed and restarted', async () => {
  const dataDir = tempDir();
  const first = await serveIn(dataDir);
  const page = await openFirefox(first.url);
  const { captureUrl } = await signUp(page);
  const sent: string[] = [];
  for (let i = 0; i < 5; i++) sent.push(await capture(`${captureUrl}/before/${i}`));
  await shows(page, '.list-head', '5 events');

  const { port } = first;
  first.kill('SIGKILL');
  await first.exited();
  await page.locator('.connection.is-offline').wait();
  const second = spawnServe(['--port', String(port), '--data-dir', dataDir]);
  await second.ready();
  for (let i = 0; i < 5; i++) sent.push(await capture(`${captureUrl}/after/${i}`));
  await page.locator('.connection.is-live').wait();
  await shows(page, '.list-head', '10 events');
  const shown = await page.$$eval('[role=option]', (all) =>
    all.map((one) => one.id.replace('row-', '')),
  );
  expect(shown).toEqual(sent.toReversed());
  await capture(`${captureUrl}/live-again`);
  await shows(page, '[role=option]', '/live-again');
});

test('hostile text stays text', async () => {
  const { page, captureUrl, endpointId } = await start();
  const sent: string[] = [];
  for (const text of CORPUS) {
    const query = encodeURIComponent(text.slice(0, 500));
    const headers = {
      'content-type': 'application/json',
      'x-github-event': inHeader(text),
      'user-agent': inHeader(text),
    };
    const body = JSON.stringify({ [text]: text, nested: [{ [text]: { [text]: [text, 1] } }] });
    sent.push(await capture(`${captureUrl}/${query}?q=${query}`, body, { headers }));
  }
  await shows(page, '.list-head', `${sent.length} events`);
  for (const id of sent) {
    await visit(page, `/endpoints/${endpointId}/events/${id}`, '.detail-nav');
    await shows(page, '.detail-nav', id);
    await page.locator('.json').wait();
    for (const key of ['h', 'q'] as const) {
      await page.keyboard.press(key);
      await page.locator('.detail-body .fields').wait();
    }
  }
  const seen = await page.evaluate(() => ({
    pwned: (window as unknown as { pwned?: unknown }).pwned ?? null,
    elements: document.querySelectorAll('script, iframe, base, style, object, embed').length,
  }));
  // Only the page's own script.
  expect(seen).toEqual({ pwned: null, elements: 1 });
  expect(new URL(page.url()).origin).toBe(server.url);
});
