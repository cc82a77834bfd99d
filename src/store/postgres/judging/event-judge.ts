import { HookrelayError } from '../../../core/errors.ts';
import type { RuleSource } from '../../../core/rules/rule.ts';
import type { DestinationFilter } from '../../../core/rules/verdict.ts';
import { JobThread } from '../../../core/threads/job-thread.ts';
import type { CpuCharges } from '../../../core/turns/cpu-use.ts';
import type { JudgedEvents } from '../../shared/judging/replay-rules.ts';
import { TooCostlyEvent } from '../../shared/judging/too-costly-event.ts';
import type { ContentTest } from '../../shared/search/searches.ts';
import type { RuledRow } from './contents.ts';
import type { RowVerdict, RulesAnswer, RulesRequest } from './rules-worker.ts';

/** The deadline of one batch, ms. 25 MiB of JSON take about 300 ms, a slow regex much longer. */
const DEADLINE_MS = 20_000;
const IDLE_MS = 60_000;
/**
 * The largest number of batches that wait for a thread. Each reader has one batch, and the number
 * of connections limits the readers.
 */
const MAX_WAITING = 1000;
/** The time after which the rest of a batch waits behind the batches of other readers, ms. */
const SLICE_MS = 100;
const WORKER_LIMITS = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 16 };

/**
 * Judges contents of events in two threads. One thread reads the types of small bodies for lists
 * and live streams, so that these never wait for a search. The other thread serves searches. Each
 * reader sends one batch at a time, so a short search gets its turn between the batches of a long
 * one.
 */
export class EventJudge {
  readonly #types: JobThread<RulesRequest, RulesAnswer>;
  readonly #searches: JobThread<RulesRequest, RulesAnswer>;
  #isClosed = false;

  /** @param cpu charges the CPU time to the accounts that own the events */
  constructor(cpu?: CpuCharges) {
    this.#types = threadOf(cpu);
    this.#searches = threadOf(cpu);
  }

  /**
   * Returns the sequence numbers of matching requests. Stops at a request that takes too many steps
   * to judge, and returns it as `tooCostly`.
   */
  async matching(
    q: string | undefined,
    content: ContentTest | null,
    rows: readonly RuledRow[],
  ): Promise<{ matching: Set<number>; tooCostly: TooCostlyEvent | null }> {
    const { where, type, folded } = content ?? { where: null, type: null, folded: null };
    const question = { kind: 'match', q, where, type, folded } as const;
    const matching = new Set<number>();
    for (let at = 0; at < rows.length; ) {
      const slice = { rows: rows.slice(at), question, forMs: SLICE_MS };
      const { verdicts, looked, tooCostly } = await this.#run(this.#searches, slice);
      for (const { seq } of verdicts) matching.add(seq);
      if (tooCostly) return { matching, tooCostly: new TooCostlyEvent(tooCostly) };
      at += looked;
    }
    return { matching, tooCostly: null };
  }

  /** Returns the types of the requests that fit a rule. If `where` is null, all requests fit. */
  async classify(where: RuleSource | null, rows: readonly RuledRow[]): Promise<RowVerdict[]> {
    const thread = where === null ? this.#types : this.#searches;
    return (await this.#run(thread, { rows, question: { kind: 'look', where } })).verdicts;
  }

  /** @param forMs the time after which no further request is judged, ms */
  async try(
    rules: readonly (RuleSource | null)[],
    rows: readonly RuledRow[],
    forMs: number,
  ): Promise<RowVerdict[]> {
    const question = { kind: 'try', rules } as const;
    return (await this.#run(this.#searches, { rows, question, forMs })).verdicts;
  }

  /** Judges requests by the filters and orders of destinations. */
  async judge(
    rules: readonly DestinationFilter[],
    rows: readonly RuledRow[],
  ): Promise<JudgedEvents['verdicts']> {
    const question = { kind: 'replay', rules } as const;
    const { verdicts } = await this.#run(this.#searches, { rows, question });
    return verdicts.flatMap(({ seq, replay }) => (replay ? [{ seq, ...replay }] : []));
  }

  /** Ends the threads. Pending reads fail. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([this.#types.close(), this.#searches.close()]);
  }

  async #run(
    thread: JobThread<RulesRequest, RulesAnswer>,
    request: RulesRequest,
  ): Promise<RulesAnswer> {
    const [first] = request.rows;
    if (!first) return { verdicts: [], looked: 0, tooCostly: null };
    if (this.#isClosed) throw new HookrelayError('not_ready', 'the server is shutting down');
    return thread.run(request, { account: first.account });
  }
}

function threadOf(cpu: CpuCharges | undefined): JobThread<RulesRequest, RulesAnswer> {
  return new JobThread({
    worker: 'rules-worker',
    resourceLimits: WORKER_LIMITS,
    deadlineMs: DEADLINE_MS,
    idleMs: IDLE_MS,
    mostWaiting: MAX_WAITING,
    cpu,
    overloaded: () => new HookrelayError('overloaded', 'too many searches are under way'),
    tooLong: () =>
      new HookrelayError('search_too_long', 'the rule takes too long on one of the events'),
    gaveOut: (cause) => new Error('the thread that looks into events failed', { cause }),
  });
}
