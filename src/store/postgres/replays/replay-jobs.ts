import { JOBS_KEPT, limitReached } from '../../../core/limits.ts';
import type { Logger } from '../../../core/runtime/runtime.ts';
import type { NewReplayJob, ReplaySlice, WorkedOff } from '../../contract/replays.ts';
import { CLAIM_NOTHING, ClaimCollector } from '../../shared/queue/claim-collector.ts';
import {
  JOB,
  type JobChoice,
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
} from '../../shared/replays/job-state.ts';
import type { ReplayVerdicts } from '../../shared/replays/judgement.ts';
import { eventsOf, judgedInTime, SLICE_MS } from '../../shared/replays/replay-slice.ts';
import type { Database, Sql } from '../connection/database.ts';
import { lockAccount, passGate } from '../connection/locks.ts';
import { storable } from '../connection/storable.ts';
import type { EventJudge } from '../judging/event-judge.ts';
import type { Freed } from '../queue/order-turns.ts';
import { OPEN_REF_COLUMNS, type OpenRef, type Rounds } from '../queue/rounds.ts';
import type { EventSearch } from '../search/event-search.ts';
import { type MadeReplay, type ReplayOf, replayEvents } from './event-replays.ts';
import { forgetJobs, openJobs } from './job-rows.ts';
import { judge } from './judgement.ts';
import { checkNamed } from './replay-targets.ts';

/** How many deliveries one commit cancels at most. A job may have a million. */
const CANCEL_SLICE = 1000;

export const OPEN_OF_JOB = `
  SELECT ${OPEN_REF_COLUMNS} FROM open_deliveries WHERE job_key = $1 AND event_seq >= $2
  ORDER BY event_seq LIMIT $3`;

export interface ReplayTools {
  db: Database;
  rounds: Rounds;
  searches: EventSearch;
  judge: EventJudge;
  log: Logger;
}

/** Stores and runs the jobs of bulk replays. See `ReplayStore`. */
export class ReplayJobs {
  readonly #db: Database;
  readonly #rounds: Rounds;
  readonly #searches: EventSearch;
  readonly #judge: EventJudge;
  readonly #filters: JobFilters;
  /** Keys of jobs whose cancellation must continue. Null until they are read. */
  #stopped: number[] | null = null;

  constructor({ db, rounds, searches, judge, log }: ReplayTools) {
    this.#db = db;
    this.#rounds = rounds;
    this.#searches = searches;
    this.#judge = judge;
    this.#filters = new JobFilters(log);
  }

