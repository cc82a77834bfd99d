import { setImmediate as tick } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { SenderTurns } from '../../../src/capture/judging/sender-turns.ts';
import { CpuUse } from '../../../src/core/turns/cpu-use.ts';

/** Tasks that end on request, named by account and sender, and the order in which they began. */
function tasks(slots: number) {
  let now = 0;
  const turns = new SenderTurns({ slots, cpu: new CpuUse(() => now), monotonic: () => now });
  const began: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    turns,
    began,
    add: (name: string, address = `10.0.0.${name[1]}`) =>
      turns.run(name[0] as string, address, () => {
        began.push(name);
        return new Promise<void>((resolve) => ends.set(name, resolve));
      }),
    async end(name: string, tookMs = 1) {
      now += tookMs;
      ends.get(name)?.();
      await tick();
    },
  };
}

test('a sender with many tasks delays another of its account by one', async () => {
  const { began, add, end, turns } = tasks(2);
  for (const name of ['a1x', 'a1y', 'a1z', 'a2x']) void add(name);
  await tick();
  expect(began).toEqual(['a1x']);
  await end('a1x', 100);
  await end('a2x', 1);
  expect(began).toEqual(['a1x', 'a2x', 'a1y']);
  await end('a1y');
  await end('a1z');
  expect(turns.isIdle).toBe(true);
});

test('an account has one task at a time, and leaves the other slots free', async () => {
  const { began, add, end } = tasks(2);
  for (const name of ['a1x', 'a2x', 'b1x', 'c1x']) void add(name);
  await tick();
  expect(began).toEqual(['a1x', 'b1x']);
  await end('a1x');
  expect(began).toEqual(['a1x', 'b1x', 'c1x']);
  await end('b1x');
  expect(began).toEqual(['a1x', 'b1x', 'c1x', 'a2x']);
});

test('the addresses of one IPv6 network are one sender', async () => {
  const { began, add, end } = tasks(1);
  void add('a1x', '2001:db8::1');
  void add('a2x', '2001:db8::2');
  void add('a3x', '2001:db8::3');
  void add('a4x', '2001:db8:0:1::1');
  await tick();
  await end('a1x', 100);
  expect(began).toEqual(['a1x', 'a4x']);
});

test('a task that fails ends its turn', async () => {
  const { turns } = tasks(1);
  const failure = new Error('no');
  await expect(turns.run('a', '::1', () => Promise.reject(failure))).rejects.toBe(failure);
  expect(turns.isIdle).toBe(true);
});
