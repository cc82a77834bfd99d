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

/** Deadline of one batch, ms. 25 MiB of JSON take about 300 ms, a slow regex many times that. */
const DEADLINE_MS = 20_000;
const IDLE_MS = 60_000;
/** Most batches that wait for the thread. Each reader has one; connections limit the readers. */
const MAX_WAITING = 1000;
/** Time after which the rest of a batch waits behind other readers' batches, ms. */
const SLICE_MS = 100;
const WORKER_LIMITS = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 16 };

/**
 * Judges contents of events in two threads. Lists and live streams only read types in small
 * bodies; they have their own thread, so that they never wait for a search. Readers post one
 * batch at a time, so that a short search gets its turn between batches of a long one.
 */
export class EventJudge {
  readonly #types: JobThread<RulesRequest, RulesAnswer>;
  readonly #searches: JobThread<RulesRequest, RulesAnswer>;
  #isClosed = false;

  /** @param cpu charges the accounts that own the events */
  constructor(cpu?: CpuCharges) {
    this.#types = threadOf(cpu);
    this.#searches = threadOf(cpu);
  }

  /**
   * Sequence numbers of the requests that match. Stops at a request that takes too many steps
   * to judge.
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

  /** Reads types, and tests whether requests fit a rule (null: all fit). */
  async classify(where: RuleSource | null, rows: readonly RuledRow[]): Promise<RowVerdict[]> {
    const thread = where === null ? this.#types : this.#searches;
    return (await this.#run(thread, { rows, question: { kind: 'look', where } })).verdicts;
  }

  /** @param forMs time after which no further request is tried, ms */
  async try(
    rules: readonly (RuleSource | null)[],
    rows: readonly RuledRow[],
    forMs: number,
  ): Promise<RowVerdict[]> {
    const question = { kind: 'try', rules } as const;
    return (await this.#run(this.#searches, { rows, question, forMs })).verdicts;
  }

  /** Judges requests by filters and orders of destinations. */
  async judge(
    rules: readonly DestinationFilter[],
    rows: readonly RuledRow[],
  ): Promise<JudgedEvents['verdicts']> {
    const question = { kind: 'replay', rules } as const;
    const { verdicts } = await this.#run(this.#searches, { rows, question });
    return verdicts.flatMap(({ seq, replay }) => (replay ? [{ seq, ...replay }] : []));
  }

  /** Ends the threads. Reads under way fail. */
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
