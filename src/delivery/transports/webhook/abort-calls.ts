/** The calls of each signal. A signal without calls has no listener. */
const callsOf = new WeakMap<AbortSignal, AbortCalls>();

/** A call that a signal makes when it aborts. */
export interface AbortCall {
  onAbort(): void;
  /** The place among the calls of the signal. Only this file changes it. */
  abortPlace: number;
}

/**
 * The calls of one signal. They share a listener and stand in an array. A list of listeners, a `Set`
 * and a `Map` link what they held before to what they hold now. Once the garbage collector has moved
 * a part of that chain to the old space, all that follows survives until the next full collection:
 * 5 µs for each attempt.
 */
class AbortCalls {
  readonly #signal: AbortSignal;
  readonly #calls: AbortCall[] = [];
  readonly #listener = (): void => {
    for (const call of this.#calls.slice()) call.onAbort();
  };

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  add(call: AbortCall): void {
    call.abortPlace = this.#calls.push(call) - 1;
    if (call.abortPlace === 0) this.#signal.addEventListener('abort', this.#listener);
  }

  remove(call: AbortCall): void {
    const last = this.#calls.pop();
    if (last && last !== call) {
      this.#calls[call.abortPlace] = last;
      last.abortPlace = call.abortPlace;
    }
    if (this.#calls.length === 0) this.#signal.removeEventListener('abort', this.#listener);
  }
}

export function addAbortCall(signal: AbortSignal, call: AbortCall): void {
  let calls = callsOf.get(signal);
  if (!calls) {
    calls = new AbortCalls(signal);
    callsOf.set(signal, calls);
  }
  calls.add(call);
}

/** Removes a call. Call it exactly once for each call that was added. */
export function removeAbortCall(signal: AbortSignal, call: AbortCall): void {
  callsOf.get(signal)?.remove(call);
}
