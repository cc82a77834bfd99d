import { test } from 'vitest';
import { crashRun } from '../fixtures/crash-run.ts';
import { failOnLeaks } from '../fixtures/leaks.ts';

failOnLeaks();

/* One kill is in crash.test.ts, many more seeds in test/faults. */
test('no acknowledged event is lost, doubled or left undelivered', async () => {
  await crashRun(20_261_121, 6);
}, 120_000);
