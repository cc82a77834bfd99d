import { withoutSignal } from '../../../core/threads/crossing.ts';
import { ReaderThread, type ReaderThreadOptions } from './reader-thread.ts';
import { eachRead, type Reads } from './reads.ts';

/** Runs long reads in two threads, so that reading contents never delays other reads. */
export class ReadingThreads {
  readonly reads: Reads;
  readonly #lists: ReaderThread;
  readonly #contents: ReaderThread;

  constructor(options: ReaderThreadOptions) {
    this.#lists = new ReaderThread(options);
    this.#contents = new ReaderThread(options);
    this.reads = eachRead((read, args, part, name) => {
      const [sent, signal] = withoutSignal(args);
      const thread = read.looksInside?.(...sent) ? this.#contents : this.#lists;
      return thread.call(part, name, sent, signal);
    });
  }

  async close(): Promise<void> {
    await Promise.all([this.#lists.close(), this.#contents.close()]);
  }
}
