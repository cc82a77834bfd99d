import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { capture } from '../../fixtures/account.ts';
import { serverOfFile } from '../../fixtures/running-server.ts';
import { until } from '../../fixtures/until.ts';
import { openAccount } from './open-account.ts';
import { rows, visit } from './open-page.ts';

const server = serverOfFile();

async function openBodies() {
  const { page, captureUrl, endpointId } = await openAccount(server);
  /** Captures a body, and opens its event. */
  const show = async (body: string | Buffer, type = 'application/json', query = '') => {
    const id = await capture(captureUrl, body, { headers: { 'content-type': type } });
    const at = `/endpoints/${endpointId}/events/${id}${query}`;
    await visit(page, at, `.detail:has(.detail-nav:has-text("${id}")) .body`);
  };
  return { page, captureUrl, endpointId, show };
}

async function openBody(body: string | Buffer) {
  const opened = await openBodies();
  await opened.show(body);
  return opened;
}

const line = (page: Page, text: string | RegExp) => page.locator('.json-line', { hasText: text });
const toggle = (page: Page, name: RegExp) =>
  page.getByRole('treeitem', { name }).locator('.json-toggle').click();
const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText());
const find = (page: Page) => page.getByRole('searchbox', { name: 'Find in the body' });
/** The texts of the highlights: of all matches but the chosen one, and of that. */
const highlighted = (page: Page) =>
  page.evaluate(() =>
    ['found', 'found-current'].map((name) =>
      [...(CSS.highlights.get(name) ?? [])].map((range) => (range as Range).toString()),
    ),
  );

test('what is selected in the tree is copied as JSON, closed parts whole', async () => {
  const many = Array.from({ length: 250 }, (_, n) => n);
  const value = {
    ...{ 'a\u202Eb': 'pay\u200Bpal', open: { n: 1.5, none: null, empty: {} }, closed: [1, [2]] },
    ...{ many, long: 'x'.repeat(5000), last: true },
  };
  const { page } = await openBody(JSON.stringify(value));
  await toggle(page, /^"closed"/);
  const copied = async () => {
    await page.evaluate(() => {
      getSelection()?.selectAllChildren(document.querySelector('.json') as Element);
      document.execCommand('copy');
    });
    return clipboard(page);
  };
  expect(JSON.parse(await copied())).toEqual(value);
  await toggle(page, /^"many"/);
  await line(page, '249').waitFor();
  expect(JSON.parse(await copied())).toEqual(value);
});

test('all of a long tree is copied though few of its lines are drawn', async () => {
  const value = Array.from({ length: 3000 }, (_, n) => ({ n, text: `row ${n}` }));
  const { page } = await openBody(JSON.stringify(value));
  await page.getByRole('button', { name: 'Expand all' }).click();
  await page.locator('.json.is-long').waitFor();
  expect(await page.locator('.json-line').count()).toBeLessThan(200);
  await page.getByRole('tree').focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Control+c');
  expect(JSON.parse(await clipboard(page))).toEqual(value);
  // The last line is there when somebody scrolls to it.
  await page.locator('.detail-body').evaluate((pane) => pane.scrollTo(0, pane.scrollHeight));
  await line(page, 'row 2999').waitFor();
  await page.getByRole('button', { name: 'Collapse all' }).click();
  await page.getByRole('treeitem', { expanded: false }).first().waitFor();
});

test('the way to show a body is kept for the next event, and its marks are large enough', async () => {
  const { page, captureUrl, endpointId } = await openBody('{"a":{"b":1}}');
  for (const mark of await page.locator('.json-toggle').all()) {
    const box = await mark.boundingBox();
    expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(24);
  }
  await page.getByRole('button', { name: 'Raw', exact: true }).click();
  const next = await capture(captureUrl, '{"c":2}');
  await visit(page, `/endpoints/${endpointId}/events/${next}`, '.raw');
  await page.getByRole('textbox', { name: 'Raw body' }).getByText('{"c":2}').waitFor();
});

