export type CpuCharges = Pick<CpuUse, 'charge'>;

/** How long used CPU time counts, s. */
const WINDOW_S = 10;

/**
 * The CPU time that each account used in the last 10 s for verifying, judging, searching, viewing,
 * trying and learning. All `Turns` of a server share one `CpuUse`.
 */
export class CpuUse {
  readonly #monotonic: () => number;
  /** CPU time by account, ms. One map for each second, the newest first. */
  readonly #seconds: Map<string, number>[] = [new Map()];
  /** The number of waiting tasks by account. */
  readonly #waiting = new Map<string, number>();
  #second: number;

  /** @param monotonic ms */
  constructor(monotonic: () => number) {
    this.#monotonic = monotonic;
    this.#second = Math.floor(monotonic() / 1000);
  }

  charge(account: string, cpuMs: number): void {
    this.#advance();
    const now = this.#seconds[0] as Map<string, number>;
    now.set(account, (now.get(account) ?? 0) + cpuMs);
  }

  of(account: string): number {
    this.#advance();
    return this.#seconds.reduce((sum, second) => sum + (second.get(account) ?? 0), 0);
  }

  /** Counts a task of an account as waiting. The caller must call the result when the wait ends. */
  wait(account: string): () => void {
    this.#waiting.set(account, (this.#waiting.get(account) ?? 0) + 1);
    return () => {
      const left = (this.#waiting.get(account) ?? 0) - 1;
      if (left > 0) this.#waiting.set(account, left);
      else this.#waiting.delete(account);
    };
  }

  get anyWaits(): boolean {
    return this.#waiting.size > 0;
  }

  othersWait(account: string): boolean {
    return this.#waiting.size > (this.#waiting.has(account) ? 1 : 0);
  }

  #advance(): void {
    const second = Math.floor(this.#monotonic() / 1000);
    const passed = Math.min(second - this.#second, WINDOW_S);
    for (let i = 0; i < passed; i++) this.#seconds.unshift(new Map());
    this.#seconds.length = Math.min(this.#seconds.length, WINDOW_S);
    this.#second = second;
  }
}
