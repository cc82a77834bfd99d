import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ReaderThread } from '../../../../src/store/sqlite/reader-thread/reader-thread.ts';
import type { EndableThread } from '../../../../src/store/sqlite/threads/start-worker.ts';

/* A thread that a read holds answers nothing more: a stand-in shows what the server does then. */

class HeldWorker extends EventEmitter implements EndableThread {
  readonly messages: { id: number; args: unknown[] }[] = [];
  isTerminated = false;

  postMessage(message: { id: number; args: unknown[] }): void {
    this.messages.push(message);
  }
  async terminate(): Promise<void> {
    this.isTerminated = true;
  }
  ref(): void {}
  unref(): void {}

  answer(at: number, value: unknown): void {
    this.emit('message', { answer: this.messages[at]?.id, value });
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
    data: { file: '', searchFile: '' },
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
  const held = thread.call('store', 'stats', [1], left.signal);
  const other = thread.call('store', 'stats', [2]);
  left.abort(new Error('gone'));
  await expect(held).rejects.toThrow('gone');
  vi.advanceTimersByTime(1999);
  expect(workers.map(({ isTerminated }) => isTerminated)).toEqual([false]);
  vi.advanceTimersByTime(1);
  expect(workers.map(({ isTerminated }) => isTerminated)).toEqual([true, false]);
  expect(workers[1]?.messages).toMatchObject([{ part: 'store', name: 'stats', args: [2] }]);
  workers[0]?.answer(1, 'of the dead thread');
  workers[1]?.answer(0, 'found');
  expect(await other).toBe('found');
});

test('a cancelled read that ends in time leaves the thread alone', async () => {
  const { thread, workers } = heldThread();
  const left = new AbortController();
  const read = thread.call('store', 'stats', [1], left.signal);
  left.abort(new Error('gone'));
  await expect(read).rejects.toThrow('gone');
  workers[0]?.answer(0, 'found after all');
  await vi.advanceTimersByTimeAsync(10_000);
  expect(workers.map(({ isTerminated }) => isTerminated)).toEqual([false]);
});
