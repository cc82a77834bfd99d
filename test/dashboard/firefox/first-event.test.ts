import { expect, test } from 'vitest';
import { capture } from '../../fixtures/account.ts';
import { runServer, tempDir } from '../../fixtures/running-server.ts';
import { serveHere } from '../../fixtures/served-process.ts';
import { until } from '../../fixtures/until.ts';
import { named, openFirefox, shows, signUp } from './open-firefox.ts';

/* From the printed link to an event that one understands. */

/** Firefox takes gzip over http, which is a tenth more than brotli. */
const FIRST_LOAD_BYTES = 66 * 1024;

test('the printed link leads to a live event', async () => {
  const served = await serveHere(tempDir(), ['--registration', 'closed', '--json']);
  const link = await until(
    'the link is printed',
    () => /^\{"type":"setup","url":"([^"]+)"\}\n/m.exec(served.stdout)?.[1],
  );
  const page = await openFirefox(link);
  await shows(page, 'h1', 'Create the first account');
  expect(page.url(), 'the token is taken out of the address').not.toContain('#');
  const { captureUrl } = await signUp(page);
  expect(captureUrl).toMatch(new RegExp(`^${served.url}/in/`));

  await page.locator('.endpoint-head .url').click();
  await shows(page, '.endpoint-head .url', 'Copied');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(captureUrl);

  await shows(page, 'main', 'Waiting for the first event');
  await capture(`${captureUrl}/orders?shop=1`, '{"order": 1}', {
    headers: { 'content-type': 'application/json' },
  });
  await shows(page, '[role=option]', '/orders');
  await page.locator('[role=option]').click();
  await shows(page, '.json-key', '"order"');
  await capture(`${captureUrl}/orders/2`);
  await shows(page, '[role=option]', '/orders/2');
});

test('the first load is small, and all of it is the server’s own', async () => {
  const server = await runServer();
  const page = await openFirefox(server.url);
  await page.locator(named('button', 'Create account')).wait();
  const loaded = await page.evaluate(() =>
    [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
      .map((entry) => entry as PerformanceResourceTiming)
      .map(({ name, encodedBodySize }) => ({ name, size: encodedBodySize })),
  );
  expect(loaded.filter(({ name }) => new URL(name).origin !== server.url)).toEqual([]);
  const bytes = loaded.reduce((sum, { size }) => sum + size, 0);
  process.stdout.write(`first load: ${(bytes / 1024).toFixed(1)} KiB\n`);
  expect(bytes).toBeGreaterThan(1024);
  expect(bytes).toBeLessThan(FIRST_LOAD_BYTES);
});
