import { mkdirSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { type Furnished, furnish } from './furnish.ts';
import { editDestination, openPage, signIn, visit } from './open-page.ts';

/* The pictures in README.md and docs/dashboard.md. Each run renews them. */

const FOLDER = fileURLToPath(new URL('../screenshots/', import.meta.url));
const MAX_BYTES = 200 * 1024;
const DESK = { width: 1280, height: 660 };

/** @param height of the upper part of the page, when the rest is empty */
async function shoot(page: Page, name: string, height?: number): Promise<void> {
  mkdirSync(FOLDER, { recursive: true });
  await page.mouse.move(0, 0);
  await page.evaluate(() => document.fonts.ready);
  const path = `${FOLDER}${name}.png`;
  await page.screenshot({
    path,
    animations: 'disabled',
    caret: 'hide',
    ...(height && { clip: { x: 0, y: 0, width: 1280, height } }),
  });
  expect(statSync(path).size, name).toBeLessThan(MAX_BYTES);
}

async function enter({ url }: Furnished, options: object): Promise<Page> {
  const { page } = await openPage(url, options);
  await signIn(page);
  return page;
}

test('desktop in light and dark, and phone', { timeout: 120_000 }, async () => {
  const furnished = await furnish();
  const { endpointId, eventId, otherId, heldId } = furnished;
  const event = `/endpoints/${endpointId}/events/${eventId}`;
  const light = await enter(furnished, { colorScheme: 'light', viewport: DESK });
  await visit(light, '/', '.chart-svg');
  await light.locator('.endpoint-row .badge').first().waitFor();
  await shoot(light, 'overview');
  await visit(light, event, '.json');
  await shoot(light, 'event');
  await visit(light, `/endpoints/${endpointId}/destinations`, '.chart-svg');
  await shoot(light, 'destinations');
  await visit(light, `/endpoints/${heldId}/destinations`, '.badge.is-dead');
  await shoot(light, 'held');
  await visit(light, '/events', '[role=option] .of-endpoint');
  await light.getByText(/^\d+ events$/).waitFor();
  await shoot(light, 'all-events');
  await visit(light, '/issues', '.issue-row');
  await shoot(light, 'issues', 300);
  await visit(light, `/endpoints/${heldId}/destinations`, '.badge.is-paused');
  await editDestination(light, light.locator('.card', { hasText: 'archive' }));
  await light.locator('.tried-event').first().waitFor({ state: 'attached' });
  await light.locator('.form-section:has(.rule-editor)').evaluate((one) => one.scrollIntoView());
  await shoot(light, 'filter');
  await visit(light, `/endpoints/${endpointId}/compare/${eventId}/${otherId}`, '.diff');
  await shoot(light, 'compare');
  await light.context().close();

  const dark = await enter(furnished, { colorScheme: 'dark', viewport: DESK });
  await visit(dark, `${event}?tab=deliveries`, '.attempts');
  await shoot(dark, 'deliveries-dark');
  await dark.context().close();

  const phone = await enter(furnished, {
    viewport: { width: 390, height: 780 },
    deviceScaleFactor: 1,
    hasTouch: true,
    isMobile: true,
  });
  await visit(phone, `/endpoints/${endpointId}`, '[role=option] .what');
  await shoot(phone, 'phone-events');
  await visit(phone, event, '.json');
  await shoot(phone, 'phone-event');
});
