import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { type Furnished, furnish } from './furnish.ts';
import { openPage, rows, signIn, visit } from './open-page.ts';

/*
 * Forced colours take away backgrounds and shadows. What they said is said by an outline, a
 * border or a shape: what is chosen, what has the focus, what is pressed, and how it went.
 */

interface Look {
  outline: string;
  border: string;
  /** The upper border: the line of a chart's key. */
  top: string;
  background: string;
}

/** How an element looks, or a part of it that CSS draws. */
const lookOf = (page: Page, selector: string, part?: '::before' | '::after'): Promise<Look> =>
  page
    .locator(selector)
    .first()
    .evaluate((element, drawn) => {
      const style = getComputedStyle(element, drawn);
      const { outlineStyle, outlineColor, borderBottomStyle, borderBottomColor } = style;
      return {
        outline: outlineStyle === 'none' ? 'none' : `${outlineStyle} ${outlineColor}`,
        border: borderBottomStyle === 'none' ? 'none' : `${borderBottomStyle} ${borderBottomColor}`,
        top: style.borderTopColor,
        background: style.backgroundColor,
      };
    }, part);

const strokeOf = (line: Element): string => getComputedStyle(line).stroke;

test('nothing is told by its background alone, light or dark', async () => {
  const furnished = await furnish();
  await Promise.all((['light', 'dark'] as const).map((scheme) => lookIn(scheme, furnished)));
});

async function lookIn(colorScheme: 'light' | 'dark', furnished: Furnished): Promise<void> {
  const { endpointId, eventId, heldId, heldEventId } = furnished;
  const { page } = await openPage(furnished.url, {
    colorScheme,
    forcedColors: 'active',
    viewport: { width: 1440, height: 900 },
  });
  await signIn(page);

  await visit(page, '/', '.chart-svg .bar');
  // Series of a chart, and their keys in its legend, differ by more than a fill that is forced.
  const fills = await page.evaluate(() => {
    const of = (selector: string, property: 'fill' | 'backgroundColor') =>
      ['delivered', 'failed', 'dead_letter'].map((status) => {
        const one = document.querySelector(`${selector}.is-${status}`);
        return one && getComputedStyle(one)[property];
      });
    return { bars: of('.bar', 'fill'), keys: of('.legend .key', 'backgroundColor') };
  });
  expect(new Set(fills.keys.filter(Boolean)).size).toBe(3);
  expect(fills.bars.filter(Boolean).every((fill) => fills.keys.includes(fill))).toBe(true);
  const link = await lookOf(page, '.side-link[aria-current]');
  expect(link.outline).not.toBe((await lookOf(page, '.side-link:not([aria-current])')).outline);
  const range = await lookOf(page, '.segments > :is([aria-pressed=true], [aria-current])');
  expect(range.outline).toContain('solid');
  expect(range.outline).not.toBe(
    (await lookOf(page, '.segments > :not([aria-pressed=true], [aria-current])')).outline,
  );

  await visit(page, `/endpoints/${endpointId}/destinations`, '.chart-success');
  const line = await page.locator('.chart-success').first().evaluate(strokeOf);
  expect((await lookOf(page, '.key.is-rate')).top).toContain(line);
  // The caret of a choice is the browser's: a drawn one goes.
  const appearance = (one: Element) => getComputedStyle(one).appearance;
  expect(await page.locator('select').first().evaluate(appearance)).toBe('auto');

  await visit(page, `/endpoints/${endpointId}/events/${eventId}?tab=deliveries`, '.attempts');
  await rows(page).first().waitFor();
  const selected = await lookOf(page, '.row[aria-selected=true]');
  expect(selected.outline).toContain('solid');
  expect((await lookOf(page, '.row[aria-selected=false]')).outline).toBe('none');
  expect((await lookOf(page, '.badge')).border).toContain('solid');
  for (const tabs of ['.endpoint > .tabs', '.detail .tabs']) {
    const [open, other] = [
      await lookOf(page, `${tabs} > [aria-current]`),
      await lookOf(page, `${tabs} > :not([aria-current])`),
    ];
    expect(open.border).not.toBe(other.border);
  }
  // A line of the tree.
  await visit(page, `/endpoints/${endpointId}/events/${eventId}`, '.json');
  await page.locator('.json').focus();
  expect((await lookOf(page, '.json-line.is-active')).outline).toContain('solid');
  await visit(page, `/endpoints/${endpointId}/events/${eventId}?tab=deliveries`, '.attempts');
  // A row that is chosen, by its box.
  await page.locator('.pick').first().click();
  expect((await lookOf(page, '.row[aria-checked=true] .pick', '::before')).background).not.toBe(
    (await lookOf(page, '.row[aria-checked=false] .pick', '::before')).background,
  );
  const good = await lookOf(page, '.attempts li.is-ok', '::before');
  await visit(page, `/endpoints/${heldId}/events/${heldEventId}?tab=deliveries`, '.next');
  const bad = await lookOf(page, '.attempts li:not(.is-ok)', '::before');
  expect(good.background).not.toBe(bad.background);
  expect(bad.border).toContain('solid');

  // What has the focus shows it.
  for (let i = 0; i < 20; i++) {
    await page.keyboard.press('Tab');
    const outline = await page.evaluate(() => {
      const at = document.activeElement as HTMLElement;
      const row = at.getAttribute('aria-activedescendant');
      const shown = row === null ? at : (document.getElementById(row) as HTMLElement);
      return at === document.body ? 'solid' : getComputedStyle(shown).outlineStyle;
    });
    expect(outline).not.toBe('none');
  }
  await page.keyboard.press('Control+k');
  await page.locator('.palette-row[aria-selected=true]').waitFor();
  expect((await lookOf(page, '.palette-row[aria-selected=true]')).outline).toContain('solid');
}
