import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';

/** Run by test/postgres.vitest.config.ts, which starts a PostgreSQL for them. */
export const POSTGRES_TESTS = 'test/**/*.pg.test.ts';

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    include: ['test/**/*.test.ts'],
    // Of a packed file, in a browser, and on PostgreSQL: each has a script of its own.
    exclude: [
      ...configDefaults.exclude,
      'test/binary/**',
      'test/dashboard/browser/**',
      POSTGRES_TESTS,
    ],
    // A process for each file: SQLite's native code and the worker threads that
    // the store starts can then end one file, not the run; signals and exit
    // codes are real.
    pool: 'forks',
    // Tests start servers, workers and child processes of their own.
    maxWorkers: 2,
    // Longer than what they wait for by itself, whose failure names it (fixtures/until.ts).
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
