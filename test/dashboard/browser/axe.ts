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

/** What hinders people on a page that has run `AXE`. */
export async function findings(page: Page): Promise<string[]> {
  const found = await page.evaluate(async () => {
    const { axe } = window as unknown as {
      axe: { run(context: Document, options: object): Promise<{ violations: Finding[] }> };
    };
    const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
    // Forced colours are the user's own, and not among the styles that a script reads.
    const isForced = matchMedia('(forced-colors: active)').matches;
    const { violations } = await axe.run(document, {
      runOnly: tags,
      rules: { 'color-contrast': { enabled: !isForced } },
      // Only violations are described in full, which takes half of the time.
      resultTypes: ['violations'],
    });
    return violations;
  });
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
}
