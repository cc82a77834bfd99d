import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { OverviewAnswer } from '../../../src/api/overview/overview-answer.ts';
import { serverOfFile } from '../../fixtures/running-server.ts';
import { until } from '../../fixtures/until.ts';
import { AXE, findings } from './axe.ts';
import { openAccount } from './open-account.ts';
import { type PageOptions, setScreen, visit } from './open-page.ts';
import { overviewAnswer } from './overview-answer.ts';

/* What arrived, failed and waits, over all endpoints. Its figures are the API's tests'. */

const server = serverOfFile();

interface Started {
  page: Page;
  endpointId: string;
  /** Adds endpoints by the API. */
  add(...names: string[]): Promise<void>;
  /** Requests to the API since the last call. */
  asked(): string[];
}

/** A page with an account, whose overview answers what `change` makes of a busy day. */
async function start(
  change: (answer: OverviewAnswer) => Partial<OverviewAnswer> = () => ({}),
  options: PageOptions = {},
): Promise<Started> {
  let asked: string[] = [];
  const endpoints: { id: string; name: string }[] = [];
  const { page, endpointId, account } = await openAccount(server, {
    ...options,
    async prepare(page, endpointId) {
      endpoints.push({ id: endpointId, name: 'inbox' });
      page.on('request', (request) => {
        const { pathname } = new URL(request.url());
        if (pathname.startsWith('/api/')) asked.push(pathname);
      });
      await page.route('**/api/overview?*', async (route) => {
        const { searchParams } = new URL(route.request().url());
        const answer = overviewAnswer(
          searchParams.get('range') as OverviewAnswer['range'],
          endpoints,
        );
        await route.fulfill({ json: { ...answer, ...change(answer) } });
      });
    },
  });
  return {
    page,
    endpointId,
    async add(...names) {
      for (const name of names) {
        endpoints.push(await account.createEndpoint({ name }));
      }
    },
    asked() {
      const before = asked;
      asked = [];
      return before;
    },
  };
}

const barLink = (page: Page) => page.locator('.chart-hit');
const show = (page: Page, path = '/overview') => visit(page, path, '.chart-svg .bar');

test('one request fills it, however many endpoints there are', async () => {
  const { page, add, asked } = await start();
  const requests = async () => {
    await page.reload();
    await page.locator('.endpoint-row .spark rect').first().waitFor();
    await page.locator('.connection.is-live').waitFor();
    return asked().filter((path) => !/^\/api\/(?:stream|me)$/.test(path));
  };
  await show(page);
  asked();
  await requests();
  await add(...Array.from({ length: 12 }, (_, i) => `shop ${i}`));
  const all = await requests();
  expect(await page.locator('.endpoint-row').count()).toBe(13);
  expect(all.filter((path) => path === '/api/overview')).toHaveLength(1);
  // The endpoints' names and the number of issues, for the frame.
  expect(new Set(all)).toEqual(new Set(['/api/overview', '/api/endpoints', '/api/issues']));
});

test('the range is in the address, and old figures stay until the new ones come', async () => {
  const { page } = await start();
  await show(page);
  const bars = () => page.locator('.chart-svg').first().locator('g:has(.bar)').count();
  expect(await bars()).toBe(48);
  await page.getByRole('navigation', { name: 'Range' }).getByRole('link', { name: 'Hour' }).click();
  await until('the bars are minutes', async () => (await bars()) === 60);
  expect(new URL(page.url()).searchParams.get('range')).toBe('hour');
  await page.goBack();
  await until('the bars are half hours', async () => (await bars()) === 48);
});

test('a bar or a figure leads to the events that it counts, by pointer and by keys', async () => {
  const { page } = await start(undefined, { timezoneId: 'UTC' });
  await show(page);
  const link = barLink(page);
  const box = await link.boundingBox();
  if (!box) throw new Error('the chart has no place');
  // The middle of the third of 48 bars.
  await page.mouse.move(box.x + (box.width * 2.5) / 48, box.y + 20);
  await page.locator('.chart-now', { hasText: '2026-11-20 01:00' }).waitFor();
  const spanOf = async () => {
    const query = new URL((await link.getAttribute('href')) as string, page.url()).searchParams;
    return [query.get('from'), query.get('to')];
  };
  expect(await spanOf()).toEqual(['2026-11-20T01:00:00.000Z', '2026-11-20T01:30:00.000Z']);
  // The pointer finds the bar under it, up to the first and the last.
  const bars = page.locator('.chart-svg').first().locator('g:has(> .bar)');
  for (const [bar, time] of [
    [bars.first(), '2026-11-20 00:00'],
    [bars.last(), '2026-11-20 23:30'],
  ] as const) {
    const box = await bar.boundingBox();
    if (!box) throw new Error('the bar has no place');
    await page.mouse.move(box.x + 1, box.y + 5);
    await page.locator('.chart-now', { hasText: time }).waitFor();
    await page.mouse.move(box.x + box.width - 1, box.y + 5);
    await page.locator('.chart-now', { hasText: time }).waitFor();
  }
  await page.mouse.move(0, 0);
  await link.focus();
  await page.locator('.chart-now', { hasText: '2026-11-20 23:30' }).waitFor();
  await page.keyboard.press('ArrowLeft');
  await page.locator('.chart-now', { hasText: '2026-11-20 23:00' }).waitFor();
  await page.keyboard.press('Enter');
  await until('its events are shown', () => new URL(page.url()).pathname === '/events');
  expect(new URL(page.url()).searchParams.get('from')).toBe('2026-11-20T23:00:00.000Z');

  await show(page, '/');
  await page.locator('.overview-figures dd.is-failed a').click();
  await page.waitForURL('**/events?*');
  const { searchParams } = new URL(page.url());
  expect([...searchParams]).toEqual([
    ['status', 'failed'],
    ['from', '2026-11-20T00:00:00.000Z'],
  ]);
});

