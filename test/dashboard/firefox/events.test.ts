import { expect, test } from 'vitest';
import { capture, register } from '../../fixtures/account.ts';
import { httpReceiver } from '../../fixtures/receiver.ts';
import { runServer, serverOfFile, tempDir } from '../../fixtures/running-server.ts';
import { until } from '../../fixtures/until.ts';
import { withStore } from '../../fixtures/with-store.ts';
import { fillList, numbersInView } from '../browser/long-list.ts';
import { counts, named, openAccount, openFirefox, shows, signIn, visit } from './open-firefox.ts';

/* Finding, reading, copying and replaying events, and a list of many. */

const JSON_TYPE = { headers: { 'content-type': 'application/json' } };
const MANY_EVENTS = 60_000;

const server = serverOfFile();
const start = () => openAccount(server);

test('search and filters narrow the list and appear in the address', async () => {
  const { page, captureUrl } = await start();
  for (let i = 0; i < 3; i++) await capture(captureUrl, `{"order": "${i}-x"}`, JSON_TYPE);
  await capture(`${captureUrl}/other`, 'plain', { method: 'PUT' });
  await counts(page, '[role=option]', 4);

  await page.locator('input[type=search]').fill('"2-x"');
  await shows(page, '.list-head', '1 match');
  expect(new URL(page.url()).searchParams.get('q')).toBe('"2-x"');
  await capture(captureUrl, '{"again": "2-x"}', JSON_TYPE);
  await capture(captureUrl, '{"order": "9-x"}', JSON_TYPE);
  await shows(page, '.list-head', '2 matches');
  await page.locator(named('button', 'Clear')).click();
  await shows(page, '.list-head', '6 events');

  await page.keyboard.press('f');
  await page.locator('.builder input').fill('method');
  await page.locator('.builder select[aria-label=Value]').fill('PUT');
  await page.locator(named('button', 'Add')).click();
  await shows(page, '.list-head', '1 match');
  await page.reload();
  await shows(page, '.list-head', '1 match');
  await shows(page, '[role=option]', '/other');
});

test('an event is read in every tab, and copied as it was sent', async () => {
  const { page, captureUrl } = await start();
  const body = '{"id": 12345678901234567890, "items": [{"sku": "a", "price": 1.0}], "big": 1e400}';
  await capture(`${captureUrl}/orders?shop=7`, body, JSON_TYPE);
  await page.locator('[role=option]').click();
  await page.locator('.json').wait();
  expect(await page.$$eval('.json-number', (all) => all.map((one) => one.textContent))).toEqual([
    '12345678901234567890',
    '1.0',
    '1e400',
  ]);

  // A part of the tree closes and opens, by its mark.
  const items = page.locator('.json-line:has(.json-key) .json-toggle');
  await items.click();
  await shows(page, '.json-more', '1 item');
  await items.click();
  await shows(page, '.json-key', '"sku"');

  // A selection of the tree is copied as JSON, without the page's own marks.
  await page.evaluate(() => {
    const tree = document.querySelector('.json') as Element;
    getSelection()?.selectAllChildren(tree);
    document.execCommand('copy');
  });
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(JSON.parse(copied)).toEqual(JSON.parse(body));

  for (const [key, tab, part] of [
    ['h', 'Headers', '.fields'],
    ['q', 'Query', '.fields'],
    ['d', 'Deliveries', '.empty'],
    ['a', 'Explain', '.ai'],
  ] as const) {
    await page.keyboard.press(key);
    await shows(page, '.detail .tabs [aria-current]', tab);
    await page.waitForSelector(`.detail-body :is(${part})`);
  }
  await page.keyboard.press('b');
  await page.locator(named('button', 'Raw')).click();
  expect(await page.$eval('.raw', (one) => one.textContent)).toBe(body);

  await page.keyboard.press('c');
  await shows(page, '.notices', 'The curl command is copied');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^curl /);
});

test('a replay acts once however often it is asked for, and can be taken back', async () => {
  const { page, captureUrl, endpointId } = await start();
  // The receiver answers nothing, so that the replay is open until it is taken back.
  const held = Promise.withResolvers<void>();
  const receiver = await httpReceiver((_request, res) => {
    if (receiver.requests.length === 1) res.end('ok');
    else void held.promise.then(() => res.end('ok'));
  });
  await visit(page, `/endpoints/${endpointId}/destinations`, 'form');
  await page.locator(named('textbox', 'URL of the destination')).fill(`${receiver.url}/in`);
  await page.locator(named('button', 'Add')).click();
  await page.locator('.card').wait();
  const id = await capture(captureUrl, '{"n": 1}', JSON_TYPE);
  await receiver.received(1);
  await visit(page, `/endpoints/${endpointId}/events/${id}?tab=deliveries`, '.delivery');

  // Three presses before an answer can come.
  await page.evaluate(() => {
    for (let i = 0; i < 3; i++) {
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'r', bubbles: true }));
    }
  });
  await receiver.received(2);
  await shows(page, '.notices', 'Replayed to 1 destination');
  await counts(page, '.delivery', 2);
  await page.locator(named('button', 'Undo')).click();
  await until('the page says what came of it', async () => {
    const told = await page.$eval('.notices', (one) => one.textContent ?? '');
    return /cancelled|already sent/.test(told);
  });
  held.resolve();
  expect(receiver.requests.length).toBe(2);
});

test('60,000 events scroll: what is drawn is filled and in order at any depth', async () => {
  const dataDir = tempDir();
  const first = await runServer({ dataDir });
  const account = await register(first);
  const { id, public_token: publicToken } = await account.createEndpoint();
  await first.stop();
  await withStore(dataDir, (store) => fillList(store, publicToken, MANY_EVENTS));

  const { url } = await runServer({ dataDir });
  const page = await openFirefox(`${url}/endpoints/${id}`);
  await signIn(page, account);
  await shows(page, '.list-head', '60,000 events');
  // A wheel in use: each frame has rows everywhere in view.
  const gaps = await page.$eval(
    '.virtual',
    (list) =>
      new Promise<number>((resolve) => {
        let frames = 0;
        let gaps = 0;
        const frame = () => {
          list.scrollTop += 400;
          const { top, bottom } = list.getBoundingClientRect();
          const drawn = [...list.querySelectorAll('.row')].map((row) =>
            row.getBoundingClientRect(),
          );
          const from = drawn.at(0)?.top ?? Number.POSITIVE_INFINITY;
          const to = drawn.at(-1)?.bottom ?? 0;
          if (from > top + 1 || to < bottom - 1) gaps++;
          if (++frames < 120) requestAnimationFrame(frame);
          else resolve(gaps);
        };
        requestAnimationFrame(frame);
      }),
  );
  expect(gaps).toBe(0);
  for (const share of [0.25, 0.5, 1, 0]) {
    await page.$eval(
      '.virtual',
      (list, to) => {
        list.scrollTop = (list.scrollHeight - list.clientHeight) * to;
      },
      share,
    );
    const wanted = Math.round((MANY_EVENTS - 1) * (1 - share));
    await until(`the rows at ${share} are filled and in order`, async () => {
      const seen = await page.$eval('.virtual', numbersInView);
      const inOrder = seen.every((n, i) => n >= 0 && (i === 0 || n === (seen[i - 1] ?? 0) - 1));
      return seen.length > 10 && inOrder && seen.some((n) => Math.abs(n - wanted) < 30);
    });
  }
});
