import type { Logger } from '../../../core/runtime/runtime.ts';
import type { ClaimTerms } from '../../contract/claims.ts';
import type { EventFilter } from '../../contract/events.ts';
import type {
  NewReplayJob,
  ReplayJob,
  ReplayResult,
  ReplaySlice,
  ReplayStore,
  ReplayTarget,
} from '../../contract/replays.ts';
import { ClaimCollector } from '../../shared/queue/claim-collector.ts';
import type { ReplayVerdicts } from '../../shared/replays/judgement.ts';
import type { Database } from '../connection/database.ts';
import { passGate } from '../connection/locks.ts';
import type { EventJudge } from '../judging/event-judge.ts';
import type { Rounds } from '../queue/rounds.ts';
import type { EventSearch } from '../search/event-search.ts';
import { replayEvents } from './event-replays.ts';
import { jobPage, oneJob } from './job-rows.ts';
import { judge } from './judgement.ts';
import { ReplayJobs } from './replay-jobs.ts';
import { choiceOf } from './replay-targets.ts';

export class PostgresReplays implements ReplayStore {
  readonly #db: Database;
  readonly #rounds: Rounds;
  readonly #searches: EventSearch;
  readonly #judge: EventJudge;
  readonly #jobs: ReplayJobs;

  constructor(
    db: Database,
    rounds: Rounds,
    { searches, judge, log }: { searches: EventSearch; judge: EventJudge; log: Logger },
  ) {
    this.#db = db;
    this.#rounds = rounds;
    this.#searches = searches;
    this.#judge = judge;
    this.#jobs = new ReplayJobs(db, rounds, { searches, judge, log });
  }

  async replay(
    endpointKey: number,
    seq: number,
    now: number,
    terms: ClaimTerms,
    target: ReplayTarget = { to: 'all' },
  ): Promise<ReplayResult | null> {
    const choice = choiceOf(target);
    let judged: ReplayVerdicts | null = null;
    for (;;) {
      const replay = { endpointKey, seqs: [seq], choice, jobKey: null, judged, now };
      const { replayed, handover } = await this.#db.transaction(async (sql) => {
        await passGate(sql, endpointKey);
        const handover = new ClaimCollector(terms);
        return { replayed: await replayEvents(sql, this.#rounds, replay, handover), handover };
      });
      if (replayed === 'again') continue;
      if ('unjudged' in replayed) {
        judged = await judge(this.#db, this.#judge, replayed.unjudged, Number.POSITIVE_INFINITY);
        continue;
      }
      this.#rounds.noteOpened(replayed.opened);
      this.#rounds.noteFreed(replayed.freed);
      const deliveries = replayed.made.get(seq);
      if (deliveries === undefined) return null;
      return { deliveries, claimed: handover.claimed, unclaimed: handover.unclaimed };
    }
  }

  count(endpointKey: number, filter: EventFilter, signal?: AbortSignal): Promise<number> {
    return this.#searches.count(endpointKey, filter, signal);
  }

  startJob(job: NewReplayJob, most: number, signal?: AbortSignal) {
    return this.#jobs.start(job, most, signal);
  }

  workOff(now: number, slice: ReplaySlice): Promise<{ unclaimed: Set<number> } | null> {
    return this.#jobs.workOff(now, slice);
  }

  jobs(endpointKey: number, window: { offset: number; limit: number }) {
    return this.#db.snapshot((sql) => jobPage(sql, endpointKey, window));
  }

  job(endpointKey: number, jobId: string): Promise<ReplayJob | null> {
    return oneJob(this.#db, endpointKey, jobId);
  }

  cancelJob(endpointKey: number, jobId: string): Promise<{ freed: Set<number> } | null> {
    return this.#jobs.cancel(endpointKey, jobId);
  }
}
