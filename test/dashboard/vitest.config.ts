import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { SlowestFiles } from '../slowest-files.ts';

/** Tests the page in a real browser: `npm run test:dashboard`. */
export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    include: ['test/dashboard/{browser,firefox}/**/*.test.ts'],
    globalSetup: ['test/dashboard/browser/build-page.ts'],
    reporters: ['default', new SlowestFiles(20)],
    pool: 'forks',
    // One browser at a time: frame times are measured.
    maxWorkers: 1,
    // Firefox takes ten times as long where other programs have the processors.
    testTimeout: 240_000,
    hookTimeout: 120_000,
  },
});
