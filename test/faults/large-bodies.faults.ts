import { inject, test } from 'vitest';
import { sendLargeBodies } from '../fixtures/large-bodies.ts';
import { report } from './report.ts';

const { largeBodies } = inject('scale');

test('many bodies of 25 MiB at once: memory stays within its budget', async () => {
  report('bodies of 25 MiB at once', { ...(await sendLargeBodies(largeBodies)) });
});
