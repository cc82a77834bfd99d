import { HookrelayError } from '../../../core/errors.ts';
import type { RuleSource } from '../../../core/rules/rule.ts';
import type { DestinationFilter } from '../../../core/rules/verdict.ts';
import { JobThread } from '../../../core/threads/job-thread.ts';
import type { JudgedEvents } from '../../shared/replays/replay-rules.ts';
import type { ContentTest } from '../../shared/searches.ts';
import type { RuledRow } from './contents.ts';
import type { RowVerdict, RulesRequest } from './rules-worker.ts';

/** Deadline of one batch, ms. 25 MiB of JSON take about 300 ms, a slow regex many times that. */
const DEADLINE_MS = 20_000;
const IDLE_MS = 60_000;
/** Batches that wait for the thread. Each reader has one, and connections limit the readers. */
const MAX_WAITING = 1000;
const WORKER_LIMITS = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 16 };

/**
 * Judges contents of events in a thread. Readers post one batch at a time, so a short
 * search gets its turn between the batches of a long one.
 */
export class EventJudge {
  readonly #thread = new JobThread<RulesRequest, RowVerdict[]>({
    worker: 'rules-worker',
    resourceLimits: WORKER_LIMITS,
    deadlineMs: DEADLINE_MS,
    idleMs: IDLE_MS,
    mostWaiting: MAX_WAITING,
    overloaded: () => new HookrelayError('overloaded', 'too many searches are under way'),
    tooLong: () =>
      new HookrelayError('search_too_long', 'the rule takes too long on one of the events'),
    gaveOut: (cause) => new Error('the thread that looks into events failed', { cause }),
  });
  #isClosed = false;

  /** Sequence numbers of the requests that match. */
  async matching(
    q: string | undefined,
    content: ContentTest | null,
    rows: readonly RuledRow[],
  ): Promise<Set<number>> {
    const { where, type, folded } = content ?? { where: null, type: null, folded: null };
    const question = { kind: 'match', q, where, type, folded } as const;
    const verdicts = await this.#run({ rows, question });
    return new Set(verdicts.map(({ seq }) => seq));
  }

  /** Types, and whether requests fit a rule (null fits every one). */
  look(where: RuleSource | null, rows: readonly RuledRow[]): Promise<RowVerdict[]> {
    return this.#run({ rows, question: { kind: 'look', where } });
  }

  /** @param forMs time after which no further request is tried, ms */
  try(
    rules: readonly (RuleSource | null)[],
    rows: readonly RuledRow[],
    forMs: number,
  ): Promise<RowVerdict[]> {
    return this.#run({ rows, question: { kind: 'try', rules, forMs } });
  }

  /** What the filters and orders of destinations say of requests. */
  async judge(
    rules: readonly DestinationFilter[],
    rows: readonly RuledRow[],
  ): Promise<JudgedEvents['verdicts']> {
    const verdicts = await this.#run({ rows, question: { kind: 'replay', rules } });
    return verdicts.flatMap(({ seq, replay }) => (replay ? [{ seq, ...replay }] : []));
  }

  /** Ends the thread. Readers under way fail. */
  close(): Promise<void> {
    this.#isClosed = true;
    return this.#thread.close();
  }

  async #run(request: RulesRequest): Promise<RowVerdict[]> {
    if (request.rows.length === 0) return [];
    if (this.#isClosed) throw new HookrelayError('not_ready', 'the server is shutting down');
    return this.#thread.run(request);
  }
}
