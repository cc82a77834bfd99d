import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Filled, FillOperations } from '../programs/fill.ts';
import { Program } from './program.ts';

/** Data directories, made as they are needed. What is left of them goes with `dir`. */
export class Datasets {
  readonly #dir: string;
  readonly #log: (text: string) => void;
  readonly #kept = new Map<number, Filled>();

  constructor(dir: string, log: (text: string) => void) {
    this.#dir = dir;
    this.#log = log;
  }

  /** One of its own, deleted when it goes out of scope. */
  async make(events: number, destinationUrl: string | null): Promise<Filled & Disposable> {
    const filled = await this.#fill(events, destinationUrl);
    return {
      ...filled,
      [Symbol.dispose]: () => rmSync(filled.dataDir, { recursive: true, force: true }),
    };
  }

  /**
   * One that measurements share, because a million events take their time:
   * at least `events` of one endpoint, all indexed, without a destination.
   */
  async shared(events: number): Promise<Filled> {
    const kept = this.#kept.get(events);
    if (kept) return kept;
    this.#log(`storing and indexing ${events} events`);
    const filled = await this.#fill(events, null);
    this.#kept.set(events, filled);
    return filled;
  }

  async #fill(events: number, destinationUrl: string | null): Promise<Filled> {
    const dataDir = mkdtempSync(join(this.#dir, 'data-'));
    await using program = new Program<FillOperations>('fill');
    return await program.ask('fill', { dataDir, events, destinationUrl });
  }
}
