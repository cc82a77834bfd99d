import { expect, test } from 'vitest';
import { newEndpoint } from '../../../src/core/settings/new-endpoint.ts';

// Without the check one in 64 would: 2,000 pass by chance once in 10^13 runs.
test('no token begins with a dash, which a command line would read as a flag', () => {
  const tokens = Array.from({ length: 2000 }, () => newEndpoint('usr_1', 'orders', 0).publicToken);
  for (const token of tokens) expect(token).toMatch(/^[A-Za-z0-9_][A-Za-z0-9_-]{26}$/);
  expect(new Set(tokens).size).toBe(tokens.length);
});
