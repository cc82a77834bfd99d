import { expect, test } from 'vitest';
import { IN_TIME, TIMED_OUT, UNTRIED } from '../../../../src/core/flow/slot-class.ts';
import { SlotClassChanges } from '../../../../src/store/shared/queue/slot-class-changes.ts';

test('attempts change the slot class of each destination in order; only changes are stored', () => {
  const asked: number[] = [];
  const onRecord = [UNTRIED, IN_TIME, TIMED_OUT, IN_TIME] as const;
  const changes = new SlotClassChanges((key) => {
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
    [0, IN_TIME],
    [3, TIMED_OUT],
  ]);
  expect(asked).toEqual([0, 1, 2, 3]);
});
