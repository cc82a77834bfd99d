import { useEffect, useReducer } from 'preact/hooks';

/** A value that the page shows, with subscribers to its changes. */
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
 * Returns the present value, and redraws the component when it changes. The state
 * is a count and not the value: after a switch to another observable with an
 * equal value, the component would otherwise not redraw.
 */
export function useObservable<T>(observable: Observable<T>): T {
  const [, draw] = useReducer((drawn: number) => drawn + 1, 0);
  const { value } = observable;
  useEffect(() => {
    // Effects run after the next frame, and the value may have changed since the drawing.
    if (!Object.is(observable.value, value)) draw(undefined);
    return observable.subscribe(() => draw(undefined));
  }, [observable]);
  return value;
}
