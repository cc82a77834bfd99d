import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

/** The script that finds faults. A page that bypasses its policy can run it. */
export const AXE = readFileSync(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
);

interface Finding {
  id: string;
  nodes: { html: string; failureSummary: string }[];
}

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** Rules whose answer depends on colours. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/**
 * What hinders people on a page that has run `AXE`.
 *
 * @param rules `colours`: for a page that differs by its colours from one without findings
 */
export async function findings(
  page: Page,
  rules: 'every rule' | 'colours' = 'every rule',
): Promise<string[]> {
  const runOnly = rules === 'colours' ? COLOUR_RULES : TAGS;
  const found = await page.evaluate(async (runOnly) => {
    const { axe } = window as unknown as {
      axe: { run(context: Document, options: object): Promise<{ violations: Finding[] }> };
    };
    // Forced colours are the user's own, and not among the styles that a script reads.
    const isForced = matchMedia('(forced-colors: active)').matches;
    const { violations } = await axe.run(document, {
      runOnly,
      rules: { 'color-contrast': { enabled: !isForced } },
      // Only violations are described in full, which takes half of the time.
      resultTypes: ['violations'],
    });
    return violations;
  }, runOnly);
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
}
