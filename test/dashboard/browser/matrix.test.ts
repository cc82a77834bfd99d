import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { AXE, findings } from './axe.ts';
import { type Furnished, furnish } from './furnish.ts';
import { layoutFaults } from './layout-faults.ts';
import { browserOfFile, editDestination, openPage, signIn, visit } from './open-page.ts';
import { VIEWS } from './views.ts';

/* Every view on every kind of screen in every theme: all of it is within reach and legible. */

const browser = browserOfFile();

const SCREENS = [
  { width: 1440, height: 900, hasAxe: true, isTouch: false },
  { width: 1024, height: 768, hasAxe: false, isTouch: false },
  { width: 390, height: 844, hasAxe: true, isTouch: true },
  { width: 844, height: 390, hasAxe: false, isTouch: true },
] as const;

const THEMES = [
  ['light', { colorScheme: 'light', forcedColors: 'none' }],
  ['dark', { colorScheme: 'dark', forcedColors: 'none' }],
  ['forced colours', { colorScheme: 'dark', forcedColors: 'active' }],
] as const;

/** Least share of a phone's height in landscape that the rows have. */
const LIST_SHARE = 0.45;
/** For 50 looks on four screens, with axe on two of them: a minute on a quiet machine. */
const TIMEOUT_MS = 600_000;

/** Leads through every view, and what opens over it, and has a look at each. */
async function lookAtAll(
  page: Page,
  furnished: Furnished,
  look: (name: string) => Promise<void>,
): Promise<void> {
  await look('sign in');
  await signIn(page);
  for (const [name, path, ready] of VIEWS) {
    await visit(page, path(furnished), ready);
    await look(name);
  }
  const { endpointId, heldId, heldEventId } = furnished;
  const dialog = page.getByRole('dialog');
  const close = async () => {
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  };
  for (const [key, name] of [
    ['Control+k', 'the palette'],
    ['?', 'the keys'],
    ['n', 'a new endpoint'],
  ] as const) {
    await page.keyboard.press(key);
    await dialog.waitFor();
    await look(name);
    await close();
  }
  await visit(page, `/endpoints/${endpointId}`, '[role=option] .what');
  await page.keyboard.press('f');
  await page.locator('.builder').waitFor();
  await look('a filter that is added');
  await page.keyboard.press('Escape');
  await page.locator('.pick').first().click();
  await page.locator('.chosen-bar').waitFor();
  await look('chosen events');
  await page.keyboard.press('Escape');
  await visit(page, `/endpoints/${heldId}/destinations`, '.badge.is-paused');
  await editDestination(page, page.locator('.card', { hasText: 'archive' }));
  await look('a destination that is edited');
  await visit(page, `/endpoints/${heldId}/events/${heldEventId}`, '.json');
  for (const menu of ['Ways to replay', 'More actions']) {
    await page.getByRole('button', { name: menu, exact: true }).click();
    await page.getByRole('menu').waitFor();
    await look(menu);
    await page.keyboard.press('Escape');
  }
  await page.keyboard.press('Shift+R');
  await dialog.getByRole('button', { name: 'Cancel' }).waitFor();
  await look('a replay to some destinations');
  await close();
}

describe.each(THEMES)('in %s', (_theme, media) => {
  test('no view has a fault on any screen', { timeout: TIMEOUT_MS }, async () => {
    const furnished = await furnish();
    const found: Record<string, string[]> = {};
    for (const { width, height, hasAxe, isTouch } of SCREENS) {
      const { page } = await openPage(browser(), furnished.url, {
        ...media,
        viewport: { width, height },
        ...(isTouch && { hasTouch: true, isMobile: true }),
        reducedMotion: 'reduce',
        bypassCSP: true,
      });
      await page.getByLabel('Email').waitFor();
      if (hasAxe) await page.evaluate(AXE);
      await lookAtAll(page, furnished, async (name) => {
        const faults = await layoutFaults(page, { isTouch });
        if (hasAxe) faults.push(...(await findings(page)));
        // An open panel of filters takes what it needs.
        const rows = page.locator('.list:has(#filter-panel[hidden]) .virtual:visible');
        if (height < 500 && (await rows.count()) > 0) {
          const share = (await rows.evaluate((one) => one.clientHeight)) / height;
          if (share < LIST_SHARE) faults.push(`the rows have ${Math.round(share * 100)} %`);
        }
        if (faults.length > 0) found[`${name}, ${width} × ${height}`] = faults;
      });
      await page.context().close();
    }
    expect(found).toEqual({});
  });
});
