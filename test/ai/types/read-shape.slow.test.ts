import { describe } from 'vitest';
import { readsAsJsonParse } from './read-shape.ts';

describe('reads what JSON.parse reads, and nothing else', () => {
  readsAsJsonParse({ runs: 20_000, levels: 1_000_000 });
});
