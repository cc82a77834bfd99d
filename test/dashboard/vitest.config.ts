import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { SlowestFiles } from '../slowest-files.ts';
import { COMMON } from '../vitest.config.ts';

/** Frame times are measured: nothing else may have the processors. */
const MEASURED_TESTS = 'test/dashboard/browser/scroll.test.ts';

/** Tests the page in real browsers: `npm run test:dashboard`. */
export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    ...COMMON,
    reporters: ['default', new SlowestFiles(20)],
    globalSetup: ['test/dashboard/browser/set-up.ts'],
    // A worker process loads a module and starts a browser once for all of its files.
    isolate: false,
    // Node runs the sources without a transform.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    projects: [
      {
        extends: true,
        test: {
          name: 'chromium',
          include: ['test/dashboard/browser/**/*.test.ts'],
          exclude: [MEASURED_TESTS],
          // More than the two cores: tests often wait for the browser or the server.
          maxWorkers: 3,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'firefox',
          include: ['test/dashboard/firefox/**/*.test.ts'],
          // One Firefox has two processors busy, and is ten times as slow without them.
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'measured',
          include: [MEASURED_TESTS],
          maxWorkers: 1,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