test('the keyboard moves in the tree, opens and closes, and copies value and path', async () => {
  const { page, endpointId } = await openBody('{"a":{"b.c":[1.50,"x"]},"d":"é"}');
  const active = page.locator('.json-line.is-active');
  await page.getByRole('tree').focus();
  await page.keyboard.press('ArrowDown');
  await active.getByText('"a"').waitFor();
  await page.keyboard.press('ArrowLeft');
  await page.getByRole('treeitem', { name: /"a"/, expanded: false }).waitFor();
  await page.keyboard.press('v');
  await page.getByText('The value is copied').waitFor();
  expect(await clipboard(page)).toBe('{"b.c":[1.50,"x"]}');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await active.getByText('1.50').waitFor();
  await page.keyboard.press('p');
  await page.getByText('The path is copied').waitFor();
  expect(await clipboard(page)).toBe('body.a."b.c"[0]');
  await page.keyboard.press('End');
  await active.getByText('"d"').waitFor();
  await page.keyboard.press('w');
  await until('the list is filtered', () => new URL(page.url()).searchParams.has('where'));
  expect(new URL(page.url()).pathname).toBe(`/endpoints/${endpointId}`);
  expect(new URL(page.url()).searchParams.get('where')).toBe('body.d="é"');
  await until('the event is in the list', async () => (await rows(page).count()) === 1);
});

test('find leads from match to match, opens what is closed, and colours them', async () => {
  const list = Array.from({ length: 900 }, (_, n) => ({ n, deep: { word: `Word ${n % 300}` } }));
  const { page } = await openBody(JSON.stringify({ list, last: 'a word 7' }));
  await page.keyboard.press('F');
  await page.keyboard.type('word 7"');
  const result = page.locator('.find-result');
  await result.getByText('1 of 4').waitFor();
  await until('it is coloured', async () => (await highlighted(page))[1]?.[0] === 'Word 7"');
  await page.keyboard.press('Shift+Enter');
  await result.getByText('4 of 4').waitFor();
  await until('the last is chosen', async () => (await highlighted(page))[1]?.[0] === 'word 7"');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await result.getByText('2 of 4').waitFor();
  await until('its line is in view', async () => {
    const seen = await page.evaluate(() => {
      const [range] = CSS.highlights.get('found-current') ?? [];
      return (range as Range | undefined)?.getBoundingClientRect().top ?? -1;
    });
    return seen > 0 && seen < 800;
  });
  // The same search in the raw text keeps its place.
  await page.getByRole('button', { name: 'Raw', exact: true }).click();
  await result.getByText('2 of 4').waitFor();
  await until('raw is coloured', async () => (await highlighted(page))[0]?.length === 3);
  await find(page).fill('nowhere');
  await result.getByText('not found').waitFor();
  expect(await highlighted(page)).toEqual([[], []]);
  await page.keyboard.press('Escape');
  await until('it is empty', async () => (await find(page).inputValue()) === '');
});

test('a large body is read beside the page, and its tree opens whole', async () => {
  const item = (n: number) => `{"id":${n},"sku":"HR-${n}","price":1.50,"tags":["a","b"]}`;
  const body = `{"items":[${Array.from({ length: 120_000 }, (_, n) => item(n)).join()}],"end":1e400}`;
  expect(body.length).toBeGreaterThan(5_000_000);
  const { page, captureUrl } = await openAccount(server);
  await capture(captureUrl, body, { headers: { 'content-type': 'application/json' } });
  await rows(page).first().waitFor();
  const started = page.waitForEvent('worker');
  await rows(page).first().click();
  expect((await started).url()).toContain('/assets/text-worker');
  await line(page, '120000 items').or(line(page, '120,000 items')).waitFor();
  await line(page, '1e400').waitFor();
  await page.getByRole('button', { name: 'Expand all' }).click();
  await page.locator('.json.is-long').waitFor();
  expect(await page.locator('.json-line').count()).toBeLessThan(200);
  await page.keyboard.press('F');
  await page.keyboard.type('"hr-119999"');
  await page.locator('.find-result', { hasText: '1 of 1' }).waitFor();
  await until('it is shown', async () => (await highlighted(page))[1]?.[0] === '"HR-119999"');
  // The whole text is kept, to the byte.
  await page.getByRole('button', { name: 'Copy the body' }).click();
  await page.locator('.copy', { hasText: 'Copied' }).waitFor();
  expect((await clipboard(page)) === body).toBe(true);
});

