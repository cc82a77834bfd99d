import type { Clock } from '../../core/runtime.ts';
import type { OllamaClient } from './ollama-client.ts';
import { OllamaError } from './ollama-error.ts';

/** How long what was found counts as fresh, ms: a model may be pulled at any time. */
const FRESH_MS = 10_000;
/** The first caller of all waits this long for an answer that isn't there yet, ms. */
const FIRST_WAIT_MS = 250;

export type OllamaState = 'ready' | 'model_missing' | 'unreachable';

/**
 * Whether Ollama answers and has the model, without making anybody wait: what
 * was found last is told at once and, when it is no longer fresh, looked up
 * anew behind the caller's back. Only the very first look is waited for, briefly.
 */
export class OllamaStatus {
  readonly #client: Pick<OllamaClient, 'hasModel'>;
  readonly #clock: Pick<Clock, 'monotonic'>;
  #found: { state: OllamaState; until: number } | null = null;
  #looking: Promise<void> | null = null;

  constructor(client: Pick<OllamaClient, 'hasModel'>, clock: Pick<Clock, 'monotonic'>) {
    this.#client = client;
    this.#clock = clock;
  }

  async state(): Promise<OllamaState> {
    const isFresh = this.#found && this.#clock.monotonic() < this.#found.until;
    if (!isFresh) this.#looking ??= this.#look();
    if (!this.#found && this.#looking) await within(this.#looking, FIRST_WAIT_MS);
    return this.#found?.state ?? 'unreachable';
  }

  /** A failure tells as much as a look; one that cost much time is remembered for longer. */
  note(state: OllamaState, freshMs: number = FRESH_MS): void {
    this.#found = { state, until: this.#clock.monotonic() + freshMs };
  }

  async #look(): Promise<void> {
    try {
      this.note((await this.#client.hasModel()) ? 'ready' : 'model_missing');
    } catch (error) {
      if (!(error instanceof OllamaError)) throw error;
      this.note('unreachable');
    } finally {
      this.#looking = null;
    }
  }
}

function within(promise: Promise<void>, ms: number): Promise<void> {
  const { promise: waited, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  return Promise.race([promise, waited]).finally(() => clearTimeout(timer));
}
