import { HookrelayError } from '../../../core/errors.ts';
import type { EventSummary, ListedDelivery } from '../../../core/model.ts';
import type { RuleSource } from '../../../core/rules/rule.ts';
import type { DestinationFilter } from '../../../core/rules/verdict.ts';
import { unpackFailure } from '../../../core/threads/failure-message.ts';
import type { DeliveryFilter, DeliveryWindow } from '../../contract/deliveries.ts';
import type { DestinationCondition } from '../../contract/destinations.ts';
import type {
  AttemptActivity,
  EventActivity,
  EventContent,
  EventFilter,
  EventPage,
  HourWindow,
  ListWindow,
  Overview,
  OverviewWindow,
  RuleTrial,
  TriedEvent,
} from '../../contract/events.ts';
import type { EventLook, LivePosition } from '../../contract/live.ts';
import type { SettledAttempt } from '../../contract/queue.ts';
import type { RejectedPage, RejectedWindow } from '../../contract/rejected.ts';
import type { Scope } from '../../contract/scope.ts';
import type { Matching } from '../../shared/replay-slice.ts';
import type { JudgedEvents } from '../../shared/replays/replay-rules.ts';
import { withBuffer } from '../thread/revived-content.ts';
import type { StartWorker, WorkerThread } from '../thread/start-worker.ts';
import type { IssueRead, IssueReads } from './issues/issue-reads.ts';
import type { UpwardRange } from './list.ts';
import type { ReaderAnswer, ReaderData, ReaderMessage, ReaderRequest } from './reader-worker.ts';
import type { SqliteStats } from './stats.ts';
import type { TypeRead, TypeReads } from './types/type-reads.ts';

/** Most reads at once. Each has a connection and slows the others. */
const MAX_CONCURRENT = 8;
/** Most reads that wait for their turn. Further reads get `overloaded`. */
const MAX_WAITING = 64;

interface Call {
  request: ReaderRequest;
  resolve: (value: never) => void;
  reject: (error: unknown) => void;
  signal: AbortSignal | undefined;
}

/** Sends reads to the thread of `reader-worker.ts`. */
export class Reader {
  readonly #data: ReaderData;
  readonly #startWorker: StartWorker;
  readonly #onBrokenIndex: (inode: number) => void;
  readonly #running = new Map<number, Call>();
  readonly #waiting: Call[] = [];
  #worker: WorkerThread | undefined;
  #lastId = 0;
  #closed = false;

  /** @param onBrokenIndex called with the inode of an index file that a search couldn't use */
  constructor(data: ReaderData, startWorker: StartWorker, onBrokenIndex: (inode: number) => void) {
    this.#data = data;
    this.#startWorker = startWorker;
    this.#onBrokenIndex = onBrokenIndex;
  }

  page(
    scope: Scope,
    filter: EventFilter,
    window: ListWindow,
    signal?: AbortSignal,
  ): Promise<EventPage> {
    return this.#call({ op: 'page', scope, filter, window }, signal);
  }

  tryRules(endpointKey: number, trial: RuleTrial, signal?: AbortSignal): Promise<TriedEvent[]> {
    return this.#call({ op: 'tryRules', endpointKey, trial }, signal);
  }

  look(seqs: readonly number[], where: RuleSource | null): Promise<EventLook[]> {
    return this.#call({ op: 'look', seqs, where });
  }

