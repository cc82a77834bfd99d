import type { EventSummary } from '../core/model.ts';
import type { AppendResult } from '../store/contract/events.ts';
import type { LivePosition } from '../store/contract/live.ts';
import type { SettledAttempt } from '../store/contract/queue.ts';
import type { Scope } from '../store/contract/scope.ts';

export type LiveItem =
  | { kind: 'event'; event: EventSummary; position: LivePosition }
  | { kind: 'attempt'; settled: SettledAttempt; position: LivePosition };

export type LiveListener = (item: LiveItem) => void;

/**
 * Passes committed events and settled attempts to the subscribers who may see them, in commit
 * order. `Live` stores no items. A stream that has missed items reads them from the store
 * (`api/streams/reader-stream.ts`).
 *
 * All subscribers get the same position with an item. The position covers every published item,
 * including items that a subscriber may not see.
 */
export class Live {
  readonly #byUser = new Map<string, Set<LiveListener>>();
  readonly #byEndpoint = new Map<number, Set<LiveListener>>();
  #position: LivePosition;

  /** @param position the newest sequence numbers at start */
  constructor(position: LivePosition) {
    this.#position = position;
  }

  /** Continues from `position`. Called after a restore has replaced the data. */
  restart(position: LivePosition): void {
    this.#position = position;
  }

  publishEvents(results: readonly AppendResult[]): void {
    for (const result of results) {
      if (!result.stored) continue;
      const { event, userId, endpointKey } = result;
      this.#position = { ...this.#position, eventSeq: event.seq };
      this.#publish(userId, endpointKey, { kind: 'event', event, position: this.#position });
    }
  }

  publishAttempts(settled: readonly SettledAttempt[]): void {
    for (const one of settled) {
      const attemptSeq = Math.max(this.#position.attemptSeq, one.attempt.seq);
      this.#position = { ...this.#position, attemptSeq };
      this.#publish(one.userId, one.endpointKey, {
        kind: 'attempt',
        settled: one,
        position: this.#position,
      });
    }
  }

  /** Calls `listener` for each new item of `scope`. Returns a function that unsubscribes. */
  subscribe(scope: Scope, listener: LiveListener): () => void {
    if ('userId' in scope) return join(this.#byUser, scope.userId, listener);
    const leaves = scope.endpointKeys.map((key) => join(this.#byEndpoint, key, listener));
    return () => {
      for (const leave of leaves) leave();
    };
  }

  /** Returns the users and endpoints that have subscribers. */
  watched(): { userIds: string[]; endpointKeys: number[] } {
    return { userIds: [...this.#byUser.keys()], endpointKeys: [...this.#byEndpoint.keys()] };
  }

  #publish(userId: string, endpointKey: number, item: LiveItem): void {
    for (const listener of this.#byUser.get(userId) ?? []) listener(item);
    for (const listener of this.#byEndpoint.get(endpointKey) ?? []) listener(item);
  }
}

function join<K>(groups: Map<K, Set<LiveListener>>, key: K, listener: LiveListener): () => void {
  const group = groups.get(key) ?? new Set();
  groups.set(key, group);
  group.add(listener);
  return () => {
    group.delete(listener);
    if (group.size === 0) groups.delete(key);
  };
}
