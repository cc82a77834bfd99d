import { expect, test } from 'vitest';
import { hopsOf } from '../../../src/core/http/hops.ts';

test.each<[string[], number]>([
  [[], 0],
  [['x-hookrelay-hops', '1'], 1],
  [['Host', 'x', 'X-HookRelay-Hops', '6'], 6],
  [['x-hookrelay-hops', '999'], 999],
  // The first one counts.
  [['x-hookrelay-hops', '2', 'x-hookrelay-hops', '0'], 2],
  // Found in a value, not in a name.
  [['x-note', 'x-hookrelay-hops'], 0],
  ...['', '-1', '1.5', '1e2', 'six', '1000', ' 1'].map((value): [string[], number] => [
    ['x-hookrelay-hops', value],
    0,
  ]),
])('%j came through %i relays', (rawHeaders, hops) => {
  expect(hopsOf(rawHeaders)).toBe(hops);
});
