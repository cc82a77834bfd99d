import { expect, test } from 'vitest';
import { runServer } from '../../fixtures/running-server.ts';
import { AXE, findings } from './axe.ts';
import { furnish } from './furnish.ts';
import {
  chooseForDestination,
  editDestination,
  openPage,
  setScreen,
  signIn,
  visit,
} from './open-page.ts';

/*
 * WCAG 2.2 AA as far as a program can tell: what opens over a view, in both themes and on a
 * phone. `matrix.test.ts` looks at the views themselves.
 */

const DESK = { colorScheme: 'light', viewport: { width: 1280, height: 800 } } as const;
const PHONE = { colorScheme: 'dark', viewport: { width: 390, height: 800 } } as const;

test('what opens over a view has no finding, light on a desk and dark on a phone', async () => {
  const furnished = await furnish();
  const { page } = await openPage(furnished.url, {
    ...DESK,
    // axe injects its script by the browser's own means.
    bypassCSP: true,
    // A source without its secret is refused, and a filter that is wrong.
    expected: /status of 400/,
  });
  await page.evaluate(AXE);
  const found: Record<string, string[]> = {};
  /** Looks at what is open on both screens, and leaves it on the desk. */
  const look = async (name: string) => {
    for (const screen of [PHONE, DESK]) {
      await setScreen(page, screen.viewport, { colorScheme: screen.colorScheme });
      const faults = await findings(page);
      if (faults.length > 0) found[`${name}, ${screen.colorScheme}`] = faults;
    }
  };
  await signIn(page);
  await page.keyboard.press('?');
  await page.getByRole('dialog').waitFor();
  await look('shortcuts');
  await page.keyboard.press('Escape');
  await visit(page, `/endpoints/${furnished.heldId}/destinations`, '.badge.is-paused');
  const card = page.locator('.card', { hasText: 'archive' });
  for (const name of ['Discard what waits …', 'Add a secret …', 'Remove …']) {
    await chooseForDestination(card, name);
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).waitFor();
    await look(name);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }
  await card.getByRole('button', { name: 'More for this destination' }).click();
  await look('menu of a destination');
  await page.keyboard.press('Escape');
  await editDestination(page, card);
  const filter = page.getByRole('textbox', { name: 'Filter' });
  await filter.fill('body.');
  // Suggestions would come at some time, also once the focus has gone.
  await filter.press('Escape');
  await filter.blur();
  await page.locator('.faults').waitFor();
  await look('a destination with a wrong filter');
  await filter.fill('body.total>10');
  await page.locator('.tried-event time').first().waitFor();
  await look('a filter that is tried');
  await page.getByRole('button', { name: 'Discard' }).click();
  await page.getByText('No changes').waitFor();
  await visit(page, `/endpoints/${furnished.heldId}/rejected/${furnished.rejectedId}`, '.json');
  await page.getByRole('button', { name: 'Accept …' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).waitFor();
  await look('accept');
  await page.keyboard.press('Escape');
  await visit(page, `/endpoints/${furnished.heldId}/settings`, '#field-provider');
  for (const sender of ['HTTP Basic', 'A token', 'A signature of your own']) {
    await page.getByLabel('Sender').fill(sender);
    await look(sender);
  }
  await page.getByRole('button', { name: 'Check past events' }).click();
  await page.locator('.fault').first().waitFor();
  await look('faults of a source');
  await page.getByRole('button', { name: 'Remove the source …' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).waitFor();
  await look('remove a source');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Stop enforcing' }).click();
  await page.getByRole('button', { name: 'Enforce …' }).click();
  await page.getByRole('dialog').getByText('would have been refused').waitFor();
  await look('enforce');
  await page.keyboard.press('Escape');
  await visit(page, `/endpoints/${furnished.heldId}/replays`, '.delivery-list .badge');
  await page.getByRole('button', { name: /^Cancel/ }).click();
  await page.getByRole('dialog').waitFor();
  await look('cancel a replay');
  await page.keyboard.press('Escape');
  await visit(page, `/endpoints/${furnished.heldId}/events/${furnished.heldEventId}`, '.json');
  for (const [menu, name] of [
    ['Ways to replay', 'To some destinations …'],
    ['Ways to replay', 'Edit and resend …'],
    ['More actions', 'Delete …'],
  ] as const) {
    await page.getByRole('button', { name: menu, exact: true }).click();
    await page.getByRole('menuitem', { name, exact: true }).waitFor();
    await look(menu);
    await page.getByRole('menuitem', { name, exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Cancel' }).waitFor();
    for (const radio of await dialog.getByRole('radio').all()) {
      await radio.check();
      await look(`${name} ${await radio.evaluate((one) => one.parentElement?.textContent)}`);
    }
    await look(name);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  }
  expect(found).toEqual({});
});

test('the theme follows the system, and a choice overrides it', async () => {
  const { page } = await openPage((await runServer()).url, { colorScheme: 'dark' });
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
