import { MAX_TYPED_BODY_BYTES } from '../../core/rules/request-parts.ts';
import type { RuleSource } from '../../core/rules/rule.ts';
import type { LiveItem } from '../../live/live.ts';
import { mayNameType } from '../../providers/body-type.ts';
import type { EventClass } from '../../store/contract/live.ts';
import type { RuleLookups } from './event-lookups.ts';

/** The largest number of items that wait for a lookup. With more, the reader is dropped. */
export const MAX_WAITING = 10_000;

/** A reader's conditions on the contents of events. An attempt fits if its event does. */
export interface StreamFilter {
  type: string | null;
  where: RuleSource | null;
}

export interface ItemGateOptions {
  filter: StreamFilter;
  looks: RuleLookups;
  /** Called with each item that fits. `eventType` is null for an attempt. */
  pass(item: LiveItem, eventType: string | null): void;
  skip(item: LiveItem): void;
  /** Called if a lookup fails or too many items wait. The reader then resumes by its cursor. */
  drop(): void;
}

interface ItemVerdict {
  fits: boolean;
  eventType: string | null;
}

/**
 * Passes published items to one reader, in order. An item waits for a lookup if the filter needs
 * its event's content. Later items wait behind it.
 */
export class ItemGate {
  readonly #options: ItemGateOptions;
  #waiting: { item: LiveItem; verdict: ItemVerdict | Promise<ItemVerdict> }[] = [];
  #isClosed = false;

  constructor(options: ItemGateOptions) {
    this.#options = options;
  }

  take(item: LiveItem): void {
    if (this.#isClosed) return;
    const verdict = this.#verdictNow(item);
    if (verdict && this.#waiting.length === 0) {
      this.#emit(item, verdict);
      return;
    }
    this.#waiting.push({ item, verdict: verdict ?? this.#verdictByLook(item) });
    if (this.#waiting.length > MAX_WAITING) this.#drop();
    else if (this.#waiting.length === 1) void this.#work();
  }

  /** Drops the items that wait. */
  close(): void {
    this.#isClosed = true;
    this.#waiting = [];
  }

  async #work(): Promise<void> {
    try {
      for (let next = this.#waiting[0]; next; next = this.#waiting[0]) {
        // Await every verdict, so that readers of the same items stay together and share frames.
        const verdict = await next.verdict;
        if (this.#isClosed) return;
        this.#waiting.shift();
        this.#emit(next.item, verdict);
      }
    } catch {
      this.#drop();
    }
  }

  #emit(item: LiveItem, { fits, eventType }: ItemVerdict): void {
    if (fits) this.#options.pass(item, eventType);
    else this.#options.skip(item);
  }

  #drop(): void {
    if (this.#isClosed) return;
    this.close();
    this.#options.drop();
  }

  /** Returns null if the verdict needs a lookup. */
  #verdictNow(item: LiveItem): ItemVerdict | null {
    const { type, where } = this.#options.filter;
    if (item.kind === 'attempt') {
      return type === null && where === null ? { fits: true, eventType: null } : null;
    }
    const { eventType, provider, size } = item.event;
    const isTypeOpen = eventType === null && mayNameType(provider) && size <= MAX_TYPED_BODY_BYTES;
    if (isTypeOpen) return null;
    if (type !== null && eventType !== type) return { fits: false, eventType };
    return where === null ? { fits: true, eventType } : null;
  }

  #verdictByLook(item: LiveItem): Promise<ItemVerdict> {
    const { filter, looks } = this.#options;
    const seq = item.kind === 'event' ? item.event.seq : item.settled.eventSeq;
    const verdict = looks.of(seq).then((look) => ({
      // A deleted event has no content, so it fits only without conditions.
      fits: look ? eventFits(look, filter) : filter.type === null && filter.where === null,
      eventType: item.kind === 'event' ? (look?.eventType ?? null) : null,
    }));
    // The gate may close before it awaits the verdict. A rejection must still be handled.
    verdict.catch(() => {});
    return verdict;
  }
}

/** Returns whether an event fits. The store has already judged the rule. */
export function eventFits({ fits, eventType }: EventClass, { type }: StreamFilter): boolean {
  return fits && (type === null || eventType === type);
}
