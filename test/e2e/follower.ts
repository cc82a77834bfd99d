import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import type { Account } from '../fixtures/account.ts';
import { EventStream, type Frame } from '../fixtures/event-stream.ts';
import type { NodeCluster } from './node-cluster.ts';

/** Follows a stream from node to node by its cursor, through all failures. */
export class Follower {
  readonly frames: Frame[] = [];
  readonly #nodes: NodeCluster;
  readonly #account: Account;
  #stream: EventStream | undefined;
  #stopped = false;
  readonly #following: Promise<void>;

  constructor(nodes: NodeCluster, account: Account) {
    this.#nodes = nodes;
    this.#account = account;
    this.#following = this.#follow();
    onTestFinished(() => this.stop());
  }

  idsOf(event: string): string[] {
    return this.frames.filter((frame) => frame.event === event).map(({ data }) => data.id);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#stream?.close();
    await this.#following;
  }

  /** Moves from this node to another, as a client with a lost connection does. */
  move(): void {
    this.#stream?.close();
  }

  async #follow(): Promise<void> {
    let cursor: string | undefined;
    for (let turn = 0; !this.#stopped; turn++) {
      const { alive } = this.#nodes;
      const node = alive[turn % Math.max(1, alive.length)];
      if (!node) {
        await sleep(10);
        continue;
      }
      const stream = new EventStream(`${node.url}/api/stream`, this.#account.authorization, cursor);
      this.#stream = stream;
      let taken = 0;
      const take = () => {
        for (const frame of stream.frames.slice(taken)) {
          this.frames.push(frame);
          cursor = frame.id;
        }
        taken = stream.frames.length;
      };
      while (!stream.ended && !this.#stopped) {
        await sleep(5);
        take();
      }
      take();
      stream.close();
    }
  }
}