  async start(
    job: NewReplayJob,
    most: number,
    signal?: AbortSignal,
  ): Promise<{ id: string; matching: number }> {
    const { id, endpointKey, now } = job;
    await checkNamed(this.#db, endpointKey, namedBy(job));
    const matching = await this.#searches.count(endpointKey, job.filter, signal);
    const { filter, destinations } = storedFilter(job);
    const started = await this.#db.transaction(async (sql) => {
      const [endpoint] = await sql.rows<{ userId: string }>(
        `SELECT user_id AS "userId" FROM endpoints
         WHERE key = $1 AND deleted_at IS NULL FOR KEY SHARE`,
        [endpointKey],
      );
      if (!endpoint) return id;
      const { userId } = endpoint;
      await lockAccount(sql, userId);
      // `upper_seq` includes captures that aren't committed yet, because they already have their
      // numbers.
      const [startedOver] = await sql.rows<{ id: string }>(
        `UPDATE replay_jobs SET after_seq = 0, matching = $5,
           upper_seq = (SELECT last_value FROM event_seqs)
         WHERE user_id = $1 AND endpoint_key = $2 AND filter = $3
           AND destinations IS NOT DISTINCT FROM $4 AND state = ${JOB_QUEUES}
         RETURNING id`,
        [userId, endpointKey, filter, destinations, matching],
      );
      if (startedOver) return startedOver.id;
      const [has] = await sql.rows<{ jobs: number }>(
        `SELECT count(*) AS jobs FROM replay_jobs WHERE user_id = $1 AND state = ${JOB_QUEUES}`,
        [userId],
      );
      if (has && has.jobs >= most) throw limitReached('replayJobs', most);
      if ((await openJobs(sql, endpointKey)) >= JOBS_KEPT) {
        throw limitReached('openJobs', JOBS_KEPT);
      }
      // The job gets the same turn as the other jobs of its account. If there are none, it gets the
      // last turn.
      await sql.run(
        `INSERT INTO replay_jobs (id, user_id, endpoint_key, filter, destinations, state,
           after_seq, upper_seq, matching, created_at, turn)
         SELECT $1, $2, $3, $4, $5, ${JOB_QUEUES}, 0, (SELECT last_value FROM event_seqs), $6, $7,
           coalesce((SELECT max(turn) FROM replay_jobs WHERE user_id = $2 AND state = ${JOB_QUEUES}),
             (SELECT max(turn) + 1 FROM replay_jobs WHERE state = ${JOB_QUEUES}), 0)`,
        [id, userId, endpointKey, filter, destinations, matching, now],
      );
      await forgetJobs(sql, endpointKey);
      return id;
    });
    return { id: started, matching };
  }

  async workOff(now: number, slice: ReplaySlice): Promise<WorkedOff | null> {
    const stopped = await this.#nextStopped();
    if (stopped !== null) {
      return { unclaimed: await this.#cancelOpen(stopped), replayed: 0, heldMs: 0 };
    }
    const turn = await this.#nextTurn();
    if (!turn) return null;
    const { job, filter, choice } = turn;
    const { endpointKey, afterSeq, upperSeq } = job;
    const events = eventsOf(slice, await this.#targets(endpointKey, choice));
    const range = { after: afterSeq, upTo: upperSeq, limit: events, forMs: SLICE_MS };
    let matching = await this.#searches.matching(endpointKey, filter, range);
    let judged: ReplayVerdicts | null = null;
    for (;;) {
      const { seqs, resumeAfter } = matching;
      const replay = { endpointKey, seqs, choice, jobKey: job.key, judged, now };
      const { replayed, unclaimed } = await this.#db.transaction(async (sql) => {
        const handover = new ClaimCollector(CLAIM_NOTHING);
        const replayed = await this.#replay(sql, job, replay, resumeAfter, handover);
        return { replayed, unclaimed: handover.unclaimed };
      });
      if (replayed === 'again') continue;
      if ('unjudged' in replayed) {
        const inTime = await judge(this.#db, this.#judge, replayed.unjudged, SLICE_MS);
        judged = inTime;
        matching = judgedInTime(matching, inTime.resumeAfter);
        continue;
      }
      this.#rounds.noteOpened(replayed.opened);
      this.#rounds.noteFreed(replayed.freed);
      return { unclaimed, replayed: seqs.length, heldMs: 0 };
    }
  }

  /** Replays the events of a slice, and sets the job's position to `after`. */
  async #replay(
    sql: Sql,
    job: JobRow,
    replay: ReplayOf,
    after: number | null,
    handover: ClaimCollector,
  ): ReturnType<typeof replayEvents> {
    const nothing: MadeReplay = { made: new Map(), opened: [], freed: [] };
    await passGate(sql, job.endpointKey);
    // Meanwhile another node may have replayed this slice, a person may have cancelled the job or
    // started it over, or the endpoint may have been deleted.
    const [mark] = await sql.rows<{ afterSeq: number; upperSeq: number; state: number }>(
      `SELECT after_seq AS "afterSeq", upper_seq AS "upperSeq", state FROM replay_jobs
       WHERE key = $1 FOR NO KEY UPDATE`,
      [job.key],
    );
    const isSame = mark?.afterSeq === job.afterSeq && mark.upperSeq === job.upperSeq;
    if (!isSame || mark.state !== JOB_QUEUES) return nothing;
    const replayed =
      replay.seqs.length === 0 ? nothing : await replayEvents(sql, this.#rounds, replay, handover);
    if (replayed === 'again' || 'unjudged' in replayed) return replayed;
    await sql.run(
      `UPDATE replay_jobs SET turn = (SELECT max(turn) + 1 FROM replay_jobs WHERE state = ${JOB_QUEUES})
       WHERE user_id = $1 AND state = ${JOB_QUEUES}`,
      [job.userId],
    );
    await sql.run(
      'UPDATE replay_jobs SET after_seq = coalesce($2, upper_seq), state = $3 WHERE key = $1',
      [job.key, after, after === null ? JOB_QUEUED : JOB_QUEUES],
    );
    return replayed;
  }

  /** Returns how many destinations each event may go to. */
  async #targets(endpointKey: number, { ids }: JobChoice): Promise<number> {
    if (ids !== null) return ids.length;
    const destinations = await this.#rounds.destinations(this.#db, [endpointKey]);
    return destinations.get(endpointKey)?.length ?? 0;
  }

  async #nextTurn(): Promise<JobTurn | null> {
    const [job] = await this.#db.rows<JobRow>(
      `SELECT ${JOB.read('j')} FROM replay_jobs j
       WHERE j.state = ${JOB_QUEUES} AND j.id <> ALL($1) ORDER BY j.turn, j.key LIMIT 1`,
      [[...this.#filters.unreadable]],
    );
    return job ? (this.#filters.read(job) ?? this.#nextTurn()) : null;
  }

  async cancel(endpointKey: number, jobId: string): Promise<{ freed: Set<number> } | null> {
    const found = await this.#db.transaction(async (sql) => {
      const [job] = await sql.rows<{ key: number; state: number }>(
        `SELECT key, state FROM replay_jobs WHERE endpoint_key = $1 AND id = $2
         FOR NO KEY UPDATE`,
        [endpointKey, storable(jobId)],
      );
      if (!job) return null;
      const open = await sql.rows('SELECT 1 FROM open_deliveries WHERE job_key = $1 LIMIT 1', [
        job.key,
      ]);
      const runs = job.state === JOB_QUEUES || (job.state === JOB_QUEUED && open.length > 0);
      if (runs) {
        await sql.run(`UPDATE replay_jobs SET state = ${JOB_CANCELLING} WHERE key = $1`, [job.key]);
      }
      return { key: job.key, isStopped: runs || job.state === JOB_CANCELLING };
    });
    if (!found) return null;
    return { freed: found.isStopped ? await this.#cancelOpen(found.key) : new Set() };
  }

  /**
   * Returns the next job whose cancellation a crash or an error has interrupted, or null. Each
   * process reads these jobs once, so the successor of a crashed process finds them.
   */
  async #nextStopped(): Promise<number | null> {
    this.#stopped ??= (
      await this.#db.rows<{ key: number }>(
        `SELECT key FROM replay_jobs WHERE state = ${JOB_CANCELLING}`,
      )
    ).map(({ key }) => key);
    return this.#stopped.shift() ?? null;
  }

  /**
   * Cancels all open deliveries of a job, slice by slice. Returns their destinations, because other
   * deliveries may have waited there.
   */
  async #cancelOpen(jobKey: number): Promise<Set<number>> {
    const freed = new Set<number>();
    try {
      for (let from: number | null = 0; from !== null; ) {
        const at: number = from;
        const slice = await this.#db.transaction((sql) => this.#cancelSlice(sql, jobKey, at));
        this.#rounds.noteFreed(slice.freed);
        for (const key of slice.destinationKeys) freed.add(key);
        from = slice.next;
      }
    } catch (error) {
      this.#stopped?.push(jobKey);
      throw error;
    }
    return freed;
  }

  /**
   * Cancels one slice of a job's open deliveries, if the job is being cancelled. The slice starts
   * at the event `from`, and the next slice starts at the event `next`. There is no next slice if
   * it is null.
   */
  async #cancelSlice(
    sql: Sql,
    jobKey: number,
    from: number,
  ): Promise<{ freed: Freed[]; destinationKeys: number[]; next: number | null }> {
    const [job] = await sql.rows(
      `SELECT 1 FROM replay_jobs WHERE key = $1 AND state = ${JOB_CANCELLING} FOR NO KEY UPDATE`,
      [jobKey],
    );
    if (!job) return { freed: [], destinationKeys: [], next: null };
    const open = await sql.rows<OpenRef>(OPEN_OF_JOB, [jobKey, from, CANCEL_SLICE]);
    const { events, freed } = await this.#rounds.end(sql, open, 'cancelled');
    const isLast = open.length < CANCEL_SLICE || events === 0;
    if (isLast) {
      await sql.run(`UPDATE replay_jobs SET state = ${JOB_CANCELLED} WHERE key = $1`, [jobKey]);
    }
    const next = isLast ? null : (open.at(-1) as OpenRef).seq;
    return { freed, destinationKeys: open.map(({ destinationKey }) => destinationKey), next };
  }
}
