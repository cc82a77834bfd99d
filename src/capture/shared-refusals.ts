import type { CapturedRequest } from '../core/http/captured-request.ts';
import type { AppendResult } from '../store/contract/events.ts';

/** How long a refused request waits for other refused requests, ms. */
const WAIT_MS = 10;

type CommitEvent = (request: CapturedRequest) => Promise<AppendResult>;

/**
 * Commits requests. A refused request that isn't kept only asks the store whether its verdict is
 * still current. Refused requests of an endpoint within `WAIT_MS` share one question. Otherwise a
 * flood of forgeries would keep the store from captures.
 */
export class SharedRefusals {
  readonly #commit: CommitEvent;
  readonly #open = new Map<string, Promise<AppendResult>>();

  constructor(commit: CommitEvent) {
    this.#commit = commit;
  }

  commit(request: CapturedRequest): Promise<AppendResult> {
    const { publicToken, verdict } = request;
    if (verdict?.refused?.keep !== false) return this.#commit(request);
    const key = `${publicToken} ${verdict.version}`;
    const open = this.#open.get(key);
    if (open) return open;
    const result = new Promise<void>((resolve) => setTimeout(resolve, WAIT_MS)).then(() => {
      // A later request must ask again, because the settings may change after this answer.
      this.#open.delete(key);
      return this.#commit(request);
    });
    this.#open.set(key, result);
    return result;
  }
}
