import { test } from 'vitest';
import { LARGE_BODIES, sendLargeBodies } from '../fixtures/large-bodies.ts';
import { failOnLeaks } from '../fixtures/leaks.ts';

failOnLeaks();

test.skipIf(process.platform !== 'linux')(
  'more bodies of 25 MiB at once than memory is given to: some are told to come back',
  async () => {
    await sendLargeBodies(LARGE_BODIES);
  },
);
