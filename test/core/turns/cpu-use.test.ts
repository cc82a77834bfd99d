import { expect, test } from 'vitest';
import { CpuUse } from '../../../src/core/turns/cpu-use.ts';
import { Turns } from '../../../src/core/turns/turns.ts';

test('what an account used counts for ten seconds', () => {
  let now = 500;
  const cpu = new CpuUse(() => now);
  cpu.charge('a', 30);
  cpu.charge('b', 5);
  now = 4500;
  cpu.charge('a', 70);
  expect([cpu.of('a'), cpu.of('b'), cpu.of('c')]).toEqual([100, 5, 0]);
  now = 9999;
  expect(cpu.of('a')).toBe(100);
  now = 10_000;
  expect(cpu.of('a')).toBe(70);
  now = 1_000_000;
  expect([cpu.of('a'), cpu.of('b')]).toEqual([0, 0]);
});

test('of those that wait, who used less goes first, in every place that takes turns', async () => {
  const cpu = new CpuUse(() => 0);
  const [judging, searching] = [1, 2].map(() => new Turns({ slots: 1, slotsPerKey: 1, cpu })) as [
    Turns,
    Turns,
  ];
  const order: string[] = [];
  let end = () => {};
  const first = judging.run('a', () => new Promise<void>((resolve) => (end = resolve)));
  const rest = ['a', 'b', 'c'].map((account) =>
    judging.run(account, async () => void order.push(account)),
  );
  expect(cpu.othersWait('a')).toBe(true);
  await searching.run('b', async () => cpu.charge('b', 900));
  cpu.charge('a', 1000);
  end();
  await Promise.all([first, ...rest]);
  expect(order).toEqual(['c', 'b', 'a']);
  expect(cpu.othersWait('a')).toBe(false);
});

test('an account that waits for itself keeps no other waiting', async () => {
  const cpu = new CpuUse(() => 0);
  const turns = new Turns({ slots: 1, slotsPerKey: 1, cpu });
  const left = new AbortController();
  let end = () => {};
  const first = turns.run('a', () => new Promise<void>((resolve) => (end = resolve)));
  const second = turns.run('a', async () => {}, left.signal);
  expect([cpu.othersWait('a'), cpu.othersWait('b')]).toEqual([false, true]);
  left.abort(new Error('gone'));
  await expect(second).rejects.toThrow('gone');
  expect(cpu.othersWait('b')).toBe(false);
  end();
  await first;
});
