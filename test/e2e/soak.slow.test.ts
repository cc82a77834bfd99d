import { test } from 'vitest';
import { failOnLeaks } from '../fixtures/leaks.ts';
import { soak } from '../fixtures/soak.ts';

failOnLeaks();

/* Minutes of it are in test/faults. */
test.skipIf(process.platform !== 'linux')('all features run together for two seconds', async () => {
  await soak(2000);
});
