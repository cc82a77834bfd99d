import { expect, test } from 'vitest';
import { MemoryBudget } from '../../src/capture/memory-budget.ts';

test('take gives no more than there is, and nothing when it refuses', () => {
  const budget = new MemoryBudget(100);
  expect(budget.take(60)).toBe(true);
  expect(budget.take(41)).toBe(false);
  expect(budget.usedBytes).toBe(60);
  expect(budget.take(40)).toBe(true);
  expect(budget.take(0)).toBe(true);
  expect(budget.take(1)).toBe(false);
  budget.give(60);
  expect(budget.usedBytes).toBe(40);
  expect(budget.take(60)).toBe(true);
});
