import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { register } from '../../fixtures/account.ts';
import { runServer, tempDir } from '../../fixtures/running-server.ts';
import { until } from '../../fixtures/until.ts';
import { withStore } from '../../fixtures/with-store.ts';
import { mainThreadMs } from '../bench/main-thread.ts';
import { fillList, numbersInView } from './long-list.ts';
import { openAccount } from './open-account.ts';
import { openPage, rows, signIn, visit } from './open-page.ts';

/* 100,000 events: scrolled without jank, found by their place, and not all in memory. */

const EVENTS = 100_000;
/**
 * CPU time of the page's main thread that a frame may take, ms. A frame over 50 ms is visible
 * jank; a busy machine delays frames, and disturbs their CPU time little.
 */
const MOST_CPU_MS = 30;
const SMOOTH_FRAMES = 240;

test('100,000 events scroll smoothly', { timeout: 180_000 }, async () => {
  const dataDir = tempDir();
  const first = await runServer({ dataDir });
  const account = await register(first);
  const { id, public_token: publicToken } = await account.createEndpoint();
  await first.stop();
  await withStore(dataDir, (store) => fillList(store, publicToken, EVENTS));

  const server = await runServer({ dataDir });
  const { page } = await openPage(`${server.url}/endpoints/${id}`);
  await signIn(page, account);
  await page.getByText('100,000 events').waitFor();
  const list = page.getByRole('listbox');
  await list.evaluate(
    () => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 2000 })),
  );

  // Scrolls like a wheel: one step per frame.
  const cpuMs = await mainThreadMs(page);
  const before = await cpuMs();
  await list.evaluate(
    (element, frames) =>
      new Promise<void>((resolve) => {
        let done = 0;
        const step = () => {
          element.scrollTop += 240;
          if (++done < frames) requestAnimationFrame(step);
          else resolve();
        };
        requestAnimationFrame(step);
      }),
    SMOOTH_FRAMES,
  );
  const frameMs = ((await cpuMs()) - before) / SMOOTH_FRAMES;
  process.stdout.write(`CPU time of a frame: ${frameMs.toFixed(1)} ms\n`);
  expect(frameMs).toBeLessThan(MOST_CPU_MS);

  // Faster than rows can be fetched: what is drawn covers the view in every frame.
  for (const pixels of [400, -400]) {
    const { times, gaps, blanks } = await fastScroll(list, pixels);
    const slowest = Math.round(Math.max(...times));
    process.stdout.write(
      `${pixels} px a frame: ${gaps} frames with a gap, ${blanks} with rows to come, ` +
        `max ${slowest} ms\n`,
    );
    expect(gaps).toBe(0);
    expect(blanks / FAST_FRAMES).toBeLessThan(MOST_BLANKS);
  }

  // Every row at rest in view is filled and in order, at any depth.
  for (const share of [0.25, 0.5, 1, 0.75, 0]) {
    await list.evaluate((element, to) => {
      element.scrollTop = (element.scrollHeight - element.clientHeight) * to;
    }, share);
    await settled(list, 'its rows are filled');
    if (share === 1) await page.getByRole('option', { name: '/n/0' }).first().waitFor();
  }
  expect(await rows(page).count()).toBeLessThan(80);
  await page.getByRole('option', { name: '/n/99999' }).waitFor();
});

const FAST_FRAMES = 150;
/** Share of frames that may show a row to come: a busy machine answers late. */
const MOST_BLANKS = 0.2;

/**
 * Scrolls by a step each frame, and looks after each step at what the frame will show: `gaps`
 * are frames in which no row is drawn somewhere in view, `blanks` those with a row that isn't
 * fetched.
 */
function fastScroll(
  list: Locator,
  pixels: number,
): Promise<{ times: number[]; gaps: number; blanks: number }> {
  return list.evaluate(
    (element, { step, frames }) =>
      new Promise((resolve) => {
        const times: number[] = [];
        let gaps = 0;
        let blanks = 0;
        let last = performance.now();
        const frame = (now: number) => {
          times.push(now - last);
          last = now;
          element.scrollTop += step;
          const { top, bottom } = element.getBoundingClientRect();
          const drawn = [...element.querySelectorAll('.row')].map((row) => ({
            box: row.getBoundingClientRect(),
            isBlank: row.classList.contains('is-blank'),
          }));
          const first = drawn.at(0)?.box.top ?? Number.POSITIVE_INFINITY;
          const end = drawn.at(-1)?.box.bottom ?? 0;
          if (first > top + 1 || end < bottom - 1) gaps++;
          if (drawn.some(({ box, isBlank }) => isBlank && box.bottom > top && box.top < bottom)) {
            blanks++;
          }
          if (times.length < frames) requestAnimationFrame(frame);
          else resolve({ times: times.slice(1), gaps, blanks });
        };
        requestAnimationFrame(frame);
      }),
    { step: pixels, frames: FAST_FRAMES },
  );
}

/** Waits until every row in view is filled and in order, and `holds` of their numbers. */
async function settled(
  list: Locator,
  what: string,
  holds: (seen: number[]) => boolean = () => true,
): Promise<void> {
  await until(what, async () => {
    const seen = await list.evaluate(numbersInView);
    const inOrder = seen.every((n, i) => n >= 0 && (i === 0 || n === (seen[i - 1] as number) - 1));
    return seen.length > 10 && inOrder && holds(seen);
  });
}

test('each of a million rows can be reached, more than a browser can scroll', async () => {
  const total = 1_000_000;
  const { page, endpointId } = await openAccount(await runServer());
  // Generated pages of a million events: the test is about the list.
  await page.route('**/api/endpoints/*/events?*', (route) => {
    const query = new URL(route.request().url()).searchParams;
    const limit = Number(query.get('limit'));
    const offset = (Number(query.get('page')) - 1) * limit;
    const data = Array.from({ length: Math.min(limit, total - offset) }, (_, i) => ({
      id: `evt_${total - 1 - offset - i}`,
      status: 'received',
      method: 'POST',
      received_at: '2026-11-21T10:00:00.000Z',
      path: `/n/${total - 1 - offset - i}`,
      content_type: null,
      size: 1,
      provider: null,
      event_type: null,
      attempts: 0,
      verification: { state: 'unverified', provider: null, secret: null, reason: null },
      duplicate_of: null,
    }));
    return route.fulfill({ json: { data, total, page: 1, limit } });
  });
  await visit(page, `/endpoints/${endpointId}?method=POST`, '[role=option] .what');
  await page.getByText('1,000,000 matches').waitFor();
  const list = page.getByRole('listbox');
  await settled(list, 'the newest', ([first]) => first === total - 1);
  await list.evaluate((element) => element.scrollTo(0, element.scrollHeight));
  await settled(list, 'the oldest', (seen) => seen.at(-1) === 0);
  await list.evaluate((element) => {
    element.scrollTop = (element.scrollHeight - element.clientHeight) / 2;
  });
  await settled(list, 'the middle', ([first = 0]) => Math.abs(first - total / 2) < 50);
  // No step skips a row: each begins with rows of the one before.
  for (let step = 0; step < 10; step++) {
    const before = await list.evaluate(numbersInView);
    await list.hover();
    await page.mouse.wheel(0, 120);
    await settled(list, 'the next rows', ([first = 0]) => first < (before[0] as number));
    const after = await list.evaluate(numbersInView);
    expect(before).toContain(after[0]);
  }
});
