import type { OpenConnection } from './open-connection.ts';

/**
 * Finds the connection that has been idle longest. It sorts all idle connections only when its list
 * is empty. A connection that becomes idle only stores a number, so captures don't pay for sorting.
 */
export class IdleQueue {
  /** Sorted by idle time, the longest last. */
  #queue: { connection: OpenConnection; since: number }[] = [];

  /** Returns the connection that has been idle longest; undefined if all are busy. */
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
