import { expect, test } from 'vitest';
import { SingleRun } from '../../../src/delivery/schedule/single-run.ts';

/** A run of the task that ends on request. */
interface Run {
  end(error?: Error): void;
}

function rig() {
  const runs: Run[] = [];
  const errors: unknown[] = [];
  const single = new SingleRun(
    () =>
      new Promise<void>((resolve, reject) => {
        runs.push({ end: (error) => (error ? reject(error) : resolve()) });
      }),
    (error) => errors.push(error),
  );
  return { single, runs, errors };
}

const turn = () => new Promise(setImmediate);

test('requests during a run start one more run', async () => {
  const { single, runs } = rig();
  single.ask();
  expect(runs).toHaveLength(1);
  for (let i = 0; i < 3; i++) single.ask();
  await turn();
  expect(runs).toHaveLength(1);
  runs[0]?.end();
  await turn();
  expect(runs).toHaveLength(2);
  runs[1]?.end();
  await turn();
  expect(runs).toHaveLength(2);
  single.ask();
  expect(runs).toHaveLength(3);
});

test('an error is reported, and the next request runs again', async () => {
  const { single, runs, errors } = rig();
  single.ask();
  single.ask();
  const error = new Error('io');
  runs[0]?.end(error);
  await turn();
  expect([runs.length, errors]).toEqual([1, [error]]);
  single.ask();
  runs[1]?.end();
  await turn();
  expect([runs.length, errors]).toEqual([2, [error]]);
});
