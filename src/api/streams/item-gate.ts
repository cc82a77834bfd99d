import { MAX_TYPED_BODY_BYTES } from '../../core/rules/request-parts.ts';
import type { RuleSource } from '../../core/rules/rule.ts';
import type { LiveItem } from '../../live/live.ts';
import { mayNameType } from '../../providers/body-type.ts';
import type { EventClass } from '../../store/contract/live.ts';
import type { RuleLookups } from './event-lookups.ts';

/** Most items that wait for a lookup. With more, the reader is dropped. */
export const MAX_WAITING = 10_000;

/** A reader's conditions on events' contents. Attempts must belong to events that fit. */
export interface StreamFilter {
  type: string | null;
  where: RuleSource | null;
}

export interface ItemGateOptions {
  filter: StreamFilter;
  looks: RuleLookups;
  /** Gets the items that fit. `eventType` is complete for an event, null for an attempt. */
  pass(item: LiveItem, eventType: string | null): void;
  /** Gets the other items. */
  skip(item: LiveItem): void;
  /** Called when a lookup fails or too many items wait: the reader resumes by its cursor. */
  drop(): void;
}

interface ItemVerdict {
  fits: boolean;
  eventType: string | null;
}

/**
 * Passes published items on to one reader, in order. If the reader's filter needs the content of
 * an item's event, the item waits for a lookup, and all later items wait behind it. Otherwise the
 * item passes at once, unless another item waits.
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

  /** Forgets the items that wait. */
  close(): void {
    this.#isClosed = true;
    this.#waiting = [];
  }

  async #work(): Promise<void> {
    try {
      for (let next = this.#waiting[0]; next; next = this.#waiting[0]) {
        // Awaits every verdict, so that readers of the same items stay abreast and share frames.
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

  /** Null if the verdict needs a lookup. */
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
      // A deleted event fits only without conditions: its content is gone.
      fits: look ? eventFits(look, filter) : filter.type === null && filter.where === null,
      eventType: item.kind === 'event' ? (look?.eventType ?? null) : null,
    }));
    // The gate may close before it awaits this.
    verdict.catch(() => {});
    return verdict;
  }
}

/** Whether an event fits. The store has judged the rule. */
export function eventFits({ fits, eventType }: EventClass, { type }: StreamFilter): boolean {
  return fits && (type === null || eventType === type);
}
