import type { Page } from 'playwright-core';

/**
 * Reads the CPU time of a page's main thread, ms. A busy machine disturbs it least: other
 * work takes turns, not work.
 */
export async function mainThreadMs(page: Page): Promise<() => Promise<number>> {
  const client = await page.context().newCDPSession(page);
  await client.send('Performance.enable', { timeDomain: 'threadTicks' });
  return async () => {
    const { metrics } = await client.send('Performance.getMetrics');
    const tasks = metrics.find(({ name }) => name === 'TaskDuration');
    return (tasks?.value ?? 0) * 1000;
  };
}
