import { expect, test } from 'vitest';
import { FAILING, HEALTHY, UNTRIED } from '../../../../src/core/flow/slot-class.ts';
import { HealthChanges } from '../../../../src/store/shared/queue/health-changes.ts';

test('attempts change the health of each destination in order; only changes are stored', () => {
  const asked: number[] = [];
  const onRecord = [UNTRIED, HEALTHY, FAILING, HEALTHY] as const;
  const changes = new HealthChanges((key) => {
    asked.push(key);
    return onRecord[key] ?? UNTRIED;
  });
  for (const [key, timedOut] of [
    [0, false],
    [1, true],
    [2, true],
    [1, false],
    [3, false],
    [3, true],
  ] as const) {
    changes.add(key, { timedOut });
  }
  expect(changes.changed()).toEqual([
    [0, HEALTHY],
    [3, FAILING],
  ]);
  expect(asked).toEqual([0, 1, 2, 3]);
});
