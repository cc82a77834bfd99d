import type { CpuUse } from './cpu-use.ts';

interface Waiter {
  start(): void;
}

export interface TurnsOptions {
  slots: number;
  slotsPerKey: number;
  cpu?: CpuUse | undefined;
}

/**
 * Runs at most `slots` tasks at once, and at most `slotsPerKey` of one key. Keys with waiting tasks
 * take turns. So another key's first task waits only for running tasks. With `cpu`, the keys must
 * be accounts, and the account with the least CPU time goes first.
 */
export class Turns {
  readonly #slots: number;
  readonly #slotsPerKey: number;
  readonly #cpu: CpuUse | undefined;
  #running = 0;
  readonly #runningOf = new Map<string, number>();
  /** Waiting tasks by key, in the order of the keys' turns. */
  readonly #waiting = new Map<string, Waiter[]>();

  constructor({ slots, slotsPerKey, cpu }: TurnsOptions) {
    this.#slots = slots;
    this.#slotsPerKey = slotsPerKey;
    this.#cpu = cpu;
  }

  get isIdle(): boolean {
    return this.#running === 0 && this.#waiting.size === 0;
  }

  waitingOf(key: string): number {
    return this.#waiting.get(key)?.length ?? 0;
  }

  /**
   * Runs `work` when it is the key's turn. Settles with its result.
   *
   * @param signal cancels a waiting task, which then rejects with the signal's reason
   */
  async run<T>(key: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    if (!this.#hasRoom(key)) await this.#turn(key, signal);
    else this.#take(key);
    try {
      return await work();
    } finally {
      this.#free(key);
    }
  }

  #hasRoom(key: string): boolean {
    return this.#running < this.#slots && (this.#runningOf.get(key) ?? 0) < this.#slotsPerKey;
  }

  #take(key: string): void {
    this.#running++;
    this.#runningOf.set(key, (this.#runningOf.get(key) ?? 0) + 1);
  }

  #turn(key: string, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const endWait = this.#cpu?.wait(key);
      const leave = () => {
        this.#remove(key, waiter);
        endWait?.();
        reject(signal?.reason);
      };
      const waiter: Waiter = {
        start() {
          signal?.removeEventListener('abort', leave);
          endWait?.();
          resolve();
        },
      };
      signal?.addEventListener('abort', leave, { once: true });
      const waiting = this.#waiting.get(key);
      if (waiting) waiting.push(waiter);
      else this.#waiting.set(key, [waiter]);
    });
  }

  #remove(key: string, waiter: Waiter): void {
    const left = this.#waiting.get(key)?.filter((other) => other !== waiter) ?? [];
    if (left.length > 0) this.#waiting.set(key, left);
    else this.#waiting.delete(key);
  }

  #free(key: string): void {
    this.#running--;
    const left = (this.#runningOf.get(key) ?? 0) - 1;
    if (left > 0) this.#runningOf.set(key, left);
    else this.#runningOf.delete(key);
    const next = this.#next();
    if (next === undefined) return;
    const waiting = this.#waiting.get(next) as Waiter[];
    // Reinserting the key puts it behind all other keys.
    this.#waiting.delete(next);
    const first = waiting.shift();
    if (waiting.length > 0) this.#waiting.set(next, waiting);
    this.#take(next);
    first?.start();
  }

  /** Returns the key whose turn it is. Undefined if no waiting key has a free slot. */
  #next(): string | undefined {
    let next: string | undefined;
    let least = Number.POSITIVE_INFINITY;
    for (const key of this.#waiting.keys()) {
      if (!this.#hasRoom(key)) continue;
      const used = this.#cpu?.of(key) ?? 0;
      if (used >= least) continue;
      next = key;
      least = used;
    }
    return next;
  }
}
