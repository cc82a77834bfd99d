import { describe, expect, test } from 'vitest';
import { AXE, findings } from './axe.ts';
import { furnish } from './furnish.ts';
import {
  browserOfFile,
  chooseForDestination,
  editDestination,
  openPage,
  signIn,
  visit,
} from './open-page.ts';

/*
 * WCAG 2.2 AA as far as a program can tell: what opens over a view, in both themes and on a
 * phone. `matrix.test.ts` looks at the views themselves.
 */

const browser = browserOfFile();

describe.each([
  ['light', 1280],
  ['dark', 390],
] as const)('%s, %i px wide', (colorScheme, width) => {
  test('has no finding', { timeout: 120_000 }, async () => {
    const furnished = await furnish();
    const { page } = await openPage(browser(), furnished.url, {
      colorScheme,
      viewport: { width, height: 800 },
      // axe injects its script by the browser's own means.
      bypassCSP: true,
      // A source without its secret is refused, and a filter that is wrong.
      expected: /status of 400/,
    });
    await page.evaluate(AXE);
    const found: Record<string, string[]> = {};
    await signIn(page);
    await page.keyboard.press('?');
    await page.getByRole('dialog').waitFor();
    found.shortcuts = await findings(page);
    await page.keyboard.press('Escape');
    await visit(page, `/endpoints/${furnished.heldId}/destinations`, '.badge.is-paused');
    const card = page.locator('.card', { hasText: 'archive' });
    for (const name of ['Discard what waits …', 'Add a secret …', 'Remove …']) {
      await chooseForDestination(card, name);
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).waitFor();
      found[name] = await findings(page);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
    await card.getByRole('button', { name: 'More for this destination' }).click();
    found['menu of a destination'] = await findings(page);
    await page.keyboard.press('Escape');
    await editDestination(page, card);
    const filter = page.getByRole('textbox', { name: 'Filter' });
    await filter.fill('body.');
    await page.locator('.faults').waitFor();
    found['a destination with a wrong filter'] = await findings(page);
    await filter.fill('body.total>10');
    await page.locator('.tried-event time').first().waitFor();
    found['a filter that is tried'] = await findings(page);
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.getByText('No changes').waitFor();
    await visit(page, `/endpoints/${furnished.heldId}/rejected/${furnished.rejectedId}`, '.json');
    await page.getByRole('button', { name: 'Accept …' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).waitFor();
    found.accept = await findings(page);
    await page.keyboard.press('Escape');
    await visit(page, `/endpoints/${furnished.heldId}/settings`, '#field-provider');
    for (const sender of ['HTTP Basic', 'A token', 'A signature of your own']) {
      await page.getByLabel('Sender').fill(sender);
      found[sender] = await findings(page);
    }
    await page.getByRole('button', { name: 'Check past events' }).click();
    await page.locator('.fault').first().waitFor();
    found['faults of a source'] = await findings(page);
    await page.getByRole('button', { name: 'Remove the source …' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).waitFor();
    found['remove a source'] = await findings(page);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Stop enforcing' }).click();
    await page.getByRole('button', { name: 'Enforce …' }).click();
    await page.getByRole('dialog').getByText('would have been refused').waitFor();
    found.enforce = await findings(page);
    await page.keyboard.press('Escape');
    await visit(page, `/endpoints/${furnished.heldId}/replays`, '.delivery-list .badge');
    await page.getByRole('button', { name: /^Cancel/ }).click();
    await page.getByRole('dialog').waitFor();
    found['cancel a replay'] = await findings(page);
    await page.keyboard.press('Escape');
    await visit(page, `/endpoints/${furnished.heldId}/events/${furnished.heldEventId}`, '.json');
    for (const [menu, name] of [
      ['Ways to replay', 'To some destinations …'],
      ['Ways to replay', 'Edit and resend …'],
      ['More actions', 'Delete …'],
    ] as const) {
      await page.getByRole('button', { name: menu, exact: true }).click();
      await page.getByRole('menuitem', { name, exact: true }).waitFor();
      found[menu] = await findings(page);
      await page.getByRole('menuitem', { name, exact: true }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Cancel' }).waitFor();
      for (const radio of await dialog.getByRole('radio').all()) {
        await radio.check();
        found[`${name} ${await radio.evaluate((one) => one.parentElement?.textContent)}`] =
          await findings(page);
      }
      found[name] = await findings(page);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
    }
    expect(Object.fromEntries(Object.entries(found).filter(([, all]) => all.length > 0))).toEqual(
      {},
    );
  });
});

test('the theme follows the system, and a choice overrides it', async () => {
  const furnished = await furnish();
  const { page } = await openPage(browser(), furnished.url, { colorScheme: 'dark' });
  const ground = () =>
    page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  await page.getByLabel('Email').waitFor();
  const dark = await ground();
  await page.emulateMedia({ colorScheme: 'light' });
  const light = await ground();
  expect(light).not.toBe(dark);
  await page.getByRole('button', { name: 'Theme: system. Change' }).click();
  expect(await ground()).toBe(light);
  await page.getByRole('button', { name: 'Theme: light. Change' }).click();
  expect(await ground()).toBe(dark);
  await page.reload();
  await page.getByRole('button', { name: 'Theme: dark. Change' }).waitFor();
  expect(await ground()).toBe(dark);
});
