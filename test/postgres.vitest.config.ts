import { mergeConfig } from 'vitest/config';
import base, { POSTGRES_TESTS } from './vitest.config.ts';

/** The tests that need a PostgreSQL: `npm run test:postgres`. */
const config = mergeConfig(base, {
  test: {
    globalSetup: ['test/fixtures/postgres-run.ts'],
    setupFiles: ['test/fixtures/fail-on-warnings.ts'],
  },
});
config.test.include = [POSTGRES_TESTS];
config.test.exclude = [];

export default config;
