import { expect, test } from 'vitest';
import { capture } from '../../fixtures/account.ts';
import { httpReceiver } from '../../fixtures/receiver.ts';
import { serverOfFile } from '../../fixtures/running-server.ts';
import { until } from '../../fixtures/until.ts';
import { CORPUS, inHeader } from './hostile-corpus.ts';
import { openAccount } from './open-account.ts';
import { rows, visit } from './open-page.ts';

/*
 * Senders' text is hostile. Each text goes into every field that a sender controls,
 * and every view is opened. Nothing runs, loads or breaks out, and nothing even
 * violates the content security policy: the policy is the second line of defence.
 */

const server = serverOfFile();

test('hostile text stays text in every view', { timeout: 180_000 }, async () => {
  // The AI operations are another part of the server.
  const options = { expected: /status of 40[34]/ };
  const { page, account, call, captureUrl, endpointId } = await openAccount(server, options);
  const target = await httpReceiver((request, res) => {
    res.writeHead(500, { 'content-type': 'text/html' }).end(request.body.toString());
  });
  const path = `/endpoints/${endpointId}`;
  const once = { retry: { attempts: 1, base: '1s', factor: 1, max: '1s' }, breaker: 'off' };
  const url = `${target.url}/<script>window.pwned=20`;
  await account.addDestination({ id: endpointId }, url, undefined, once);
  await call(200, 'PATCH', `/api${path}`, { name: '<img src=x onerror=window.pwned=21>' });
  await page.reload();
  await page.getByRole('heading', { name: '<img src=x' }).waitFor();

  const sent: string[] = [];
  /** Those whose body is the text itself. */
  const plain = new Set<string>();
  for (const text of CORPUS) {
    const object = { [text]: text, nested: [{ [text]: { [text]: [text, 1] } }] };
    const path = `/${encodeURIComponent(text.slice(0, 500))}?q=${encodeURIComponent(text.slice(0, 500))}`;
    const headers = {
      'X-Github-Event': inHeader(text),
      'User-Agent': inHeader(text),
      'X-Double': [inHeader(text), inHeader(text)],
    };
    for (const [type, body] of [
      ['application/json', JSON.stringify(object)],
      ['text/html', text],
      ['application/x-www-form-urlencoded', new URLSearchParams([[text, text]]).toString()],
      [
        'multipart/form-data; boundary=b',
        `--b\r\ncontent-disposition: form-data; name="${text}"; filename="${text}"\r\n\r\n${text}\r\n--b--`,
      ],
    ] as const) {
      const all = { ...headers, 'content-type': type };
      const id = await capture(captureUrl + path, body, { headers: all });
      sent.push(id);
      if (body === text) plain.add(id);
    }
  }
  // The view that shows method, type and path raw.
  const raw = await capture(`${captureUrl}/<script>window.pwned=30</script>?<script>`, '<b>', {
    method: 'PURGE',
    headers: { 'content-type': '<script>window.pwned=31</script>' },
  });
  sent.push(raw);
  plain.add(raw);
  await page.getByText(`${sent.length} events`).waitFor();
  await until('they are attempted', async () => {
    return (await call(200, 'GET', `/api${path}/events?limit=1&status=received`)).total === 0;
  });

  const opened = { Form: 0, Raw: 0, Hex: 0, Response: 0 };
  for (const id of sent) {
    const ofThis = `.detail-nav:has-text("${id}")`;
    await visit(page, `/endpoints/${endpointId}/events/${id}`, ofThis);
    await page.locator('.body, .detail-body .empty').waitFor();
    const ways = plain.has(id) ? (['Raw', 'Hex'] as const) : (['Form', 'Raw'] as const);
    for (const way of ways) {
      const button = page.getByRole('button', { name: way, exact: true });
      if ((await button.count()) === 0) continue;
      await button.click();
      await page.locator('.segments [aria-pressed=true]', { hasText: way }).waitFor();
      opened[way]++;
    }
    // Headers, query and deliveries are alike for each body with the same text.
    if (!plain.has(id)) continue;
    for (const tab of ['Headers', 'Query', 'Deliveries']) {
      await page.keyboard.press(tab[0]?.toLowerCase() as string);
      await page.locator('.tabs [aria-current]', { hasText: tab }).waitFor();
    }
    // A request that couldn't be sent has an error instead of a response.
    await page.locator('.attempts details, .attempt-error').first().waitFor();
    const response = page.locator('.attempts details summary');
    if ((await response.count()) === 0) continue;
    await response.first().click();
    opened.Response++;
  }
  expect(opened).toMatchObject({ Form: 2 * CORPUS.length, Raw: sent.length, Hex: plain.size });
  expect(opened.Response).toBeGreaterThan(0.75 * CORPUS.length);
  // Comparison, search, and every other view.
  await visit(page, `/endpoints/${endpointId}/compare/${sent[0]}/${sent[8]}`, '.diff');
  for (const text of CORPUS.slice(0, 6)) {
    await visit(page, `/endpoints/${endpointId}?q=${encodeURIComponent(text)}`, '.row');
  }
  await visit(page, '/endpoints', '.endpoint-row');
  await visit(page, `/endpoints/${endpointId}/destinations`, '.card');
  await visit(page, `/endpoints/${endpointId}/types`, '.types td');
  for (const text of CORPUS.slice(0, 6)) {
    const type = encodeURIComponent(inHeader(text));
    await visit(page, `/endpoints/${endpointId}/types?type=${type}`, '.snippets pre');
  }

  const { pwned, elements, title, styles } = await page.evaluate(() => ({
    pwned: (window as unknown as { pwned?: unknown }).pwned ?? null,
    elements: document.querySelectorAll('script, iframe, base, style, object, embed').length,
    title: document.title,
    styles: [...document.styleSheets].map(({ href }) => new URL(href ?? 'about:blank').origin),
  }));
  // Only the page's own script.
  expect({ pwned, elements, title }).toEqual({
    pwned: null,
    elements: 1,
    title: '<img src=x onerror=window.pwned=21> · Types · hookrelay',
  });
  expect([...new Set(styles)]).toEqual([server.url]);
  expect(new URL(page.url()).origin).toBe(server.url);
});

test('JSON nested a million deep does not break the page', async () => {
  const { page, captureUrl } = await openAccount(server);
  const depth = 1_000_000;
  await capture(captureUrl, `${'['.repeat(depth)}${']'.repeat(depth)}`, {
    headers: { 'content-type': 'application/json' },
  });
  await capture(captureUrl, '{"after": true}', { headers: { 'content-type': 'application/json' } });
  await until('both are there', async () => (await rows(page).count()) === 2);
  await rows(page).nth(1).click();
  await page.locator('.json, .raw').first().waitFor();
  await rows(page).nth(0).click();
  await page.locator('.json-key', { hasText: 'after' }).waitFor();
});
