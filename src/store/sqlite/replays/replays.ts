import { Turns } from '../../../core/turns/turns.ts';
import type { ClaimTerms } from '../../contract/claims.ts';
import type {
  NewReplayJob,
  ReplayJob,
  ReplayResult,
  ReplaySlice,
  ReplayTarget,
} from '../../contract/replays.ts';
import { CountChanges } from '../../shared/events/count-changes.ts';
import { ClaimCollector } from '../../shared/queue/claim-collector.ts';
import { type ReplayVerdicts, replayVerdicts } from '../../shared/replays/judgement.ts';
import type { Writer } from '../files/writer.ts';
import type { Rounds } from '../queue/rounds.ts';
import type { Reads, Writes } from '../reader-thread/reads.ts';
import { EventReplays, type OwnedEventsToJudge } from './event-replays.ts';
import { ReplayJobs, type ReplayTools } from './replay-jobs.ts';
import { ReplayTargets } from './replay-targets.ts';

/** One event on its way to a target. */
interface EventReplay {
  endpointKey: number;
  seq: number;
  now: number;
  terms: ClaimTerms;
  target: ReplayTarget;
}

export class SqliteReplays implements Writes<'replays'> {
  readonly #writer: Writer;
  readonly #rounds: Rounds;
  readonly #reads: Reads;
  readonly #events: EventReplays;
  readonly #targets: ReplayTargets;
  readonly #jobs: ReplayJobs;
  /** A body of 25 MiB takes the reader some time, and it serves all accounts. */
  readonly #turns = new Turns({ slots: 1, slotsPerKey: 1 });

  constructor(tools: ReplayTools) {
    this.#writer = tools.writer;
    this.#rounds = tools.rounds;
    this.#reads = tools.reads;
    this.#events = new EventReplays(tools.db, tools.rounds);
    this.#targets = new ReplayTargets(tools.db);
    this.#jobs = new ReplayJobs(tools, this.#events, this.#targets);
  }

  async replay(
    endpointKey: number,
    seq: number,
    now: number,
    terms: ClaimTerms,
    target: ReplayTarget = { to: 'all' },
  ): Promise<ReplayResult | null> {
    for (let judged: ReplayVerdicts | null = null; ; ) {
      const replayed = { endpointKey, seq, now, terms, target };
      const result = await this.#writer.write(() => this.#replay(replayed, judged));
      if (result === null || 'deliveries' in result) return result;
      const { userId, version, seqs, rules } = result;
      const found = await this.#turns.run(userId, () =>
        this.#reads.replayed.judge(endpointKey, seqs, rules, Number.POSITIVE_INFINITY),
      );
      judged = replayVerdicts(version, found);
    }
  }

  #replay(
    { endpointKey, seq, now, terms, target }: EventReplay,
    judged: ReplayVerdicts | null,
  ): ReplayResult | OwnedEventsToJudge | null {
    if (!this.#events.has(endpointKey, seq)) return null;
    const handover = new ClaimCollector(terms);
    const changes = new CountChanges();
    let deliveries: number;
    if (target.to === 'url') {
      const destination = this.#targets.oneOff(endpointKey, target, now);
      const once = { endpointKey, now, jobKey: null };
      deliveries = this.#events.replayOnce(once, seq, destination, handover, changes);
    } else {
      const isNamed = target.to === 'destinations';
      const replay = {
        ...({ endpointKey, now, jobKey: null, mode: isNamed ? 'named' : 'all' } as const),
        destinations: isNamed
          ? this.#targets.named(endpointKey, target.ids)
          : this.#targets.all(endpointKey),
      };
      const unjudged = this.#events.unjudged(replay, [seq], judged);
      if (unjudged) return unjudged;
      deliveries = this.#events.replay(replay, seq, judged, handover, changes) ?? 0;
    }
    this.#rounds.counts.apply(changes);
    return { deliveries, claimed: handover.claimed, unclaimed: handover.unclaimed };
  }

  startJob(
    job: NewReplayJob,
    most: number,
    signal?: AbortSignal,
  ): Promise<{ id: string; matching: number }> {
    return this.#jobs.start(job, most, signal);
  }

  workOff(now: number, slice: ReplaySlice): Promise<{ unclaimed: Set<number> } | null> {
    return this.#jobs.workOff(now, slice);
  }

  jobs(
    endpointKey: number,
    window: { offset: number; limit: number },
  ): Promise<{ jobs: ReplayJob[]; total: number }> {
    return this.#jobs.list(endpointKey, window);
  }

  job(endpointKey: number, jobId: string): Promise<ReplayJob | null> {
    return this.#jobs.find(endpointKey, jobId);
  }

  cancelJob(endpointKey: number, jobId: string): Promise<{ freed: Set<number> } | null> {
    return this.#jobs.cancel(endpointKey, jobId);
  }
}
