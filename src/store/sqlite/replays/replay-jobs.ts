import type { Database, Statement } from 'better-sqlite3';
import { JOBS_KEPT, limitReached } from '../../../core/limits.ts';
import type { Logger } from '../../../core/runtime/runtime.ts';
import type { NewReplayJob, ReplayJob, ReplaySlice, WorkedOff } from '../../contract/replays.ts';
import { stateCode } from '../../shared/codes.ts';
import { CLAIM_NOTHING } from '../../shared/queue/claim-collector.ts';
import {
  JOB,
  JobFilters,
  type JobRow,
  type JobTurn,
  namedBy,
  storedFilter,
} from '../../shared/replays/job-filters.ts';
import {
  JOB_CANCELLED,
  JOB_CANCELLING,
  JOB_QUEUED,
  JOB_QUEUES,
  type JobProgressRow,
  jobOf,
} from '../../shared/replays/job-state.ts';
import { type ReplayVerdicts, replayVerdicts } from '../../shared/replays/judgement.ts';
import {
  eventsOf,
  judgedInTime,
  type Matching,
  SLICE_MS,
} from '../../shared/replays/replay-slice.ts';
import type { ReplayDestination } from '../../shared/replays/replayed-event.ts';
import type { Writer } from '../files/writer.ts';
import { OPEN_COLUMNS, type OpenRow } from '../queue/open-deliveries.ts';
import type { Rounds } from '../queue/rounds.ts';
import type { StoppedJobs } from '../queue/stopped-jobs.ts';
import type { Reads } from '../reader-thread/reads.ts';
import {
  type EventReplays,
  type OwnedEventsToJudge,
  type Replay,
  ReplayEffects,
} from './event-replays.ts';
import type { ReplayTargets } from './replay-targets.ts';

/** The largest number of deliveries that one commit cancels. */
const CANCEL_SLICE = 1000;

export interface ReplayTools {
  db: Database;
  writer: Writer;
  rounds: Rounds;
  reads: Reads;
  stopped: StoppedJobs;
  log: Logger;
}

/** Runs bulk replays. See `ReplayStore`. */
export class ReplayJobs {
  readonly #db: Database;
  readonly #writer: Writer;
  readonly #rounds: Rounds;
  readonly #reads: Reads;
  readonly #stopped: StoppedJobs;
  readonly #filters: JobFilters;
  readonly #events: EventReplays;
  readonly #targets: ReplayTargets;
  readonly #openOf: Statement<[number, number], OpenRow>;
  readonly #isCancelling: Statement<[number]>;
  readonly #endCancellation: Statement<[number]>;
  #isStoppedsTurn = true;

