import { expect, test } from 'vitest';
import { Subscribers } from '../../../src/core/runtime/subscribers.ts';
import { silentLog } from '../../fixtures/silent-log.ts';

test('subscribers are notified in order of subscription', () => {
  const seen: string[] = [];
  const commits = new Subscribers<number>('commit', silentLog);
  commits.subscribe('first', (value) => seen.push(`first ${value}`));
  commits.subscribe('second', (value) => seen.push(`second ${value}`));

  commits.notify(1);
  commits.notify(2);

  expect(seen).toEqual(['first 1', 'second 1', 'first 2', 'second 2']);
});

test('a subscriber that throws is logged by name, and the next is notified', () => {
  const seen: number[] = [];
  const errors: unknown[] = [];
  const log = { ...silentLog, error: (...line: unknown[]) => errors.push(line) };
  const commits = new Subscribers<number>('commit', log);
  const failure = new Error('broken');
  commits.subscribe('metrics', () => {
    throw failure;
  });
  commits.subscribe('live', (value) => seen.push(value));

  commits.notify(1);

  expect(seen).toEqual([1]);
  expect(errors).toEqual([
    ['a subscriber failed', { topic: 'commit', subscriber: 'metrics', error: failure }],
  ]);
});
