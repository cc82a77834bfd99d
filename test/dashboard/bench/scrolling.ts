import type { Page } from 'playwright-core';
import type { Figures } from './figures.ts';
import { mainThreadMs } from './main-thread.ts';
import { openList, type Side } from './side.ts';

const PIXELS_A_FRAME = 400;
const FRAMES = 300;
/** A longer frame is visible jank: three of 60 frames a second. */
const JANK_MS = 50;

interface Scrolled {
  times: number[];
  gaps: number;
  blanks: number;
}

/**
 * Scrolls fast over rows that weren't fetched: down from the newest, and up from the oldest.
 * A row is blank while it isn't fetched; a gap has no row at all.
 */
export async function scrolling(side: Side, blank: string): Promise<Figures> {
  const page = await openList(side);
  const cpu = await mainThreadMs(page);
  const before = await cpu();
  const down = await scroll(page, PIXELS_A_FRAME, blank);
  const frameMs = ((await cpu()) - before) / FRAMES;
  await toTheEnd(page, blank);
  const up = await scroll(page, -PIXELS_A_FRAME, blank);
  await page.close();
  return {
    ...figuresOf('down', down),
    'down: CPU of the main thread a frame, ms': [frameMs],
    ...figuresOf('up', up),
  };
}

function figuresOf(way: string, { times, gaps, blanks }: Scrolled): Figures {
  const sorted = times.toSorted((a, b) => a - b);
  return {
    [`${way}: frames with a gap, %`]: [(gaps / FRAMES) * 100],
    [`${way}: frames with blank rows, %`]: [(blanks / FRAMES) * 100],
    [`${way}: p95 of frames, ms`]: [sorted[Math.floor(0.95 * (sorted.length - 1))] as number],
    [`${way}: worst frame, ms`]: [sorted.at(-1) as number],
    [`${way}: frames over 50 ms`]: [times.filter((ms) => ms > JANK_MS).length],
  };
}

async function toTheEnd(page: Page, blank: string): Promise<void> {
  const list = page.getByRole('listbox');
  await list.evaluate((element) => element.scrollTo(0, element.scrollHeight));
  await list.evaluate(
    (element, selector) =>
      new Promise<void>((resolve) => {
        let quiet = 0;
        const look = () => {
          const isFilled =
            element.querySelector(selector) === null && element.querySelector('[role=option]');
          quiet = isFilled ? quiet + 1 : 0;
          // Some frames in a row: what was drawn before the jump is gone.
          if (quiet > 30) resolve();
          else requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
      }),
    blank,
  );
}

/** Scrolls by a step each frame, and looks after each step at what the frame will show. */
function scroll(page: Page, pixels: number, blank: string): Promise<Scrolled> {
  return page.getByRole('listbox').evaluate(
    (element, { step, frames, selector }) =>
      new Promise<Scrolled>((resolve) => {
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
            isBlank: row.matches(selector),
          }));
          const first = drawn.at(0)?.box.top ?? Number.POSITIVE_INFINITY;
          const end = drawn.at(-1)?.box.bottom ?? 0;
          if (first > top + 1 || end < bottom - 1) gaps++;
          if (drawn.some(({ box, isBlank }) => isBlank && box.bottom > top && box.top < bottom)) {
            blanks++;
          }
          if (times.length <= frames) requestAnimationFrame(frame);
          else resolve({ times: times.slice(1), gaps, blanks });
        };
        requestAnimationFrame(frame);
      }),
    { step: pixels, frames: FRAMES, selector: blank },
  );
}
