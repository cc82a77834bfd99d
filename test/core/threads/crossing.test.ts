import { MessageChannel } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { HookrelayError } from '../../../src/core/errors.ts';
import { Crossing, type Ways } from '../../../src/core/threads/crossing.ts';

interface Functions {
  files: {
    read(name: string): Promise<{ body: Buffer } | null>;
    size(body: Uint8Array): Promise<number>;
    fill(size: number): Promise<Uint8Array>;
    wait(name: string, signal?: AbortSignal): Promise<string>;
    note(text: string): void;
  };
}

const WAYS: Ways<Functions> = {
  files: {
    read: { revive: (file) => file && { body: Buffer.from(file.body) } },
    size: { moveArguments: ({ buffer }) => [buffer as ArrayBuffer] },
  },
};

const notes: string[] = [];
const FILES: Functions['files'] = {
  async read(name) {
    if (name === 'locked') throw new HookrelayError('data_dir_locked', 'locked', { hint: 'wait' });
    return { body: Buffer.from(name) };
  },
  size: async (body) => body.length,
  fill: async (size) => new Uint8Array(size).fill(7),
  wait: (name, signal) =>
    new Promise((_, reject) =>
      signal?.addEventListener('abort', () => {
        notes.push(`${name} ended`);
        reject(signal.reason);
      }),
    ),
  note: (text) => void notes.push(text),
};

function crossed(ours: Functions = { files: FILES }): Crossing<Functions, object> {
  const { port1, port2 } = new MessageChannel();
  onTestFinished(() => port1.close());
  notes.length = 0;
  new Crossing<object, Functions>(port2, {}).serve(ours, WAYS);
  return new Crossing(port1, WAYS);
}

test('answers are cloned and revived, errors keep their fields, notices keep their order', async () => {
  const { ask, tell } = crossed();
  tell.files.note('first');
  expect(await ask.files.read('a')).toEqual({ body: Buffer.from('a') });
  expect(notes).toEqual(['first']);
  await expect(ask.files.read('locked')).rejects.toMatchObject({
    ...{ name: 'HookrelayError', code: 'data_dir_locked', hint: 'wait' },
  });
  // It names no memory to move.
  expect(await ask.files.fill(3)).toEqual(new Uint8Array([7, 7, 7]));
});

test('memory that a way names moves', async () => {
  const body = new Uint8Array(9);
  expect(await crossed().ask.files.size(body)).toBe(9);
  expect(body.length).toBe(0);
});

test('an aborted call rejects at once, and the other side hears of it', async () => {
  const { ask } = crossed();
  const leaving = new AbortController();
  const waiting = ask.files.wait('a', leaving.signal);
  await ask.files.fill(0);
  leaving.abort(new Error('gone'));
  await expect(waiting).rejects.toThrow('gone');
  await ask.files.fill(0);
  expect(notes).toEqual(['a ended']);
});

test('a function that the other side lacks rejects; refused and rejected calls end', async () => {
  const { read, ...without } = FILES;
  const crossing = crossed({ files: without } as Functions);
  await expect(crossing.ask.files.read('a')).rejects.toThrow('no function files.read');
  const waiting = crossing.ask.files.wait('a');
  crossing.refuse(new Error('closing'));
  await expect(crossing.ask.files.fill(1)).rejects.toThrow('closing');
  crossing.rejectAll(new Error('closed'));
  await expect(waiting).rejects.toThrow('closed');
});

test('mistakes don’t compile', () => {
  const mistakes = (crossing: Crossing<Functions, Functions>) => {
    // @ts-expect-error: misspelt
    crossing.ask.files.raed('a');
    // @ts-expect-error: a wrong argument
    crossing.ask.files.read(1);
    // @ts-expect-error: nobody waits for it
    crossing.ask.files.note('a');
    // @ts-expect-error: its answer would be lost
    crossing.tell.files.read('a');
    const { wait, ...without } = FILES;
    // @ts-expect-error: a function is missing
    crossing.serve({ files: without }, WAYS);
    // @ts-expect-error: cloning takes the class of a `Buffer`, and `read` doesn't revive it
    crossing.serve({ files: FILES }, {});
    // @ts-expect-error: a way of no function
    crossing.serve({ files: FILES }, { files: { ...WAYS.files, raed: {} } });
  };
  expect(mistakes).toBeTypeOf('function');
});
