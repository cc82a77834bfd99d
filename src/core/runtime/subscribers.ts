import type { Logger } from './runtime.ts';

/**
 * Notifies parts of the server of a durable change, such as a commit, in the order of their
 * subscriptions. A subscriber must be quick, because senders wait for it. If a subscriber throws,
 * the log names it, and the remaining subscribers are still notified.
 *
 * A crash loses notifications. Work that must survive a crash reads the store by its own cursor and
 * uses the subscription only as a wake-up.
 */
export class Subscribers<T> {
  readonly #topic: string;
  readonly #log: Logger;
  readonly #all: { name: string; notify: (value: T) => void }[] = [];

  /** @param topic name of the change, for the log: `commit` */
  constructor(topic: string, log: Logger) {
    this.#topic = topic;
    this.#log = log;
  }

  subscribe(name: string, notify: (value: T) => void): void {
    this.#all.push({ name, notify });
  }

  notify(value: T): void {
    for (const { name, notify } of this.#all) {
      try {
        notify(value);
      } catch (error) {
        this.#log.error('a subscriber failed', { topic: this.#topic, subscriber: name, error });
      }
    }
  }
}
