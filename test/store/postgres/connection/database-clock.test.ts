import { expect, test } from 'vitest';
import { ClockWatch } from '../../../../src/core/runtime/clock-watch.ts';
import type { Database } from '../../../../src/store/postgres/connection/database.ts';
import { DatabaseClock } from '../../../../src/store/postgres/connection/database-clock.ts';

const HOUR_MS = 3_600_000;

/** The clocks of this machine and of the database server, moved by hand. */
class Machines {
  monotonic = 1000;
  slept = 0;
  database = 1_700_000_000_000;
  /** Time that answers of the server take. */
  answerMs = 0;

  readonly clock = new DatabaseClock(
    {
      rows: async () => {
        const ms = this.database;
        this.pass(this.answerMs);
        return [{ ms }];
      },
    } as unknown as Database,
    {
      now: () => 0,
      monotonic: () => this.monotonic,
      elapsed: () => this.monotonic + this.slept,
    },
  );

  pass(ms: number): void {
    this.monotonic += ms;
    this.database += ms;
  }
}

test('sleep does not look like a set clock, neither before a measurement nor after', async () => {
  const machines = new Machines();
  const { clock } = machines;
  await clock.measure();
  const watch = new ClockWatch(clock, 10_000);
  machines.pass(5000);
  machines.slept += HOUR_MS;
  machines.database += HOUR_MS;
  machines.pass(100);
  // Attempts before the next measurement carry the real time.
  expect(clock.now()).toBe(machines.database);
  expect(watch.step()).toBe(0);
  await clock.measure();
  expect(clock.now()).toBe(machines.database);
  expect(watch.step()).toBe(0);
});

test('a step of the database’s clock is followed once it is measured', async () => {
  const machines = new Machines();
  await machines.clock.measure();
  const watch = new ClockWatch(machines.clock, 10_000);
  machines.pass(5000);
  machines.database -= HOUR_MS;
  expect(watch.step()).toBe(0);
  await machines.clock.measure();
  expect(watch.step()).toBe(-HOUR_MS);
});

test('slow answers don’t move a better estimate', async () => {
  const machines = new Machines();
  machines.answerMs = 2;
  await machines.clock.measure();
  machines.pass(20_000);
  machines.answerMs = 80;
  await machines.clock.measure();
  expect(Math.abs(machines.clock.now() - machines.database)).toBeLessThanOrEqual(1);
  machines.database += HOUR_MS;
  await machines.clock.measure();
  expect(Math.abs(machines.clock.now() - machines.database)).toBeLessThanOrEqual(40);
});
