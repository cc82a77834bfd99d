import { defineConfig } from 'vitest/config';
import { SlowestFiles } from './slowest-files.ts';
import { COMMON, POSTGRES_TESTS, ROOT } from './vitest.config.ts';

/** The tests that need a PostgreSQL: `npm run test:postgres`. */
export default defineConfig({
  root: ROOT,
  test: {
    ...COMMON,
    reporters: ['default', new SlowestFiles(20)],
    include: [POSTGRES_TESTS],
    globalSetup: ['test/fixtures/postgres-run.ts'],
    setupFiles: ['test/fixtures/fail-on-warnings.ts'],
  },
});
