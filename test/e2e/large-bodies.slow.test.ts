import { test } from 'vitest';
import { LARGE_BODIES, sendLargeBodies } from '../fixtures/large-bodies.ts';
import { failOnLeaks } from '../fixtures/leaks.ts';

failOnLeaks();

test.skipIf(process.platform !== 'linux')(
  'with more bodies of 25 MiB than memory is for, some get 503',
  async () => {
    await sendLargeBodies(LARGE_BODIES);
  },
);
