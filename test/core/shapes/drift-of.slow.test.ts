import { expect, test } from 'vitest';
import { falseAlarms } from './false-alarms.ts';

test('no alarm over 10^5 events of random types', () => {
  expect(falseAlarms(100, 1000)).toEqual([]);
});
