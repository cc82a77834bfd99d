import type { EventSummary, ListedDelivery } from '../../../core/model.ts';
import type { RuleSource } from '../../../core/rules/rule.ts';
import type { DestinationFilter } from '../../../core/rules/verdict.ts';
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
import type { IssueRead, IssueReads } from './issues/issue-reads.ts';
import type { UpwardRange } from './list.ts';
import type { SqliteStats } from './stats.ts';
import { ReaderThread, type ReaderThreadOptions } from './thread/reader-thread.ts';
import type { TypeRead, TypeReads } from './types/type-reads.ts';

/**
 * The reads that may take long, in two threads: those that look into what events contain
 * never hold up the others.
 */
export class Reader {
  readonly #lists: ReaderThread;
  readonly #contents: ReaderThread;

  constructor(options: ReaderThreadOptions) {
    this.#lists = new ReaderThread(options);
    this.#contents = new ReaderThread(options);
  }

  page(
    scope: Scope,
    filter: EventFilter,
    window: ListWindow,
    signal?: AbortSignal,
  ): Promise<EventPage> {
    return this.#threadOf(filter).call({ op: 'page', scope, filter, window }, signal);
  }

  tryRules(endpointKey: number, trial: RuleTrial, signal?: AbortSignal): Promise<TriedEvent[]> {
    return this.#contents.call({ op: 'tryRules', endpointKey, trial }, signal);
  }

  look(seqs: readonly number[], where: RuleSource | null): Promise<EventLook[]> {
    const thread = where === null ? this.#lists : this.#contents;
    return thread.call({ op: 'look', seqs, where });
  }

  /** See `EventStore.newest`. */
  async newest(
    endpointKey: number,
    before: number | null,
    limits: { most: number; bytes: number },
  ): Promise<{ event: EventSummary; content: EventContent }[]> {
    const found = await this.#lists.call<{ event: EventSummary; content: EventContent }[]>({
      op: 'newest',
      endpointKey,
      before,
      limits,
    });
    return found.map(({ event, content }) => ({ event, content: withBuffer(content) }));
  }

  rejected(endpointKey: number, window: RejectedWindow): Promise<RejectedPage> {
    return this.#lists.call({ op: 'rejected', endpointKey, window });
  }

  guesses(keys: readonly number[]): Promise<Map<number, string>> {
    return this.#lists.call({ op: 'guesses', keys });
  }

  count(endpointKey: number, filter: EventFilter, signal?: AbortSignal): Promise<number> {
    return this.#threadOf(filter).call({ op: 'count', endpointKey, filter }, signal);
  }

  matching(endpointKey: number, filter: EventFilter, range: UpwardRange): Promise<Matching> {
    return this.#threadOf(filter).call({ op: 'matching', endpointKey, filter, range });
  }

  /** Judges events for a replay, oldest first, as far as the time goes. */
  judge(
    endpointKey: number,
    seqs: readonly number[],
    rules: readonly DestinationFilter[],
    forMs: number,
  ): Promise<JudgedEvents> {
    return this.#contents.call({ op: 'judge', endpointKey, seqs, rules, forMs });
  }

  eventActivity(
    endpointKey: number,
    window: HourWindow,
    signal?: AbortSignal,
  ): Promise<EventActivity> {
    return this.#lists.call({ op: 'eventActivity', endpointKey, window }, signal);
  }

  attemptActivity(
    endpointKey: number,
    window: HourWindow,
    signal?: AbortSignal,
  ): Promise<AttemptActivity[]> {
    return this.#lists.call({ op: 'attemptActivity', endpointKey, window }, signal);
  }

  overview(scope: Scope, window: OverviewWindow, signal?: AbortSignal): Promise<Overview> {
    return this.#lists.call({ op: 'overview', scope, window }, signal);
  }

  conditions(endpointKey: number, destinationId: string | null): Promise<DestinationCondition[]> {
    return this.#lists.call({ op: 'conditions', endpointKey, destinationId });
  }

  deliveries(
    endpointKey: number,
    filter: DeliveryFilter,
    window: DeliveryWindow,
    signal?: AbortSignal,
  ): Promise<{ deliveries: ListedDelivery[]; total: number }> {
    return this.#lists.call({ op: 'deliveries', endpointKey, filter, window }, signal);
  }

  sequencesAt(scope: Scope, time: number): Promise<LivePosition> {
    return this.#lists.call({ op: 'sequencesAt', scope, time });
  }

  eventsAfter(scope: Scope, seq: number, limit: number): Promise<EventSummary[]> {
    return this.#lists.call({ op: 'eventsAfter', scope, seq, limit });
  }

  attemptsAfter(
    scope: Scope,
    seq: number,
    limit: number,
  ): Promise<{ attempts: SettledAttempt[]; scannedTo: number }> {
    return this.#lists.call({ op: 'attemptsAfter', scope, seq, limit });
  }

  issues<Method extends keyof IssueReads>(
    method: Method,
    ...args: Parameters<IssueReads[Method]>
  ): ReturnType<IssueReads[Method]> {
    const read = { method, args } as IssueRead;
    return this.#lists.call({ op: 'issues', read }) as ReturnType<IssueReads[Method]>;
  }

  types<Method extends keyof TypeReads>(
    method: Method,
    ...args: Parameters<TypeReads[Method]>
  ): ReturnType<TypeReads[Method]> {
    const read = { method, args } as TypeRead;
    return this.#lists.call({ op: 'types', read }) as ReturnType<TypeReads[Method]>;
  }

  stats(now: number): Promise<SqliteStats> {
    return this.#lists.call({ op: 'stats', now });
  }

  async close(): Promise<void> {
    await Promise.all([this.#lists.close(), this.#contents.close()]);
  }

  #threadOf({ q, type, where }: EventFilter): ReaderThread {
    const looksInside = q !== undefined || type !== undefined || where !== undefined;
    return looksInside ? this.#contents : this.#lists;
  }
}
