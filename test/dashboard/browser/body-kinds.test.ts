import { deflateSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { capture } from '../../fixtures/account.ts';
import { serverOfFile } from '../../fixtures/running-server.ts';
import { until } from '../../fixtures/until.ts';
import { openAccount } from './open-account.ts';
import { visit } from './open-page.ts';

const server = serverOfFile();

async function opened() {
  const { page, captureUrl, endpointId } = await openAccount(server);
  const open = async (body: string | Buffer, headers: Record<string, string>) => {
    const id = await capture(captureUrl, body, { headers });
    await visit(page, `/endpoints/${endpointId}/events/${id}`, `.detail-nav:has-text("${id}")`);
    await page.locator('.body').waitFor();
  };
  return { page, open };
}

test('XML is formatted, and never becomes markup', async () => {
  const { page, open } = await opened();
  await open('<order id="7"><name>A &amp; B</name><script>window.pwned = 1</script><x/></order>', {
    'content-type': 'application/xml',
  });
  const xml = page.getByRole('textbox', { name: 'Body as XML' });
  expect(await xml.locator('.xml-line').allTextContents()).toEqual([
    '<order id="7">',
    '<name>A &amp; B</name>',
    '<script>window.pwned = 1</script>',
    '<x/>',
    '</order>',
  ]);
  expect(await page.evaluate(() => document.querySelectorAll('.body script, .body x').length)).toBe(
    0,
  );
  await page.keyboard.press('F');
  await page.keyboard.type('name>');
  await page.locator('.find-result', { hasText: '1 of 2' }).waitFor();
  await until('it is coloured', () =>
    page.evaluate(() => CSS.highlights.get('found-current')?.size === 1),
  );
  await open('<order><open></order>', { 'content-type': 'application/xml' });
  await page
    .getByRole('textbox', { name: 'Raw body' })
    .getByText('<order><open></order>')
    .waitFor();
  expect(await page.getByRole('button', { name: 'Pretty' }).count()).toBe(0);
});

test('a compressed body is decoded, its own bytes are under Hex', async () => {
  const { page, open } = await opened();
  const headers = { 'content-type': 'application/json' };
  await open(gzipSync('{"zipped": 1.0}'), { ...headers, 'content-encoding': 'gzip' });
  await page.getByText('decoded from gzip').waitFor();
  await page.locator('.json-number', { hasText: '1.0' }).waitFor();
  await page.getByRole('button', { name: 'Hex' }).click();
  await page.locator('.hex', { hasText: '00000000  1f 8b 08' }).waitFor();
  await page.getByRole('button', { name: 'Pretty' }).click();
  await open(deflateSync('{"deflated": 2}'), { ...headers, 'content-encoding': 'deflate' });
  await page.getByText('decoded from deflate').waitFor();
  await page.locator('.json-key', { hasText: 'deflated' }).waitFor();
  // What only claims to be compressed is shown as it came.
  await open('{"plain": 3}', { ...headers, 'content-encoding': 'deflate' });
  await page.locator('.json-key', { hasText: 'plain' }).waitFor();
  // 40 MB of zeros in 40 KB.
  await open(gzipSync(Buffer.alloc(40 * 1024 * 1024, ' ')), headers);
  await page.getByText('the first 26.2 MB').or(page.getByText('the first 25')).waitFor();
});

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAYAAAAf8/9hAAAAGUlEQVR42mP8z8Dwn4ECwMgwasCoAaMGDB8DAA0ABPmCCHcAAAAAAElFTkSuQmCC',
  'base64',
);

test('a picture is shown, whatever type its sender names; SVG never', async () => {
  const { page, open } = await opened();
  await open(PNG, { 'content-type': 'application/octet-stream' });
  const picture = page.getByRole('img', { name: 'The body as a picture, PNG' });
  await picture.waitFor();
  expect(await picture.getAttribute('src')).toMatch(/^blob:http:\/\/127\.0\.0\.1/);
  const caption = page.locator('figcaption');
  await caption.getByText(/PNG, 16 × 16 px/).waitFor();
  await open('<svg xmlns="http://www.w3.org/2000/svg" onload="window.pwned=1"/>', {
    'content-type': 'image/svg+xml',
  });
  await page.locator('.xml-line').waitFor();
  expect(await page.locator('.body img, .body svg').count()).toBe(0);
  // A header of some bytes may claim a picture of gigabytes.
  const huge = Buffer.from(PNG);
  huge.writeUInt32BE(60_000, 16);
  huge.writeUInt32BE(60_000, 20);
  await open(huge, { 'content-type': 'image/png' });
  await caption.getByText(/60,000 × 60,000 px: too large to show/).waitFor();
  expect(await page.locator('.body img').count()).toBe(0);
});
