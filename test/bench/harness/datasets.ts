import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Filled, FillOperations, FillRequest } from '../programs/fill.ts';
import { Program } from './program.ts';

/** The oldest events of each data set that measurements share. */
export const DEAD_LETTERS = 100;

/** Data directories, created on demand. The rest is deleted with `dir`. */
export class Datasets {
  readonly #dir: string;
  readonly #log: (text: string) => void;
  readonly #kept = new Map<number, Filled>();

  constructor(dir: string, log: (text: string) => void) {
    this.#dir = dir;
    this.#log = log;
  }

  /** A separate one, deleted when it goes out of scope. */
  async make(request: Omit<FillRequest, 'dataDir'>): Promise<Filled & Disposable> {
    const filled = await this.#fill(request);
    return {
      ...filled,
      [Symbol.dispose]: () => rmSync(filled.dataDir, { recursive: true, force: true }),
    };
  }

  /**
   * A shared one, because a million events take time: at least `events` of one
   * endpoint, all indexed, without a destination.
   */
  async shared(events: number): Promise<Filled> {
    const kept = this.#kept.get(events);
    if (kept) return kept;
    const filled = await this.#fill({ events, deadLetters: DEAD_LETTERS });
    this.#kept.set(events, filled);
    return filled;
  }

  async #fill(request: Omit<FillRequest, 'dataDir'>): Promise<Filled> {
    if (request.events > 0) this.#log(`storing and indexing ${request.events} events`);
    const dataDir = mkdtempSync(join(this.#dir, 'data-'));
    await using program = new Program<FillOperations>('fill');
    return await program.ask('fill', { dataDir, ...request });
  }
}
