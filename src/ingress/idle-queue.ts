import type { OpenConnection } from './open-connection.ts';

/**
 * Gives the connections that have been idle longest. It sorts all of them only
 * when those of the last time are used up, so that connections note nothing but
 * a number when they fall idle, and captures don't pay for an order.
 */
export class IdleQueue {
  /** The longest idle last. */
  #queue: { connection: OpenConnection; since: number }[] = [];

  /** Takes the one of `connections` that has been idle longest; undefined: all are busy. */
  take(connections: Iterable<OpenConnection>): OpenConnection | undefined {
    return this.#pop() ?? this.#fill(connections).#pop();
  }

  #pop(): OpenConnection | undefined {
    for (let next = this.#queue.pop(); next; next = this.#queue.pop()) {
      const { connection, since } = next;
      if (connection.idleSince === since && !connection.socket.destroyed) return connection;
    }
    return undefined;
  }

  #fill(connections: Iterable<OpenConnection>): this {
    for (const connection of connections) {
      const since = connection.idleSince;
      if (since !== null) this.#queue.push({ connection, since });
    }
    this.#queue.sort((a, b) => b.since - a.since);
    return this;
  }
}