  constructor(
    { db, writer, rounds, reads, stopped, log }: ReplayTools,
    events: EventReplays,
    targets: ReplayTargets,
  ) {
    this.#db = db;
    this.#writer = writer;
    this.#rounds = rounds;
    this.#reads = reads;
    this.#stopped = stopped;
    this.#filters = new JobFilters(log);
    this.#events = events;
    this.#targets = targets;
    this.#openOf = db.prepare(
      `SELECT ${OPEN_COLUMNS} FROM open_deliveries v WHERE job_key = ? LIMIT ?`,
    );
    this.#isCancelling = db.prepare(
      `SELECT 1 FROM replay_jobs WHERE key = ? AND state = ${JOB_CANCELLING}`,
    );
    this.#endCancellation = db.prepare(
      `UPDATE replay_jobs SET state = ${JOB_CANCELLED} WHERE key = ? AND state = ${JOB_CANCELLING}`,
    );
  }

  async start(
    job: NewReplayJob,
    most: number,
    signal?: AbortSignal,
  ): Promise<{ id: string; matching: number }> {
    const { endpointKey, filter } = job;
    const matching = await this.#reads.replays.count(endpointKey, filter, signal);
    const id = await this.#writer.write(() => this.#queue(job, matching, most));
    return { id, matching };
  }

  /** Returns the id of the job. If an older job is restarted, returns its id. */
  #queue(job: NewReplayJob, matching: number, most: number): string {
    const { id, endpointKey, now } = job;
    const userId = this.#db
      .prepare<[number], string>(
        'SELECT user_id FROM endpoints WHERE key = ? AND deleted_at IS NULL',
      )
      .pluck()
      .get(endpointKey);
    if (userId === undefined) return id;
    this.#targets.named(endpointKey, namedBy(job));
    const values = { id, userId, endpointKey, matching, now, ...storedFilter(job) };
    const newest = '(SELECT coalesce(max(seq), 0) FROM event_contents)';
    const startedOver = this.#db
      .prepare<[typeof values], string>(`
        UPDATE replay_jobs SET after_seq = 0, upper_seq = ${newest}, matching = @matching
        WHERE user_id = @userId AND state = ${JOB_QUEUES} AND endpoint_key = @endpointKey
          AND filter = @filter AND destinations IS @destinations
        RETURNING id`)
      .pluck()
      .get(values);
    if (startedOver !== undefined) return startedOver;
    const count = this.#db
      .prepare<[string], number>(
        `SELECT count(*) FROM replay_jobs WHERE user_id = ? AND state = ${JOB_QUEUES}`,
      )
      .pluck();
    if (Number(count.get(userId)) >= most) throw limitReached('replayJobs', most);
    const open = this.#db
      .prepare<[number], number>(`
        SELECT count(*) FROM replay_jobs j
        JOIN replay_counts c ON c.job_key = j.key AND c.state = ${stateCode('pending')}
        WHERE j.endpoint_key = ? AND c.count > 0`)
      .pluck();
    const isFull = Number(open.get(endpointKey)) >= JOBS_KEPT;
    if (isFull) throw limitReached('openJobs', JOBS_KEPT);
    // The job takes the turn of its account's other jobs. If there are none, it goes last.
    this.#db
      .prepare(`
        INSERT INTO replay_jobs (id, user_id, endpoint_key, filter, destinations, state, after_seq,
          upper_seq, matching, created_at, turn)
        SELECT @id, @userId, @endpointKey, @filter, @destinations, ${JOB_QUEUES}, 0, ${newest},
          @matching, @now,
          coalesce(
            (SELECT max(turn) FROM replay_jobs WHERE user_id = @userId AND state = ${JOB_QUEUES}),
            (SELECT max(turn) + 1 FROM replay_jobs WHERE state = ${JOB_QUEUES}), 0)`)
      .run(values);
    this.#forgetOld(endpointKey);
    return id;
  }

  /** Deletes old jobs. Keeps jobs with open deliveries, and the newest of the others. */
  #forgetOld(endpointKey: number): void {
    const forgotten = this.#db
      .prepare<[number, number], number>(`
        DELETE FROM replay_jobs WHERE key IN (
          SELECT j.key FROM replay_jobs j
          WHERE j.endpoint_key = ? AND j.state <> ${JOB_QUEUES} AND NOT EXISTS (
            SELECT 1 FROM replay_counts c
            WHERE c.job_key = j.key AND c.state = ${stateCode('pending')} AND c.count > 0)
          ORDER BY j.key DESC LIMIT -1 OFFSET ?)
        RETURNING key`)
      .pluck()
      .all(endpointKey, JOBS_KEPT);
    const forgetCounts = this.#db.prepare('DELETE FROM replay_counts WHERE job_key = ?');
    for (const key of forgotten) forgetCounts.run(key);
  }

  async workOff(now: number, slice: ReplaySlice): Promise<WorkedOff | null> {
    const stopped = this.#stopped.next();
    const turn = this.#nextTurn();
    // Cancellations and replays alternate, so that a large one doesn't delay the other kind.
    if (stopped !== undefined && (!turn || this.#isStoppedsTurn)) {
      this.#isStoppedsTurn = false;
      const { freed } = await this.#cancelMore(stopped, false);
      return { unclaimed: freed, replayed: 0, heldMs: 0 };
    }
    this.#isStoppedsTurn = true;
    if (!turn) return null;
    const { job, filter } = turn;
    const events = eventsOf(slice, this.#destinationsOf(turn).length);
    const { endpointKey, afterSeq: after, upperSeq: upTo } = job;
    const matching = await this.#reads.replayed.matching(endpointKey, filter, {
      ...{ after, upTo, limit: events, forMs: SLICE_MS },
    });
    for (let judged: ReplayVerdicts | null = null, found = matching; ; ) {
      const worked = await this.#writer.write(() => this.#replay(turn, found, judged, now));
      if ('unclaimed' in worked) return worked;
      const { version, seqs, rules } = worked;
      const inTime = await this.#reads.replayed.judge(endpointKey, seqs, rules, SLICE_MS);
      judged = replayVerdicts(version, inTime);
      found = judgedInTime(found, inTime.resumeAfter);
    }
  }

  #replay(
    turn: JobTurn,
    { seqs, resumeAfter }: Matching,
    judged: ReplayVerdicts | null,
    now: number,
  ): WorkedOff | OwnedEventsToJudge {
    const startedAt = performance.now();
    const { job, choice } = turn;
    const effects = new ReplayEffects(CLAIM_NOTHING);
    const { unclaimed } = effects.handover;
    const present = this.#db
      .prepare<[number], JobRow>(
        `SELECT ${JOB.read('j')} FROM replay_jobs j WHERE j.key = ? AND j.state = ${JOB_QUEUES}`,
      )
      .get(job.key);
    // Another call may have replayed this slice, or somebody may have cancelled the job.
    if (present?.afterSeq !== job.afterSeq || present.upperSeq !== job.upperSeq) {
      return { unclaimed, replayed: 0, heldMs: 0 };
    }
    const replay: Replay = {
      endpointKey: job.endpointKey,
      mode: choice.mode,
      destinations: this.#destinationsOf(turn),
      jobKey: job.key,
      now,
    };
    const unjudged = this.#events.unjudged(replay, seqs, judged);
    if (unjudged) return unjudged;
    for (const seq of seqs) this.#events.replay(replay, seq, judged, effects);
    this.#events.write(effects);
    this.#advance(job, resumeAfter);
    return { unclaimed, replayed: seqs.length, heldMs: performance.now() - startedAt };
  }

  #advance({ key, userId, upperSeq }: JobRow, resumeAfter: number | null): void {
    this.#db
      .prepare('UPDATE replay_jobs SET after_seq = ?, state = ? WHERE key = ?')
      .run(resumeAfter ?? upperSeq, resumeAfter === null ? JOB_QUEUED : JOB_QUEUES, key);
    this.#db
      .prepare(`
        UPDATE replay_jobs
        SET turn = (SELECT max(turn) + 1 FROM replay_jobs WHERE state = ${JOB_QUEUES})
        WHERE user_id = ? AND state = ${JOB_QUEUES}`)
      .run(userId);
  }

  #nextTurn(): JobTurn | null {
    const jobs = this.#db.prepare<[], JobRow>(
      `SELECT ${JOB.read('j')} FROM replay_jobs j
       WHERE j.state = ${JOB_QUEUES} ORDER BY j.turn, j.key`,
    );
    for (const job of jobs.iterate()) {
      if (this.#filters.unreadable.has(job.id)) continue;
      const turn = this.#filters.read(job);
      if (turn) return turn;
    }
    return null;
  }

  #destinationsOf({ job, choice }: JobTurn): ReplayDestination[] {
    return this.#targets.all(job.endpointKey).filter(({ id }) => choice.ids?.includes(id) ?? true);
  }

  async list(
    endpointKey: number,
    { offset, limit }: { offset: number; limit: number },
  ): Promise<{ jobs: ReplayJob[]; total: number }> {
    const total = this.#db
      .prepare<[number], number>('SELECT count(*) FROM replay_jobs WHERE endpoint_key = ?')
      .pluck()
      .get(endpointKey) as number;
    const jobs = this.#db
      .prepare<[number, number, number], JobProgressRow>(`
        SELECT ${SHOWN_COLUMNS} FROM replay_jobs j WHERE j.endpoint_key = ?
        ORDER BY j.key DESC LIMIT ? OFFSET ?`)
      .all(endpointKey, limit, offset)
      .map(jobOf);
    return { jobs, total };
  }

  async find(endpointKey: number, jobId: string): Promise<ReplayJob | null> {
    const row = this.#db
      .prepare<[number, string], JobProgressRow>(
        `SELECT ${SHOWN_COLUMNS} FROM replay_jobs j WHERE j.endpoint_key = ? AND j.id = ?`,
      )
      .get(endpointKey, jobId);
    return row ? jobOf(row) : null;
  }

  async cancel(endpointKey: number, jobId: string): Promise<{ freed: Set<number> } | null> {
    const find = this.#db
      .prepare<[number, string], number>(
        'SELECT key FROM replay_jobs WHERE endpoint_key = ? AND id = ?',
      )
      .pluck();
    const key = find.get(endpointKey, jobId);
    if (key === undefined) return null;
    const freed = new Set<number>();
    for (let isFirst = true; ; isFirst = false) {
      const slice = await this.#cancelMore(key, isFirst);
      for (const destinationKey of slice.freed) freed.add(destinationKey);
      if (!slice.more) return { freed };
    }
  }

  async #cancelMore(key: number, isFirst: boolean): Promise<{ freed: Set<number>; more: boolean }> {
    try {
      const slice = await this.#writer.write(() => {
        const isStopped = isFirst ? this.#stop(key) : this.#isCancelling.get(key) !== undefined;
        return isStopped ? this.#cancelSlice(key) : { freed: new Set<number>(), more: false };
      });
      if (!slice.more) this.#stopped.delete(key);
      return slice;
    } catch (error) {
      // If the first slice fails, the job continues. `workOff` repeats later slices.
      if (isFirst) this.#stopped.delete(key);
      throw error;
    }
  }

  /** Returns false if the job is over. */
  #stop(key: number): boolean {
    const stop = this.#db.prepare(`
      UPDATE replay_jobs SET state = ${JOB_CANCELLING} WHERE key = @key AND (state = ${JOB_QUEUES}
        OR (state = ${JOB_QUEUED} AND EXISTS (
          SELECT 1 FROM open_deliveries WHERE job_key = @key)))`);
    return stop.run({ key }).changes > 0;
  }

  /**
   * Cancels some open deliveries of a stopped job. Returns their destinations, because the
   * cancelled deliveries may have blocked others there.
   */
  #cancelSlice(key: number): { freed: Set<number>; more: boolean } {
    const rows = this.#openOf.all(key, CANCEL_SLICE);
    this.#rounds.end(rows, 'cancelled');
    const more = rows.length === CANCEL_SLICE;
    if (more) this.#stopped.add(key);
    else this.#endCancellation.run(key);
    return { freed: new Set(rows.map((row) => row.destinationKey)), more };
  }
}

const countOf = (condition: string) =>
  `(SELECT coalesce(sum(count), 0) FROM replay_counts WHERE job_key = j.key ${condition})`;
/** Columns of `replay_jobs j` that people see. */
const SHOWN_COLUMNS = `j.id, j.state, j.matching, j.created_at AS createdAt,
  ${countOf('')} AS queued,
  ${countOf(`AND state = ${stateCode('succeeded')}`)} AS delivered,
  ${countOf(`AND state = ${stateCode('dead')}`)} AS dead,
  ${countOf(`AND state = ${stateCode('pending')}`)} AS open`;
