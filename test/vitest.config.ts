import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    include: ['test/**/*.test.ts'],
    // Of a packed file, and in a browser: npm run test:binary, npm run test:dashboard.
    exclude: [...configDefaults.exclude, 'test/binary/**', 'test/dashboard/browser/**'],
    // A process for each file: SQLite's native code and the worker threads that
    // the store starts can then end one file, not the run; signals and exit
    // codes are real.
    pool: 'forks',
    // Tests start servers, workers and child processes of their own.
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 20_000,
  },
});
