import { expect, test } from 'vitest';
import { Turns } from '../../../src/core/turns/turns.ts';

/** Tasks that end on request, and the order in which they started. */
function tasks(turns: Turns) {
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const add = (name: string) => {
    const key = name[0] as string;
    return turns.run(key, () => {
      started.push(name);
      return new Promise<void>((resolve) => ends.set(name, resolve));
    });
  };
  const end = async (name: string) => {
    ends.get(name)?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { started, add, end };
}

test('waiting keys take turns, whatever each has', async () => {
  const { started, add, end } = tasks(new Turns({ slots: 1, slotsPerKey: 1 }));
  for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'b2']) void add(name);
  for (let i = 0; i < 7; i++) await end(started.at(-1) as string);
  expect(started).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
});

test('a key has at most its slots, and leaves the others free', async () => {
  const { started, add, end } = tasks(new Turns({ slots: 3, slotsPerKey: 2 }));
  for (const name of ['a1', 'a2', 'a3', 'b1', 'b2']) void add(name);
  expect(started).toEqual(['a1', 'a2', 'b1']);
  await end('b1');
  expect(started).toEqual(['a1', 'a2', 'b1', 'b2']);
  await end('a1');
  expect(started).toEqual(['a1', 'a2', 'b1', 'b2', 'a3']);
});

test('a failed task gives its slot back, and its caller gets the error', async () => {
  const turns = new Turns({ slots: 1, slotsPerKey: 1 });
  const failure = new Error('no');
  await expect(turns.run('a', () => Promise.reject(failure))).rejects.toBe(failure);
  expect(await turns.run('a', async () => 7)).toBe(7);
});

test('a task that leaves while it waits frees its place, and never starts', async () => {
  const turns = new Turns({ slots: 1, slotsPerKey: 1 });
  const { started, add, end } = tasks(turns);
  void add('a1');
  const left = new AbortController();
  const gone = turns.run('a', () => expect.fail('it has left'), left.signal);
  void add('a2');
  expect(turns.waitingOf('a')).toBe(2);
  const reason = new Error('gone');
  left.abort(reason);
  await expect(gone).rejects.toBe(reason);
  expect(turns.waitingOf('a')).toBe(1);
  await end('a1');
  expect(started).toEqual(['a1', 'a2']);
  expect(turns.waitingOf('a')).toBe(0);
});

test('a task that has started isn’t stopped by its signal', async () => {
  const turns = new Turns({ slots: 1, slotsPerKey: 1 });
  const left = new AbortController();
  const first = turns.run('a', () => new Promise((resolve) => setImmediate(resolve)));
  const second = turns.run('a', async () => left.abort(), left.signal);
  await Promise.all([first, second]);
  expect(await turns.run('a', async () => 7)).toBe(7);
});

test('a task whose caller is gone before it asks is refused', async () => {
  const turns = new Turns({ slots: 1, slotsPerKey: 1 });
  const reason = new Error('gone');
  await expect(turns.run('a', async () => 7, AbortSignal.abort(reason))).rejects.toBe(reason);
});
