import { Worker } from 'node:worker_threads';
import type { DatabaseCopyOptions } from '../../store/contract/admin-store.ts';

/** Shortest interval between two updates of the line, ms. */
const EVERY_MS = 200;
const CLEAR_LINE = '\r\x1b[K';

/** A progress line on stderr. Appears on a terminal only. */
export class ProgressLine {
  readonly #isShown = isWatched();
  #writtenAt = Number.NEGATIVE_INFINITY;

  /** @param text must have no control characters */
  show(text: string): void {
    const now = performance.now();
    if (!this.#isShown || now - this.#writtenAt < EVERY_MS) return;
    this.#writtenAt = now;
    // Cut the text, because a wrapped line can't be cleared.
    process.stderr.write(CLEAR_LINE + text.slice(0, (process.stderr.columns || 80) - 1));
  }

  clear(): void {
    if (this.#writtenAt > 0) process.stderr.write(CLEAR_LINE);
  }
}

/**
 * Code of a thread that shows how a file grows, because the copy blocks the main thread. A module
 * would be another entry point of the package and of the binary.
 */
const WATCH_COPY = `
  const { statSync, writeSync } = require('node:fs');
  const { file, expectedBytes, everyMs, clearLine } = require('node:worker_threads').workerData;
  const show = () => {
    const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    const percent = Math.min(99, Math.floor((100 * size) / Math.max(1, expectedBytes)));
    const mb = (bytes) => (bytes / 1024 ** 2).toFixed(1);
    writeSync(2, clearLine + 'copying: ' + mb(size) + ' of ' + mb(expectedBytes) + ' MB (' + percent + ' %)');
  };
  show();
  setInterval(show, everyMs);`;

export async function showCopy<T>(
  copy: (onBegin: NonNullable<DatabaseCopyOptions['onBegin']>) => Promise<T>,
): Promise<T> {
  let worker: Worker | undefined;
  try {
    return await copy(({ file, expectedBytes }) => {
      if (!isWatched()) return;
      const workerData = { file, expectedBytes, everyMs: EVERY_MS, clearLine: CLEAR_LINE };
      worker = new Worker(WATCH_COPY, { eval: true, workerData });
      worker.on('error', () => {});
    });
  } finally {
    await worker?.terminate();
    if (worker) process.stderr.write(CLEAR_LINE);
  }
}

function isWatched(): boolean {
  return process.stderr.isTTY === true && process.env.TERM !== 'dumb';
}
