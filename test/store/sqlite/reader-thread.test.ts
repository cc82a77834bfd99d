import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type {
  ReaderAnswer,
  ReaderMessage,
} from '../../../src/store/sqlite/reading/thread/reader-messages.ts';
import { ReaderThread } from '../../../src/store/sqlite/reading/thread/reader-thread.ts';
import type { WorkerThread } from '../../../src/store/sqlite/thread/start-worker.ts';

/* A thread that a read holds answers nothing more: a stand-in shows what the server does then. */

class HeldWorker extends EventEmitter implements WorkerThread {
  readonly messages: ReaderMessage[] = [];
  isTerminated = false;

  postMessage(message: ReaderMessage): void {
    this.messages.push(message);
  }
  async terminate(): Promise<void> {
    this.isTerminated = true;
  }
  ref(): void {}
  unref(): void {}

  answerLast(value: unknown): void {
    const id = this.messages.at(-1)?.id as number;
    this.emit('message', { id, value } satisfies ReaderAnswer);
  }
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function heldThread() {
  const workers: HeldWorker[] = [];
  const thread = new ReaderThread({
    data: { file: '', searchFile: '', generation: '' },
    startWorker: () => {
      const worker = new HeldWorker();
      workers.push(worker);
      return worker;
    },
    onBrokenIndex() {},
  });
  return { thread, workers };
}

test('a thread is killed when a read that nobody waits for holds it; other reads begin again', async () => {
  const { thread, workers } = heldThread();
  const left = new AbortController();
  const held = thread.call({ op: 'stats', now: 1 }, left.signal);
  const other = thread.call({ op: 'stats', now: 2 });
  left.abort(new Error('gone'));
  await expect(held).rejects.toThrow('gone');
  vi.advanceTimersByTime(1999);
  expect(workers.map(({ isTerminated }) => isTerminated)).toEqual([false]);
  vi.advanceTimersByTime(1);
  expect(workers.map(({ isTerminated }) => isTerminated)).toEqual([true, false]);
  expect(workers[1]?.messages).toEqual([{ id: 3, request: { op: 'stats', now: 2 } }]);
  workers[0]?.emit('message', { id: 2, value: 'of the dead thread' });
  workers[1]?.answerLast('found');
  expect(await other).toBe('found');
});

test('a cancelled read that ends in time leaves the thread alone', async () => {
  const { thread, workers } = heldThread();
  const left = new AbortController();
  const read = thread.call({ op: 'stats', now: 1 }, left.signal);
  left.abort(new Error('gone'));
  await expect(read).rejects.toThrow('gone');
  workers[0]?.emit('message', { id: 1, failure: {} });
  vi.advanceTimersByTime(10_000);
  expect(workers.map(({ isTerminated }) => isTerminated)).toEqual([false]);
});
