import type { Logger } from './runtime.ts';

/**
 * Parts of the server that are notified of something durable, such as a commit,
 * each by its name and in the order of their subscription. A subscriber must be
 * quick and must not throw: senders wait for it. One that throws is logged by its
 * name, and the next one is still notified.
 *
 * A crash loses notifications. Work that must survive one reads the store by a
 * cursor of its own, and subscribes only to be woken.
 */
export class Subscribers<T> {
  readonly #topic: string;
  readonly #log: Logger;
  readonly #all: { name: string; notify: (value: T) => void }[] = [];

  /** @param topic what is notified, for the log: `commit` */
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