  /** See `EventStore.newest`. */
  async newest(
    endpointKey: number,
    before: number | null,
    limits: { most: number; bytes: number },
  ): Promise<{ event: EventSummary; content: EventContent }[]> {
    const found = await this.#call<{ event: EventSummary; content: EventContent }[]>({
      op: 'newest',
      endpointKey,
      before,
      limits,
    });
    return found.map(({ event, content }) => ({ event, content: withBuffer(content) }));
  }

  rejected(endpointKey: number, window: RejectedWindow): Promise<RejectedPage> {
    return this.#call({ op: 'rejected', endpointKey, window });
  }

  guesses(keys: readonly number[]): Promise<Map<number, string>> {
    return this.#call({ op: 'guesses', keys });
  }

  count(endpointKey: number, filter: EventFilter, signal?: AbortSignal): Promise<number> {
    return this.#call({ op: 'count', endpointKey, filter }, signal);
  }

  matching(endpointKey: number, filter: EventFilter, range: UpwardRange): Promise<Matching> {
    return this.#call({ op: 'matching', endpointKey, filter, range });
  }

  /** Judges events for a replay, oldest first, as far as the time goes. */
  judge(
    endpointKey: number,
    seqs: readonly number[],
    rules: readonly DestinationFilter[],
    forMs: number,
  ): Promise<JudgedEvents> {
    return this.#call({ op: 'judge', endpointKey, seqs, rules, forMs });
  }

  eventActivity(
    endpointKey: number,
    window: HourWindow,
    signal?: AbortSignal,
  ): Promise<EventActivity> {
    return this.#call({ op: 'eventActivity', endpointKey, window }, signal);
  }

  attemptActivity(
    endpointKey: number,
    window: HourWindow,
    signal?: AbortSignal,
  ): Promise<AttemptActivity[]> {
    return this.#call({ op: 'attemptActivity', endpointKey, window }, signal);
  }

  overview(scope: Scope, window: OverviewWindow, signal?: AbortSignal): Promise<Overview> {
    return this.#call({ op: 'overview', scope, window }, signal);
  }

  conditions(endpointKey: number, destinationId: string | null): Promise<DestinationCondition[]> {
    return this.#call({ op: 'conditions', endpointKey, destinationId });
  }

  deliveries(
    endpointKey: number,
    filter: DeliveryFilter,
    window: DeliveryWindow,
    signal?: AbortSignal,
  ): Promise<{ deliveries: ListedDelivery[]; total: number }> {
    return this.#call({ op: 'deliveries', endpointKey, filter, window }, signal);
  }

  sequencesAt(scope: Scope, time: number): Promise<LivePosition> {
    return this.#call({ op: 'sequencesAt', scope, time });
  }

  eventsAfter(scope: Scope, seq: number, limit: number): Promise<EventSummary[]> {
    return this.#call({ op: 'eventsAfter', scope, seq, limit });
  }

  attemptsAfter(
    scope: Scope,
    seq: number,
    limit: number,
  ): Promise<{ attempts: SettledAttempt[]; scannedTo: number }> {
    return this.#call({ op: 'attemptsAfter', scope, seq, limit });
  }

  issues<Method extends keyof IssueReads>(
    method: Method,
    ...args: Parameters<IssueReads[Method]>
  ): ReturnType<IssueReads[Method]> {
    const read = { method, args } as IssueRead;
    return this.#call({ op: 'issues', read }) as ReturnType<IssueReads[Method]>;
  }

  types<Method extends keyof TypeReads>(
    method: Method,
    ...args: Parameters<TypeReads[Method]>
  ): ReturnType<TypeReads[Method]> {
    const read = { method, args } as TypeRead;
    return this.#call({ op: 'types', read }) as ReturnType<TypeReads[Method]>;
  }

  stats(now: number): Promise<SqliteStats> {
    return this.#call({ op: 'stats', now });
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#worker?.terminate();
    this.#failAll(new HookrelayError('not_ready', 'the server is shutting down'));
  }

  #call<T>(request: ReaderRequest, signal?: AbortSignal): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const call: Call = { request, resolve, reject, signal };
      if (signal?.aborted) reject(signal.reason);
      else if (this.#closed) reject(new HookrelayError('not_ready', 'the server is shutting down'));
      else if (this.#running.size < MAX_CONCURRENT) this.#start(call);
      else if (this.#waiting.length < MAX_WAITING) this.#wait(call);
      else {
        reject(
          new HookrelayError('overloaded', 'too many searches at once', {
            retryAfterS: 2,
          }),
        );
      }
    });
  }

  #wait(call: Call): void {
    this.#waiting.push(call);
    call.signal?.addEventListener(
      'abort',
      () => {
        const at = this.#waiting.indexOf(call);
        if (at === -1) return;
        this.#waiting.splice(at, 1);
        call.reject(call.signal?.reason);
      },
      { once: true },
    );
  }

  #start(call: Call): void {
    const id = ++this.#lastId;
    this.#running.set(id, call);
    const worker = this.#ensureWorker();
    call.signal?.addEventListener(
      'abort',
      () => {
        if (!this.#running.has(id)) return;
        worker.postMessage({ id, cancel: true } satisfies ReaderMessage);
        call.reject(call.signal?.reason);
      },
      { once: true },
    );
    worker.postMessage({ id, request: call.request } satisfies ReaderMessage);
  }

  #ensureWorker(): WorkerThread {
    if (this.#worker) return this.#worker;
    const worker = this.#startWorker('reader-worker', this.#data);
    worker.on('message', (answer: ReaderAnswer) => {
      if ('brokenIndex' in answer) this.#onBrokenIndex(answer.brokenIndex);
      else this.#answer(answer);
    });
    // The reads of a dead thread fail. The next read starts another thread.
    worker.on('error', (error) => {
      this.#worker = undefined;
      this.#failAll(error);
    });
    this.#worker = worker;
    return worker;
  }

  #answer(answer: Exclude<ReaderAnswer, { brokenIndex: number }>): void {
    const call = this.#running.get(answer.id);
    this.#running.delete(answer.id);
    if (call && 'failure' in answer) call.reject(unpackFailure(answer.failure));
    else if (call && 'value' in answer) call.resolve(answer.value as never);
    this.#next();
  }

  #next(): void {
    while (this.#running.size < MAX_CONCURRENT) {
      const call = this.#waiting.shift();
      if (!call) return;
      this.#start(call);
    }
  }

  #failAll(error: unknown): void {
    const calls = [...this.#running.values(), ...this.#waiting.splice(0)];
    this.#running.clear();
    for (const call of calls) call.reject(error);
  }
}
