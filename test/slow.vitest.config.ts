import { defineConfig } from 'vitest/config';
import { SlowestFiles } from './slowest-files.ts';
import { COMMON, ROOT, SLOW_TESTS } from './vitest.config.ts';

/** Heavier versions of tests in `npm test`, on a real disk: `npm run test:slow`. */
export default defineConfig({
  root: ROOT,
  test: {
    ...COMMON,
    reporters: ['default', new SlowestFiles(20)],
    include: [SLOW_TESTS],
    // More than the two cores: half of these tests wait for servers that they kill and start.
    maxWorkers: 3,
    // As in npm test: a worker process loads a module once, and Node runs the sources.
    isolate: false,
    experimental: { viteModuleRunner: false, nodeLoader: false },
  },
});
