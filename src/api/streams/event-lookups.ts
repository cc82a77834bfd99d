import type { RuleSource } from '../../core/rules/rule.ts';
import type { CpuUse } from '../../core/turns/cpu-use.ts';
import { Turns } from '../../core/turns/turns.ts';
import type { EventClass, LiveStore } from '../../store/contract/live.ts';

const MAX_BATCH = 200;
/** The largest number of cached lookups per rule. Streams with one rule look up the same events. */
const MAX_KNOWN = 1000;
/** Lookups that run at once, in total and per account. The store's readers serve lists too. */
const LIMITS = { slots: 2, slotsPerKey: 1 };

type InTurn = (look: () => Promise<EventClass[]>) => Promise<EventClass[]>;
type ClassifyingStore = Pick<LiveStore, 'classify'>;

/** Classifies events for live streams. An account's streams with the same rule share lookups. */
export class EventLookups {
  readonly #store: ClassifyingStore;
  readonly #turns: Turns;
  readonly #open = new Map<string, { looks: RuleLookups; readers: number }>();

  /** @param cpu orders the accounts' lookups */
  constructor(store: ClassifyingStore, cpu?: CpuUse) {
    this.#store = store;
    this.#turns = new Turns({ ...LIMITS, cpu });
  }

  /** Returns the lookups by a rule for one more stream. Each `join` needs a `leave`. */
  join(account: string, where: RuleSource | null): RuleLookups {
    const key = keyOf(account, where);
    let shared = this.#open.get(key);
    if (!shared) {
      const inTurn: InTurn = (look) => this.#turns.run(account, look);
      shared = { looks: new RuleLookups(this.#store, where, inTurn), readers: 0 };
      this.#open.set(key, shared);
    }
    shared.readers++;
    return shared.looks;
  }

  leave(account: string, where: RuleSource | null): void {
    const key = keyOf(account, where);
    const shared = this.#open.get(key);
    if (shared && --shared.readers === 0) this.#open.delete(key);
  }
}

function keyOf(account: string, where: RuleSource | null): string {
  return `${account} ${where ?? ''}`;
}

/**
 * Looks up events by one rule. A lookup collects events until its account's turn, and at least for
 * one turn of the event loop.
 */
export class RuleLookups {
  readonly #store: ClassifyingStore;
  readonly #where: RuleSource | null;
  readonly #inTurn: InTurn;
  readonly #known = new Map<number, Promise<EventClass | null>>();
  #open: Batch | null = null;

  constructor(store: ClassifyingStore, where: RuleSource | null, inTurn: InTurn) {
    this.#store = store;
    this.#where = where;
    this.#inTurn = inTurn;
  }

  /** Returns null for a deleted event. Rejects if the store fails; a later call tries again. */
  of(seq: number): Promise<EventClass | null> {
    const known = this.#known.get(seq);
    if (known) return known;
    const look = this.#ask(seq);
    this.#known.set(seq, look);
    if (this.#known.size > MAX_KNOWN) {
      this.#known.delete(this.#known.keys().next().value as number);
    }
    look.catch(() => {
      if (this.#known.get(seq) === look) this.#known.delete(seq);
    });
    return look;
  }

  async #ask(seq: number): Promise<EventClass | null> {
    this.#open ??= this.#begin();
    const { seqs, looks } = this.#open;
    seqs.push(seq);
    if (seqs.length === MAX_BATCH) this.#open = null;
    return (await looks).get(seq) ?? null;
  }

  #begin(): Batch {
    const seqs: number[] = [];
    return { seqs, looks: this.#lookInto(seqs) };
  }

  async #lookInto(seqs: readonly number[]): Promise<Map<number, EventClass>> {
    await new Promise((resolve) => setImmediate(resolve));
    const found = await this.#inTurn(() => {
      if (this.#open?.seqs === seqs) this.#open = null;
      return this.#store.classify(seqs, this.#where);
    });
    return new Map(found.map((look) => [look.seq, look]));
  }
}

interface Batch {
  seqs: number[];
  looks: Promise<Map<number, EventClass>>;
}
