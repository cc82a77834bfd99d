import type { Page } from 'playwright-core';
import type { Figures } from './figures.ts';
import { mainThreadMs } from './main-thread.ts';
import type { ProbedWindow } from './probes.ts';
import { capture, markOf, openList, rest, type Side } from './side.ts';

/** Events that a round opens each way. */
const OPENED = 12;
/** Time between two: somebody has looked at the one before, ms. */
const LOOK_MS = 300;
const SIZES = [
  { name: '1 MB', bytes: 1_000_000 },
  { name: '20 MB', bytes: 20_000_000 },
];

/** Opens events from the list by the pointer and by keys, until their JSON is painted. */
export async function opening(side: Side): Promise<Figures> {
  const page = await openList(side);
  const byClick: number[] = [];
  const byKey: number[] = [];
  for (let i = 0; i < OPENED; i++) {
    byClick.push((await openBy(page, await clickOn(page, i), markOf(side.captured - i))).ms);
    await page.waitForTimeout(LOOK_MS);
  }
  const cpu = await mainThreadMs(page);
  const before = await cpu();
  for (let i = OPENED; i < OPENED * 2; i++) {
    const press = () => page.keyboard.press('j');
    byKey.push((await openBy(page, press, markOf(side.captured - i))).ms);
    await page.waitForTimeout(LOOK_MS);
  }
  const openMs = ((await cpu()) - before) / OPENED;
  await page.close();
  return {
    'an event opens by a click, ms': byClick,
    'an event opens by j, ms': byKey,
    'an event opens: CPU of the main thread, ms': [openMs],
  };
}

/** Opens large bodies: the first screen, and the longest task of the main thread meanwhile. */
export async function bodies(side: Side): Promise<Figures> {
  const figures: Figures = {};
  for (const { name, bytes } of SIZES) {
    const mark = markOf(await capture(side, largeBody(side.captured + 1, bytes)));
    const page = await openList(side);
    const { ms, startedAt } = await openBy(page, await clickOn(page, 0), mark);
    await rest(page);
    const longest = await page.evaluate(
      (from) =>
        (window as unknown as ProbedWindow).probes.longTasks
          .filter(({ startTime, duration }) => startTime + duration > from)
          .reduce((most, { duration }) => Math.max(most, duration), 0),
      startedAt,
    );
    await page.close();
    figures[`${name}: first screen, ms`] = [ms];
    figures[`${name}: longest task, ms (0: none over 50)`] = [longest];
  }
  return figures;
}

function largeBody(n: number, bytes: number): string {
  const item = (i: number) =>
    JSON.stringify({
      ...{ id: `item_${i}`, sku: `SKU-${i % 977}`, count: i % 7, price: i * 1.25 },
      ...{ note: 'a line of an order, as shops send it', tags: ['a', 'b', 'c'] },
    });
  const size = item(100_000).length + 1;
  const items = Array.from({ length: Math.floor(bytes / size) }, (_, i) => item(i));
  return `{"mark":"${markOf(n)}","items":[${items.join(',')}]}`;
}

/** The pointer is over the row already, as a person's is. */
async function clickOn(page: Page, index: number): Promise<() => Promise<void>> {
  const row = page.locator(`[role=listbox] [aria-posinset="${index + 1}"] .what`);
  await row.hover();
  return async () => {
    await page.mouse.down();
    await page.mouse.up();
  };
}

/** The time from the click or the key, as the browser stamps it, to the frame with the mark. */
async function openBy(
  page: Page,
  act: () => Promise<void>,
  mark: string,
): Promise<{ ms: number; startedAt: number }> {
  const shown = await page.evaluateHandle((text) => {
    const { whenPainted } = (window as unknown as ProbedWindow).probes;
    const started = new Promise<number>((resolve) => {
      for (const type of ['click', 'keydown']) {
        addEventListener(type, (event) => resolve(event.timeStamp), { capture: true, once: true });
      }
    });
    const painted = whenPainted(
      () =>
        document.querySelector('section[aria-label=Event]')?.textContent?.includes(text) ?? false,
    );
    return { result: Promise.all([started, painted]) };
  }, mark);
  await act();
  const [startedAt, paintedAt] = await shown.evaluate(({ result }) => result);
  return { ms: paintedAt - startedAt, startedAt };
}