test('a chart with fewer than two points is a sentence', async () => {
  const none = { received: 0, delivered: 0, failed: 0, dead_letter: 0 };
  let filled = 0;
  const { page } = await start((answer) => ({
    buckets: answer.buckets.map((bucket, i) => ({
      ...bucket,
      events: i < filled ? { ...none, delivered: 3 } : none,
      latency: i < filled ? { p50: 10, p95: 20, p99: 30 } : null,
    })),
    totals: { ...answer.totals, latency: filled === 0 ? null : { p50: 10, p95: 20, p99: 30 } },
  }));
  await visit(page, '/', '.chart-sentence');
  await page.getByText('No event in the last 24 hours.').waitFor();
  await page.getByText('No delivery in the last 24 hours.').waitFor();
  filled = 1;
  await page.reload();
  await page.getByRole('link', { name: '3 events: 3 delivered' }).waitFor();
  expect(await page.locator('.chart-svg').count()).toBe(0);
  filled = 2;
  await page.reload();
  await page.locator('.chart-svg').nth(1).waitFor();
});

test('the labels of an axis are whole, and a lone bucket is a column', async () => {
  const { page } = await start((answer) => ({
    buckets: answer.buckets.map((bucket, i) => ({
      ...bucket,
      events: { ...bucket.events, delivered: 1_000_000 + i },
      latency: i % 2 === 0 ? { p50: 20_000, p95: 30_000, p99: 40_000 } : null,
    })),
  }));
  await show(page, '/');
  const { texts, left } = await page.evaluate(() => {
    const labels = [...document.querySelectorAll<SVGTextElement>('.chart-svg .chart-text')];
    return {
      texts: labels.map(({ textContent }) => textContent),
      left: Math.min(...labels.map((label) => label.getBBox().x)),
    };
  });
  expect(texts).toEqual(expect.arrayContaining(['2M', '1M', '1 min', '30 s']));
  expect(left).toBeGreaterThanOrEqual(0);
  const band = page.locator('.chart-band.is-wide');
  // 24 of 48 buckets, each as wide as its bucket.
  expect((await band.getAttribute('d'))?.match(/M/g)).toHaveLength(24);
  const box = await band.boundingBox();
  const chart = await page.locator('.chart').nth(1).boundingBox();
  expect(box?.width).toBeGreaterThan((chart?.width ?? 0) * 0.8);
  expect(box?.height).toBeGreaterThan(20);
});

test('endpoints that fail come first, and no later figure moves a row', async () => {
  let isCalm = false;
  const { page, add } = await start((answer) => ({
    endpoints: answer.endpoints.map((one, i) => ({
      ...one,
      failed: !isCalm && i === 1 ? 5 : 0,
      dead_letter: !isCalm && i === 0 ? 1 : 0,
      events: isCalm ? 7 : one.events,
    })),
  }));
  await add('a', 'b', 'c', 'd');
  await page.reload();
  await visit(page, '/', '.endpoint-row');
  const names = () => page.locator('.endpoint-row .endpoint-name .cut').allTextContents();
  const before = await names();
  expect(before.slice(0, 2)).toEqual(['inbox', 'a']);
  isCalm = true;
  // The connection is new, so the page looks again.
  await page.evaluate(() => dispatchEvent(new Event('online')));
  await page
    .locator('.endpoint-row .figure', { hasText: /^7 events$/ })
    .nth(4)
    .waitFor();
  expect(await names()).toEqual(before);
});

