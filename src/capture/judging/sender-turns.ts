import { clientNetwork } from '../../core/http/client-network.ts';
import { CpuUse } from '../../core/turns/cpu-use.ts';
import { Turns } from '../../core/turns/turns.ts';

export interface SenderTurnsOptions {
  /** Tasks that run at once. Each belongs to a different account. */
  slots: number;
  /** The CPU time of each account. */
  cpu: CpuUse;
  /** ms */
  monotonic(): number;
}

interface Senders {
  turns: Turns;
  /** Tasks that run or wait. */
  tasks: number;
}

/**
 * Runs tasks in turns between accounts, and within an account between the senders' networks. The
 * account or network that used less time goes first. An account runs one task at a time. So a
 * stranger's costly requests delay the account's other senders by at most one task.
 */
export class SenderTurns {
  readonly #options: SenderTurnsOptions;
  readonly #accounts: Turns;
  readonly #senders = new Map<string, Senders>();
  /** Time that each sender's tasks took, by account and network. */
  readonly #used: CpuUse;

  constructor(options: SenderTurnsOptions) {
    this.#options = options;
    this.#accounts = new Turns({ slots: options.slots, slotsPerKey: 1, cpu: options.cpu });
    this.#used = new CpuUse(options.monotonic);
  }

  get isIdle(): boolean {
    return this.#senders.size === 0;
  }

  /** Runs `work` in the sender's turn. Returns its result or throws its error. */
  async run<T>(account: string, address: string, work: () => Promise<T>): Promise<T> {
    const senders = this.#sendersOf(account);
    senders.tasks++;
    const sender = `${account} ${clientNetwork(address)}`;
    try {
      return await senders.turns.run(sender, () =>
        this.#accounts.run(account, () => this.#timed(sender, work)),
      );
    } finally {
      senders.tasks--;
      if (senders.tasks === 0) this.#senders.delete(account);
    }
  }

  #sendersOf(account: string): Senders {
    const known = this.#senders.get(account);
    if (known) return known;
    const turns = new Turns({ slots: 1, slotsPerKey: 1, cpu: this.#used });
    const senders = { turns, tasks: 0 };
    this.#senders.set(account, senders);
    return senders;
  }

  async #timed<T>(sender: string, work: () => Promise<T>): Promise<T> {
    const began = this.#options.monotonic();
    try {
      return await work();
    } finally {
      this.#used.charge(sender, this.#options.monotonic() - began);
    }
  }
}
