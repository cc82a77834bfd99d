import type { OpenConnection } from './open-connection.ts';

/**
 * Finds the connection that has been idle longest. It sorts all connections only
 * when the previous list is used up. A connection that falls idle notes just a
 * number: captures don't pay for the order.
 */
export class IdleQueue {
  /** The connection that has been idle longest is last. */
  #queue: { connection: OpenConnection; since: number }[] = [];

  /** Takes the connection that has been idle longest; undefined if all are busy. */
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
