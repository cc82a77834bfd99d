import { defineConfig } from 'vitest/config';
import { longestFirst } from './longest-first.ts';
import { SlowestFiles } from './slowest-files.ts';
import { COMMON, POSTGRES_TESTS, ROOT } from './vitest.config.ts';

/** They take longest, mostly to wait for a lease of a minute. */
const LONGEST = ['store/postgres', 'store/postgres-tries', 'e2e/nodes', 'e2e/order', 'e2e/asleep'];

/** The tests that need a PostgreSQL: `npm run test:postgres`. */
export default defineConfig({
  root: ROOT,
  test: {
    ...COMMON,
    reporters: ['default', new SlowestFiles(20)],
    // More than the two cores: tests often wait for a lease, a lock or another node.
    maxWorkers: 4,
    include: [POSTGRES_TESTS],
    globalSetup: ['test/fixtures/fast-run.ts', 'test/fixtures/postgres-run.ts'],
    setupFiles: ['test/fixtures/bundled-threads.ts', 'test/fixtures/fail-on-warnings.ts'],
    // A worker process loads a module once for all of its files.
    isolate: false,
    // Node runs the sources without a transform.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    sequence: { sequencer: longestFirst(LONGEST.map((name) => `${name}.pg.test`)) },
  },
});
