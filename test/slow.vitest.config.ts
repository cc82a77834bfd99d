import { defineConfig } from 'vitest/config';
import { COMMON, ROOT, SLOW_TESTS } from './vitest.config.ts';

/** Heavy tries, on a real disk, of what `npm test` tries lightly: `npm run test:slow`. */
export default defineConfig({
  root: ROOT,
  test: { ...COMMON, include: [SLOW_TESTS] },
});
