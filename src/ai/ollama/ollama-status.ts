import type { Clock } from '../../core/runtime/runtime.ts';
import type { OllamaClient } from './ollama-client.ts';
import { OllamaError } from './ollama-error.ts';

/**
 * How long a result is fresh, ms. It is short, because an operator may pull a model at any time.
 */
const FRESH_MS = 10_000;
/** How long the first caller waits at most, ms. */
const FIRST_WAIT_MS = 250;

export type OllamaState = 'ready' | 'model_missing' | 'unreachable';

/**
 * Caches whether Ollama answers and has the model. Callers get the last result at once. A stale
 * result starts a check in the background. Only the first caller waits, for at most
 * `FIRST_WAIT_MS`.
 */
export class OllamaStatus {
  readonly #client: Pick<OllamaClient, 'hasModel'>;
  readonly #clock: Pick<Clock, 'monotonic'>;
  #found: { state: OllamaState; until: number } | null = null;
  #checking: Promise<void> | null = null;

  constructor(client: Pick<OllamaClient, 'hasModel'>, clock: Pick<Clock, 'monotonic'>) {
    this.#client = client;
    this.#clock = clock;
  }

  async state(): Promise<OllamaState> {
    const isFresh = this.#found && this.#clock.monotonic() < this.#found.until;
    if (!isFresh) this.#checking ??= this.#check();
    if (!this.#found && this.#checking) await within(this.#checking, FIRST_WAIT_MS);
    return this.#found?.state ?? 'unreachable';
  }

  /**
   * Records the state that a request found. After a failure that took long, `freshMs` is longer
   * than usual.
   */
  note(state: OllamaState, freshMs: number = FRESH_MS): void {
    this.#found = { state, until: this.#clock.monotonic() + freshMs };
  }

  async #check(): Promise<void> {
    try {
      this.note((await this.#client.hasModel()) ? 'ready' : 'model_missing');
    } catch (error) {
      if (!(error instanceof OllamaError)) throw error;
      this.note('unreachable');
    } finally {
      this.#checking = null;
    }
  }
}

function within(promise: Promise<void>, ms: number): Promise<void> {
  const { promise: waited, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  return Promise.race([promise, waited]).finally(() => clearTimeout(timer));
}
