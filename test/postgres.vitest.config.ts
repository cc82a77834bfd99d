import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { SlowestFiles } from './slowest-files.ts';
import { COMMON, POSTGRES_TESTS, ROOT } from './vitest.config.ts';

/** The files that take longest, mostly to wait for a lease of a minute. */
const LONGEST = [
  'store/postgres',
  'store/postgres-tries',
  'e2e/nodes',
  'e2e/order',
  'e2e/asleep',
].map((name) => `test/${name}.pg.test.ts`);

/** Starts the longest files first: the run would end with one of them alone. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) =>
      LONGEST.findIndex((name) => moduleId.endsWith(name)) >>> 0;
    return (await super.sort(files)).sort((a, b) => place(a) - place(b));
  }
}

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
    sequence: { sequencer: LongestFirst },
  },
});
