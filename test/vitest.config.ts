import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig, type TestUserConfig } from 'vitest/config';
import { longestFirst } from './longest-first.ts';
import { SlowestFiles } from './slowest-files.ts';

/** Run by test/postgres.vitest.config.ts, which starts a PostgreSQL for them. */
export const POSTGRES_TESTS = 'test/**/*.pg.test.ts';
/** Run by test/slow.vitest.config.ts. */
export const SLOW_TESTS = 'test/**/*.slow.test.ts';

/** Tests that mock a package, which needs isolated modules and vitest's loader. */
const MOCKING_TESTS = [
  'test/api/accounts/auth-accounts.test.ts',
  'test/accounts/password-hash.test.ts',
];

export const ROOT = fileURLToPath(new URL('..', import.meta.url));

// The output of commands has no colours, whatever the shell says.
delete process.env.FORCE_COLOR;

// Node's compile cache, also for threads and child processes: a server starts in a third of
// the time. test/cli/command-line.ts sets it too.
process.env.NODE_COMPILE_CACHE ??= `${ROOT}node_modules/.cache/hookrelay-tests`;

export const COMMON: TestUserConfig = {
  // Worker processes, not threads: signals, exit codes and native code are real.
  pool: 'forks',
  // Each test may start servers, workers and child processes.
  maxWorkers: 2,
  // Longer than the wait in fixtures/until.ts, whose failure names the condition.
  testTimeout: 150_000,
  hookTimeout: 150_000,
};

/** They take longest on a quiet machine, by the report of `slowest-files.ts`. */
const LONGEST = [
  'store/sqlite',
  'e2e/delivery',
  'server/serve',
  'cli/listen/listen-start',
  'api/streams/stream',
  'server/types/learning',
  'e2e/issues',
  'store/sqlite/search-index/search-index',
];

export default defineConfig({
  root: ROOT,
  test: {
    ...COMMON,
    reporters: ['default', new SlowestFiles(5)],
    // More than the two cores: tests often wait for a child process, a timer or a socket.
    maxWorkers: 4,
    sequence: { sequencer: longestFirst(LONGEST.map((name) => `${name}.test`)) },
    globalSetup: ['test/fixtures/fast-run.ts'],
    // Also for files that open a store without a server.
    setupFiles: ['test/fixtures/bundled-threads.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'all',
          include: ['test/**/*.test.ts'],
          setupFiles: ['test/fixtures/light-hashes.ts'],
          // Other scripts run these: a packed file, a browser, PostgreSQL, slow tests.
          exclude: [
            ...configDefaults.exclude,
            'test/binary/**',
            'test/dashboard/{browser,firefox}/**',
            POSTGRES_TESTS,
            SLOW_TESTS,
            ...MOCKING_TESTS,
          ],
          // A worker process loads a module once for all of its files.
          isolate: false,
          // Node runs the sources without a transform.
          experimental: { viteModuleRunner: false, nodeLoader: false },
        },
      },
      { extends: true, test: { name: 'mocking', include: MOCKING_TESTS } },
    ],
  },
});
