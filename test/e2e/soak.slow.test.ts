import { test } from 'vitest';
import { failOnLeaks } from '../fixtures/leaks.ts';
import { soak, WARM_MS } from '../fixtures/soak.ts';

failOnLeaks();

/* Minutes of it are in test/faults. */
test.skipIf(process.platform !== 'linux')(
  'all features run together, and memory does not grow',
  async () => {
    await soak(WARM_MS);
  },
);
