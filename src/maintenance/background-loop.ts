import type { Logger } from '../core/runtime.ts';

/** Between two slices capture and delivery have the writer to themselves, ms. */
const PAUSE_MS = 5;
/** After an error, ms. */
const RETRY_MS = 10_000;

export interface BackgroundLoopOptions {
  name: string;
  log: Logger;
  /** Also without being woken, this often, ms. */
  everyMs: number;
  /** A few milliseconds of work. True when there is more to do at once. */
  slice(): Promise<boolean>;
}

/**
 * Long work in short slices, in the background: at start, when woken, and every
 * `everyMs`. One slice at a time; an error is logged and tried again later.
 */
export class BackgroundLoop {
  readonly #options: BackgroundLoopOptions;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #again = false;
  #stopped = true;

  constructor(options: BackgroundLoopOptions) {
    this.#options = options;
  }

  start(): void {
    this.#stopped = false;
    this.wake();
  }

  wake(): void {
    if (this.#stopped) return;
    this.#again = true;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
      if (this.#again) this.wake();
    });
  }

  /** Resolves when the slice under way is done. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#again = false;
    clearTimeout(this.#timer);
    await this.#running;
  }

  async #run(): Promise<void> {
    const { name, log, everyMs, slice } = this.#options;
    clearTimeout(this.#timer);
    this.#again = false;
    let nextMs = everyMs;
    try {
      while (!this.#stopped && (await slice())) {
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      }
    } catch (error) {
      log.error(`${name} failed; it is tried again`, { error });
      nextMs = RETRY_MS;
    }
    if (!this.#stopped) this.#timer = setTimeout(() => this.wake(), nextMs).unref();
  }
}
