import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig, type TestUserConfig } from 'vitest/config';

/** Run by test/postgres.vitest.config.ts, which starts a PostgreSQL for them. */
export const POSTGRES_TESTS = 'test/**/*.pg.test.ts';
/** Run by test/slow.vitest.config.ts. */
export const SLOW_TESTS = 'test/**/*.slow.test.ts';

/** They replace a package's functions, which needs modules of their own and vitest's loader. */
const MOCKING_TESTS = ['test/api/auth-accounts.test.ts', 'test/accounts/password-hash.test.ts'];

export const ROOT = fileURLToPath(new URL('..', import.meta.url));

// Node keeps compiled code there, for threads and child processes too: a server starts in a
// third of the time. As in test/cli/command-line.ts.
process.env.NODE_COMPILE_CACHE ??= `${ROOT}node_modules/.cache/hookrelay-tests`;

export const COMMON: TestUserConfig = {
  // Worker processes, not threads: signals, exit codes and native code are real.
  pool: 'forks',
  // Tests start servers, workers and child processes of their own.
  maxWorkers: 2,
  // Longer than the waits in fixtures/until.ts: their failure names the condition.
  testTimeout: 60_000,
  hookTimeout: 60_000,
};

export default defineConfig({
  root: ROOT,
  test: {
    ...COMMON,
    // For two cores: a test often waits for a child process, a timer or a socket.
    maxWorkers: 3,
    globalSetup: ['test/fixtures/fast-run.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'all',
          include: ['test/**/*.test.ts'],
          // The other scripts run these: a packed file, a browser, PostgreSQL, heavy tries.
          exclude: [
            ...configDefaults.exclude,
            'test/binary/**',
            'test/dashboard/browser/**',
            POSTGRES_TESTS,
            SLOW_TESTS,
            ...MOCKING_TESTS,
          ],
          // A worker process loads a module once for all of its files.
          isolate: false,
          // Node runs the sources as they are: nothing is transformed.
          experimental: { viteModuleRunner: false, nodeLoader: false },
        },
      },
      { extends: true, test: { name: 'mocking', include: MOCKING_TESTS } },
    ],
  },
});
