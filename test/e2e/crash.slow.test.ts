import { test } from 'vitest';
import { crashRun } from '../fixtures/crash-run.ts';
import { failOnLeaks } from '../fixtures/leaks.ts';

failOnLeaks();

/* Many more seeds are in test/faults. */
test('no acknowledged event is lost, doubled or left undelivered', async () => {
  await crashRun(20_261_121, 6);
}, 120_000);
