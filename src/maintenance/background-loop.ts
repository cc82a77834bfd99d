import type { Logger } from '../core/runtime/runtime.ts';

/** The usual pause between two slices, ms. It lets captures and deliveries use the writer. */
const PAUSE_MS = 5;
/** Delay after an error, ms. */
const RETRY_MS = 10_000;

export interface BackgroundLoopOptions {
  name: string;
  log: Logger;
  /** The longest time between two runs, ms. */
  everyMs: number;
  /** Works for a few milliseconds. Returns true if more work is left. */
  slice(): Promise<boolean>;
  /** Returns the pause before the next slice of a run, ms. Default: `PAUSE_MS` */
  pauseMs?(): number;
}

/**
 * Runs long work in short slices, one at a time. Runs at the start, when woken, and every
 * `everyMs`. Logs an error and retries after `RETRY_MS`.
 */
export class BackgroundLoop {
  readonly #options: BackgroundLoopOptions;
  #timer: NodeJS.Timeout | undefined;
  #soon: NodeJS.Timeout | undefined;
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

  /** Wakes the loop after `ms`. Has no effect if an earlier call is still waiting. */
  wakeIn(ms: number): void {
    if (this.#soon || this.#stopped) return;
    this.#soon = setTimeout(() => {
      this.#soon = undefined;
      this.wake();
    }, ms).unref();
  }

  /** Resolves when the running slice has ended. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#again = false;
    clearTimeout(this.#timer);
    clearTimeout(this.#soon);
    await this.#running;
  }

  async #run(): Promise<void> {
    const { name, log, everyMs, slice, pauseMs = () => PAUSE_MS } = this.#options;
    clearTimeout(this.#timer);
    this.#again = false;
    let nextMs = everyMs;
    try {
      while (!this.#stopped && (await slice())) {
        await new Promise((resolve) => setTimeout(resolve, pauseMs()));
      }
    } catch (error) {
      log.error(`${name} failed; the server retries it`, { error });
      nextMs = RETRY_MS;
    }
    if (!this.#stopped) this.#timer = setTimeout(() => this.wake(), nextMs).unref();
  }
}
