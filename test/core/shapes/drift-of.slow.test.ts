import { expect, test } from 'vitest';
import { falseAlarms } from './false-alarms.ts';

test('no alarm over 5·10^4 events of random types', () => {
  expect(falseAlarms(100, 500)).toEqual([]);
});