test('charts follow the theme at once', async () => {
  const { page } = await start();
  await show(page);
  const colours = () =>
    page.evaluate(() =>
      ['.bar.is-delivered', '.chart-line', '.chart-text', '.chart-median', '.chart-band'].map(
        (name) => {
          const { fill, stroke } = getComputedStyle(document.querySelector(name) as Element);
          return fill === 'none' || name === '.chart-line' ? stroke : fill;
        },
      ),
    );
  const light = await colours();
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await colours();
  for (const [i, colour] of light.entries()) expect(dark[i]).not.toBe(colour);
  await page.keyboard.press('t');
  expect(await colours()).toEqual(light);
});

describe('what needs a look', () => {
  const hostile = 'pay\u202epal';

  test('is listed with ways to it, and marks its endpoint', async () => {
    const { page, endpointId } = await start((answer) => ({
      issues: {
        open: 7,
        newest: [issueOf('iss_1', `the payload of ${hostile} changed`)],
      },
      destinations: [
        {
          id: 'dst_1',
          endpoint_id: answer.endpoints[0]?.endpoint_id ?? '',
          name: 'CRM',
          url: 'https://crm.example/hooks',
          state: 'active',
          health: {
            state: 'open',
            since: answer.from,
            consecutive_failures: 12,
            next_probe_at: null,
          },
          waiting: { count: 10_000, at_least: true, oldest_at: answer.from },
        },
        {
          id: 'dst_2',
          endpoint_id: answer.endpoints[0]?.endpoint_id ?? '',
          name: 'ERP',
          url: 'https://erp.example/hooks',
          state: 'active',
          health: {
            state: 'refusing',
            since: answer.from,
            consecutive_failures: 275,
            next_probe_at: null,
          },
          waiting: { count: 0, at_least: false, oldest_at: null },
        },
      ],
      silent: [{ endpoint_id: 'ep_9', name: hostile, last_at: answer.from, expect_every: '15m' }],
    }));
    await show(page);
    const main = page.locator('main');
    const issue = main.getByRole('link', { name: 'changed' });
    expect(await issue.textContent()).toContain('pay\\u202Epal');
    expect(await issue.getAttribute('href')).toBe('/issues/iss_1');
    expect(await main.getByRole('link', { name: 'All 7' }).getAttribute('href')).toBe('/issues');
    const destination = main.getByRole('link', { name: 'CRM' });
    expect(await destination.textContent()).toContain('over 10,000 wait');
    expect(await destination.getAttribute('href')).toBe(`/endpoints/${endpointId}/destinations`);
    expect(await main.getByRole('link', { name: 'ERP' }).textContent()).toMatch(/refusing for /);
    expect(await main.getByRole('link', { name: 'pay' }).last().textContent()).toContain(
      'expected every 15m',
    );
    await page
      .getByRole('navigation', { name: 'Endpoints' })
      .getByRole('link', { name: /inbox.*has failing events/ })
      .waitFor();
  });
});

const issueOf = (id: string, title: string): OverviewAnswer['issues']['newest'][number] => ({
  id,
  kind: 'drift',
  state: 'open',
  endpoint_id: null,
  destination_id: null,
  title,
  cause: 'A member is missing.',
  suggestion: 'Look at it.',
  first_at: '2026-11-20T00:00:00.000Z',
  last_at: '2026-11-20T00:00:00.000Z',
  count: 3,
  event_ids: [],
});

test('it has no finding, no overflow, and status by more than colour', async () => {
  const { page, add } = await start(undefined, { bypassCSP: true });
  await add('a name that is rather long, so that it has to be cut somewhere on its way');
  await page.reload();
  await page.locator('.connection.is-live').waitFor();
  await page.evaluate(AXE);
  for (const [colorScheme, forcedColors, width] of [
    ['light', 'none', 1440],
    ['dark', 'none', 390],
    ['light', 'active', 1024],
  ] as const) {
    const at = `${colorScheme}, forced colours ${forcedColors}, ${width} px`;
    await setScreen(page, { width, height: 800 }, { colorScheme, forcedColors });
    for (const path of ['/overview', '/endpoints']) {
      await visit(page, path, '.endpoint-row .figure');
      expect(await findings(page), at).toEqual([]);
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(overflow, at).toBe(0);
    }
    await show(page);
    const looks = await page.locator('.bar').evaluateAll((all) =>
      ['is-delivered', 'is-received', 'is-failed', 'is-dead_letter'].map((name) => {
        const bar = all.find((one) => one.classList.contains(name)) as Element;
        return getComputedStyle(bar).fill;
      }),
    );
    expect(new Set(looks).size, at).toBe(4);
    const chosen = page.locator('.segments [aria-current]');
    if (forcedColors === 'active') {
      expect(await chosen.evaluate((one) => getComputedStyle(one).outlineStyle)).toBe('solid');
    }
  }
});
