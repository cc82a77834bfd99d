import { defineConfig } from 'vitest/config';
import { COMMON, POSTGRES_TESTS, ROOT } from './vitest.config.ts';

/** The tests that need a PostgreSQL: `npm run test:postgres`. */
export default defineConfig({
  root: ROOT,
  test: {
    ...COMMON,
    include: [POSTGRES_TESTS],
    globalSetup: ['test/fixtures/postgres-run.ts'],
    setupFiles: ['test/fixtures/fail-on-warnings.ts'],
  },
});
