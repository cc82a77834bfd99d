import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { SlowestFiles } from '../slowest-files.ts';

/** `npm run test:binary`: tests the file that `npm run build:binary` made. */
export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    include: ['test/binary/**/*.test.ts'],
    reporters: ['default', new SlowestFiles(10)],
    pool: 'forks',
    // The tests time starts, so nothing runs beside them.
    fileParallelism: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
