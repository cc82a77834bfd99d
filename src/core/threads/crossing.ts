import type { MessagePort } from 'node:worker_threads';
import { type FailureMessage, packFailure, unpackFailure } from './failure-message.ts';

/**
 * Calls between two threads. Each thread offers functions, grouped into named parts, and both
 * threads know the types of these functions. `ask` calls a function of the other thread that
 * answers. `tell` calls one that returns nothing.
 *
 * Arguments and answers are cloned, unless a `Way` says that they are moved. Messages from one
 * thread arrive in order. An error keeps its class and its fields.
 */

/** A worker or a port. */
export interface CrossingPort {
  postMessage(message: unknown, memory: Memory[]): void;
  on(event: 'message', listener: (message: unknown) => void): unknown;
}

export type Memory = ArrayBuffer | MessagePort;

type Answering = (...args: never[]) => Promise<unknown>;

export type AnsweredCalls<Parts> = {
  [Part in keyof Parts]: {
    [Name in keyof Parts[Part] as Parts[Part][Name] extends Answering
      ? Name
      : never]: Parts[Part][Name];
  };
};
export type OneWayCalls<Parts> = {
  [Part in keyof Parts]: {
    [Name in keyof Parts[Part] as Parts[Part][Name] extends Answering
      ? never
      : Name]: Parts[Part][Name] extends (...args: infer Args) => unknown
      ? (...args: Args) => void
      : never;
  };
};

/** The arguments of a function that are sent: all except a signal at the end. */
export type SentArguments<F> = F extends (...args: infer Args) => unknown
  ? Required<Args> extends [...infer Sent, AbortSignal]
    ? Sent
    : Args
  : never;
export type AnswerOf<F> = F extends (...args: never[]) => Promise<infer Answer> ? Answer : never;

/** Lists the memory that is moved to the other thread. Afterwards the sender can't read it. */
interface Moves<Args extends unknown[], Answer> {
  moveArguments?(...args: Args): Memory[];
  moveAnswer?(answer: Answer): Memory[];
}
interface Revives<Answer> {
  /** Makes the answer's bytes `Buffer`s again, because cloning loses the class. */
  revive(answer: Answer): Answer;
}

/**
 * How arguments and an answer reach the other thread. An answer with a `Buffer` must be revived.
 */
export type Way<F> = Moves<SentArguments<F>, AnswerOf<F>> &
  (HoldsBuffer<AnswerOf<F>> extends never ? Partial<Revives<AnswerOf<F>>> : Revives<AnswerOf<F>>);

/** The `Way`s of functions. Functions that answer with a `Buffer` must have one. */
export type Ways<Parts> = OptionalParts<{ [Part in keyof Parts]: WaysOfPart<Parts[Part]> }>;
type WaysOfPart<Part> = {
  [Name in keyof Part as HoldsBuffer<AnswerOf<Part[Name]>> extends never ? never : Name]: Way<
    Part[Name]
  >;
} & { [Name in keyof Part]?: Way<Part[Name]> };
type OptionalParts<T> = { [P in keyof T as object extends T[P] ? never : P]: T[P] } & {
  [P in keyof T]?: T[P];
};

type HoldsBuffer<T> = T extends Buffer
  ? true
  : T extends Uint8Array | AnyFn
    ? never
    : T extends ReadonlyMap<unknown, infer V> | ReadonlySet<infer V> | readonly (infer V)[]
      ? HoldsBuffer<V>
      : T extends object
        ? { [K in keyof T]-?: HoldsBuffer<T[K]> }[keyof T]
        : never;

/** The `Way` of a function that is known only by name. */
interface AnyWay {
  moveArguments?(...args: unknown[]): Memory[];
  moveAnswer?(answer: unknown): Memory[];
  revive?(answer: unknown): unknown;
}
type AnyFn = (...args: unknown[]) => unknown;
type Table<T> = Partial<Record<string, Partial<Record<string, T>>>>;

interface Call {
  part: string;
  name: string;
  args: unknown[];
  /** The number that the answer repeats. Null if nobody waits for an answer. */
  id: number | null;
  /** True if the caller may send `cancel`. The function then gets a signal after its arguments. */
  isCancellable: boolean;
}
type CallReply = { answer: number } & ({ value: unknown } | { failure: FailureMessage });
type Message = Call | CallReply | { cancel: number };

interface Waiting {
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
  way: AnyWay | undefined;
}

export class Crossing<Theirs extends object, Ours extends object> {
  /** Calls functions that answer. A signal may be the last argument. Its abort rejects at once. */
  readonly ask: AnsweredCalls<Theirs>;
  readonly tell: OneWayCalls<Theirs>;
  readonly #channel: CrossingPort;
  readonly #theirWays: Table<AnyWay>;
  readonly #waiting = new Map<number, Waiting>();
  readonly #cancellers = new Map<number, AbortController>();
  #ours: Table<AnyFn> = {};
  #ourWays: Table<AnyWay> = {};
  #lastId = 0;
  #refusal: Error | undefined;

