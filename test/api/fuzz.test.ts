import { expect, test } from 'vitest';
import { fuzzApi, fuzzCapture } from '../fixtures/api-fuzz.ts';
import { failOnLeaks } from '../fixtures/leaks.ts';
import { serverOfFile } from '../fixtures/running-server.ts';

/* A few of the requests of test/faults/fuzz.faults.ts, always the same ones. */

failOnLeaks();
const server = serverOfFile();
const SEED = 20_261_121;

test('no random API request gets a 5xx, and each answer is as described', async () => {
  const { statuses } = await fuzzApi(server, 200, SEED);
  expect(Object.keys(statuses)).toEqual(expect.arrayContaining(['200', '400', '401', '404']));
});

test('every random request to a capture URL is stored as it came', async () => {
  await fuzzCapture(server, 60, SEED);
});
