import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { AXE, findings } from './axe.ts';
import { type Furnished, furnish } from './furnish.ts';
import { layoutFaults } from './layout-faults.ts';
import { editDestination, openPage, setScreen, signIn, visit } from './open-page.ts';
import { VIEWS } from './views.ts';

/* Every view on every kind of screen in every theme: all of it is within reach and legible. */

/** Kinds of pointers, each with its screens. The first is looked at last, and a view opens on it. */
const DEVICES = [
  {
    isTouch: false,
    screens: [
      { width: 1440, height: 900, hasAxe: true },
      { width: 1024, height: 768, hasAxe: false },
    ],
  },
  {
    isTouch: true,
    screens: [
      { width: 390, height: 844, hasAxe: true },
      { width: 844, height: 390, hasAxe: false },
    ],
  },
] as const;

/**
 * Dark differs from light by its colours alone, so only the rules on colours look at it. No
 * rule of axe depends on forced colours: a script doesn't read them.
 */
const THEMES = [
  { theme: 'forced', media: { colorScheme: 'dark', forcedColors: 'active' }, axe: 'none' },
  { theme: 'dark', media: { colorScheme: 'dark', forcedColors: 'none' }, axe: 'colours' },
  { theme: 'light', media: { colorScheme: 'light', forcedColors: 'none' }, axe: 'every rule' },
] as const;

/** Least share of a phone's height in landscape that the rows have. */
const LIST_SHARE = 0.45;
/** For 50 views on four screens in three themes: half a minute on a quiet machine. */
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

/** What is wrong with an open view, on each screen of a device in each theme. */
async function faultsOf(page: Page, device: (typeof DEVICES)[number]): Promise<string[]> {
  const faults: string[] = [];
  for (const { width, height, hasAxe } of device.screens.toReversed()) {
    for (const { theme, media, axe } of THEMES) {
      if (theme === 'dark' && !hasAxe) continue;
      await setScreen(page, { width, height }, media);
      const found: string[] = [];
      // Light and dark have the same boxes.
      if (theme !== 'dark') found.push(...(await layoutFaults(page, device)));
      if (hasAxe && axe !== 'none') found.push(...(await findings(page, axe)));
      faults.push(...found.map((fault) => `${width} × ${height}, ${theme}: ${fault}`));
    }
    // An open panel of filters takes what it needs.
    const rows = page.locator('.list:has(#filter-panel[hidden]) .virtual:visible');
    if (height < 500 && (await rows.count()) > 0) {
      const share = (await rows.evaluate((one) => one.clientHeight)) / height;
      if (share < LIST_SHARE)
        faults.push(`${width} × ${height}: rows ${Math.round(share * 100)} %`);
    }
  }
  return faults;
}

test('no view has a fault on any screen in any theme', { timeout: TIMEOUT_MS }, async () => {
  const furnished = await furnish();
  const found: Record<string, string[]> = {};
  // A view is opened once for each device: a page is resized, and its media are emulated.
  const lookWith = async (device: (typeof DEVICES)[number]) => {
    const { page } = await openPage(furnished.url, {
      viewport: device.screens[0],
      ...(device.isTouch && { hasTouch: true, isMobile: true }),
      reducedMotion: 'reduce',
      bypassCSP: true,
    });
    await page.getByLabel('Email').waitFor();
    await page.evaluate(AXE);
    await lookAtAll(page, furnished, async (name) => {
      const faults = await faultsOf(page, device);
      if (faults.length > 0) found[`${name}${device.isTouch ? ', touch' : ''}`] = faults;
    });
  };
  await Promise.all(DEVICES.map(lookWith));
  expect(found).toEqual({});
});
