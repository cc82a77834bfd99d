import { useEffect, useReducer } from 'preact/hooks';

/** A value that the page shows, and who wants to know when it changes. */
export class Observable<T> {
  #value: T;
  readonly #listeners = new Set<(value: T) => void>();

  constructor(value: T) {
    this.#value = value;
  }

  get value(): T {
    return this.#value;
  }

  set value(value: T) {
    if (Object.is(value, this.#value)) return;
    this.#value = value;
    for (const listener of [...this.#listeners]) listener(value);
  }

  subscribe(listener: (value: T) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

/**
 * The value now; draws the component again when it changes. What is kept is no
 * value but a count: with another observable in its place, a value that the
 * former one happened to have too would be taken for drawn.
 */
export function useObservable<T>(observable: Observable<T>): T {
  const [, draw] = useReducer((drawn: number) => drawn + 1, 0);
  const { value } = observable;
  useEffect(() => {
    // Effects come after the next frame: it may have changed since it was drawn.
    if (!Object.is(observable.value, value)) draw(undefined);
    return observable.subscribe(() => draw(undefined));
  }, [observable]);
  return value;
}