  constructor(channel: CrossingPort, theirWays: Ways<Theirs>) {
    this.#channel = channel;
    this.#theirWays = theirWays as Table<AnyWay>;
    this.ask = named((part, name, args) => this.#ask(part, name, args)) as AnsweredCalls<Theirs>;
    this.tell = named((part, name, args) =>
      this.#send({ part, name, args, id: null, isCancellable: false }),
    ) as OneWayCalls<Theirs>;
    channel.on('message', (message) => this.#receive(message as Message));
  }

  /** Offers functions to the other thread. Must be called before the other thread calls. */
  serve(ours: Ours, ourWays: Ways<Ours>): void {
    this.#ours = ours as Table<AnyFn>;
    this.#ourWays = ourWays as Table<AnyWay>;
  }

  /**
   * Calls a function by name. Unlike `ask`, it settles only when the other thread answers, even if
   * the signal aborts.
   */
  call(part: string, name: string, args: unknown[], signal?: AbortSignal): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#refusal) throw this.#refusal;
      const id = ++this.#lastId;
      this.#send({ part, name, args, id, isCancellable: signal !== undefined });
      this.#waiting.set(id, { resolve, reject, way: this.#theirWays[part]?.[name] });
      signal?.addEventListener('abort', () => this.#cancel(id), { once: true });
    });
  }

  /** Makes all later calls reject with this error. */
  refuse(error: Error): void {
    this.#refusal = error;
  }

  /** Rejects all calls that wait for an answer. */
  rejectAll(error: unknown): void {
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }

  #ask(part: string, name: string, args: unknown[]): Promise<unknown> {
    const [sent, signal] = withoutSignal(args);
    if (!signal) return this.call(part, name, sent);
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      this.call(part, name, sent, signal).then(resolve, reject);
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
  }

  #cancel(id: number): void {
    if (this.#waiting.has(id)) this.#post({ cancel: id });
  }

  #send(call: Call): void {
    this.#post(call, this.#theirWays[call.part]?.[call.name]?.moveArguments?.(...call.args));
  }

  #post(message: Message, memory: Memory[] = []): void {
    this.#channel.postMessage(message, memory);
  }

  #receive(message: Message): void {
    if ('answer' in message) this.#settle(message);
    else if ('cancel' in message) this.#cancellers.get(message.cancel)?.abort();
    else if (message.id === null) this.#run(message);
    else void this.#answer(message, message.id);
  }

  #run({ part: partName, name, args }: Call): unknown {
    const part = this.#ours[partName];
    const run = part?.[name];
    if (!run) throw new Error(`no function ${partName}.${name}`);
    return run.apply(part, args);
  }

  async #answer(call: Call, id: number): Promise<void> {
    const { part, name, isCancellable } = call;
    try {
      if (isCancellable) {
        const canceller = new AbortController();
        this.#cancellers.set(id, canceller);
        call.args.push(canceller.signal);
      }
      const value = await this.#run(call);
      this.#post({ answer: id, value }, this.#ourWays[part]?.[name]?.moveAnswer?.(value));
    } catch (error) {
      this.#post({ answer: id, failure: packFailure(error) });
    } finally {
      if (isCancellable) this.#cancellers.delete(id);
    }
  }

  #settle(answer: CallReply): void {
    const waiting = this.#waiting.get(answer.answer);
    if (!waiting) return;
    this.#waiting.delete(answer.answer);
    const { resolve, reject, way } = waiting;
    if ('failure' in answer) reject(unpackFailure(answer.failure));
    else resolve(way?.revive ? way.revive(answer.value) : answer.value);
  }
}

/** Returns the arguments without the signal at their end, and the signal. */
export function withoutSignal(args: unknown[]): [unknown[], AbortSignal | undefined] {
  const last = args.at(-1);
  return last instanceof AbortSignal ? [args.slice(0, -1), last] : [args, undefined];
}

/**
 * Returns an object that makes the function of any part and name when it is first read. A function
 * that is assigned to a part replaces the made one.
 */
function named(call: (part: string, name: string, args: unknown[]) => unknown): object {
  return madeOnce((part) =>
    madeOnce(
      (name) =>
        (...args: unknown[]) =>
          call(part, name, args),
    ),
  );
}

function madeOnce(make: (name: string) => unknown): object {
  const made: Record<string | symbol, unknown> = Object.create(null);
  return new Proxy(made, {
    get(_, name) {
      // `await` looks for `then`, but a part is no promise.
      if (typeof name !== 'symbol' && name !== 'then') made[name] ??= make(name);
      return made[name];
    },
  });
}
