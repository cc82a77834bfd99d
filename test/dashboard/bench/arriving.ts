import type { Page } from 'playwright-core';
import type { Figures } from './figures.ts';
import { mainThreadMs } from './main-thread.ts';
import type { ProbedWindow } from './probes.ts';
import { capture, openList, type Side } from './side.ts';

/** Least and greatest pause between two captures, ms: no rhythm of the page is hit by chance. */
const PAUSE_MS = [60, 260] as const;
const CLOCK_LOOKS = 20;

/** From the sending of a capture to the frame that shows its row, while the list is in view. */
export async function arriving(side: Side, captures: number): Promise<Figures> {
  const page = await openList(side);
  const ahead = await clockAhead(page);
  const times: number[] = [];
  const cpu = await mainThreadMs(page);
  const before = await cpu();
  for (let i = 0; i < captures; i++) {
    const painted = await page.evaluateHandle(
      (path) => {
        const { whenPainted } = (window as unknown as ProbedWindow).probes;
        const isShown = () =>
          document.querySelector('[role=listbox] [role=option]')?.textContent?.includes(path) ??
          false;
        return { at: whenPainted(isShown).then((ms) => performance.timeOrigin + ms) };
      },
      `/orders/${side.captured + 1}`,
    );
    const sentAt = performance.timeOrigin + performance.now();
    const [, at] = await Promise.all([capture(side), painted.evaluate((shown) => shown.at)]);
    times.push(at - ahead - sentAt);
    const [least, most] = PAUSE_MS;
    await page.waitForTimeout(least + Math.random() * (most - least));
  }
  const captureMs = ((await cpu()) - before) / captures;
  await page.close();
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] as number;
  return {
    'capture to row: p50, ms': [at(0.5)],
    'capture to row: p95, ms': [at(0.95)],
    'capture to row: CPU of the main thread a capture, ms': [captureMs],
  };
}

/** How far the page's clock is ahead of this process's, ms, by the quickest of some looks. */
async function clockAhead(page: Page): Promise<number> {
  let best = { tookMs: Number.POSITIVE_INFINITY, ahead: 0 };
  for (let i = 0; i < CLOCK_LOOKS; i++) {
    const from = performance.now();
    const there = await page.evaluate(() => performance.timeOrigin + performance.now());
    const to = performance.now();
    if (to - from < best.tookMs) {
      best = { tookMs: to - from, ahead: there - (performance.timeOrigin + (from + to) / 2) };
    }
  }
  return best.ahead;
}
