import { inject, test } from 'vitest';
import { soak } from '../fixtures/soak.ts';
import { report } from './report.ts';

/* Minutes of what test/e2e/soak.slow.test.ts does for seconds. */
test('soak', async () => {
  report('soak', await soak(inject('scale').soakMs));
});