test('news of an event doesn’t load its body again, and its tree stays as it is', async () => {
  const { page, endpointId } = await openBody('{"a":{"b":1}}');
  await toggle(page, /^"a"/);
  const asked: string[] = [];
  page.on('request', (request) =>
    asked.push(new URL(request.url()).pathname + new URL(request.url()).search),
  );
  await page.keyboard.press('r');
  await until('the event is loaded again', () =>
    asked.some(
      (path) =>
        path.startsWith(`/api/endpoints/${endpointId}/events/evt_`) && path.includes('body=false'),
    ),
  );
  await page.getByRole('treeitem', { name: /"a"/, expanded: false }).waitFor();
  expect(asked.filter((path) => /\/events\/evt_\w+(?:\/raw)?$/.test(path))).toEqual([]);
});

test('small bodies: what each shows, and offers to copy', async () => {
  const { page, show } = await openBodies();
  // A line offers to copy its value and its path.
  await show('{"items":[{"sku":"A\\u00e9"}]}');
  await line(page, '"sku"').hover();
  await page.getByRole('button', { name: 'Copy path' }).click();
  await page.getByText('The path is copied').waitFor();
  expect(await clipboard(page)).toBe('body.items[0].sku');
  await page.getByRole('button', { name: 'Copy value' }).click();
  await page.getByText('The value is copied').waitFor();
  expect(await clipboard(page)).toBe('"A\\u00e9"');

  // An event that a search found shows where.
  await show('{"a":{"name":"caf\\u00e9"}}', 'application/json', '?q=café');
  await until('it is searched', async () => (await find(page).inputValue()) === 'café');
  await until('it is coloured', async () => (await highlighted(page))[1]?.[0] === 'caf\\u00e9');

  // Lines of JSON are several trees.
  await show('{"n":1}\n{"n":2.0}\n', 'application/x-ndjson');
  await page.getByText('2 documents').waitFor();
  expect(await page.getByRole('treeitem', { level: 1 }).count()).toBe(2);
  await line(page, '2.0').waitFor();

  // What only begins like JSON is shown as it is.
  await show('{"a": [1, 2');
  await page.locator('.raw', { hasText: '{"a": [1, 2' }).waitFor();
  expect(await page.getByRole('button', { name: 'Pretty' }).count()).toBe(0);

  // A long value is shown whole on demand.
  await show(JSON.stringify({ long: `line\n${'x'.repeat(3000)}` }));
  await page.getByRole('button', { name: 'more characters' }).click();
  const dialog = page.getByRole('dialog', { name: 'body.long' });
  expect((await dialog.locator('.raw').textContent())?.length).toBe(3005);
  await dialog.getByRole('button', { name: 'Copy as JSON' }).click();
  await dialog.getByText('Copied').waitFor();
  expect(await clipboard(page)).toContain('line\\n');

  // Names and values show what they hide.
  await show('{"a\u202Eb":"pay\u200Bpal"}');
  await page.locator('.json-key', { hasText: 'a\\u202Eb' }).waitFor();
  await page.locator('.json-string', { hasText: 'pay\\u200Bpal' }).waitFor();
  await page.getByRole('button', { name: 'Raw', exact: true }).click();
  await page.getByText('{"a\\u202Eb":"pay\\u200Bpal"}').waitFor();
});
