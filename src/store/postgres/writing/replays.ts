import { limitReached } from '../../../core/limits.ts';
import type { Logger } from '../../../core/runtime.ts';
import type { ClaimTerms } from '../../contract/claims.ts';
import type { EventFilter } from '../../contract/events.ts';
import type { ReplayResult, ReplaySlice, ReplayStore } from '../../contract/replays.ts';
import { CLAIM_NOTHING, Handover } from '../../shared/handover.ts';
import { JobFilters } from '../../shared/job-filters.ts';
import { eventsOf, nextUpper, SLICE_MS } from '../../shared/replay-slice.ts';
import type { Database } from '../connection/database.ts';
import { lockAccount, passGate } from '../connection/locks.ts';
import type { Searches } from '../reading/search.ts';
import { deliveryColumns, type Rounds } from './rounds.ts';

interface JobRow {
  id: string;
  userId: string;
  endpointKey: number;
  filter: string;
  upperSeq: number;
}

export class PostgresReplays implements ReplayStore {
  readonly #db: Database;
  readonly #rounds: Rounds;
  readonly #searches: Searches;
  readonly #filters: JobFilters;

  constructor(db: Database, rounds: Rounds, searches: Searches, log: Logger) {
    this.#db = db;
    this.#filters = new JobFilters(log);
    this.#rounds = rounds;
    this.#searches = searches;
  }

  async replay(
    endpointKey: number,
    seq: number,
    now: number,
    terms: ClaimTerms,
  ): Promise<ReplayResult | null> {
    const { made, opened, freed, handover } = await this.#db.transaction(async (sql) => {
      await passGate(sql, endpointKey);
      const handover = new Handover(terms);
      return {
        ...(await this.#rounds.replay(sql, endpointKey, [seq], now, handover)),
        handover,
      };
    });
    this.#rounds.noteOpened(opened);
    this.#rounds.noteFreed(freed);
    const deliveries = made.get(seq);
    if (deliveries === undefined) return null;
    return { deliveries, claimed: handover.claimed, unclaimed: handover.unclaimed };
  }

  count(endpointKey: number, filter: EventFilter, signal?: AbortSignal): Promise<number> {
    return this.#searches.count(endpointKey, filter, signal);
  }

  async startJob(
    { id, endpointKey, filter, now }: Parameters<ReplayStore['startJob']>[0],
    most: number,
    signal?: AbortSignal,
  ): Promise<number> {
    const matching = await this.#searches.count(endpointKey, filter, signal);
    const stored = JSON.stringify(filter);
    await this.#db.transaction(async (sql) => {
      const [endpoint] = await sql.rows<{ userId: string }>(
        `SELECT user_id AS "userId" FROM endpoints
         WHERE key = $1 AND deleted_at IS NULL FOR KEY SHARE`,
        [endpointKey],
      );
      if (!endpoint) return;
      const { userId } = endpoint;
      await lockAccount(sql, userId);
      // The last number given out includes captures whose commit isn't done yet.
      const startedOver = await sql.run(
        `UPDATE replay_jobs SET upper_seq = (SELECT last_value FROM event_seqs)
         WHERE user_id = $1 AND endpoint_key = $2 AND filter = $3`,
        [userId, endpointKey, stored],
      );
      if (startedOver > 0) return;
      const [has] = await sql.rows<{ jobs: number }>(
        'SELECT count(*) AS jobs FROM replay_jobs WHERE user_id = $1',
        [userId],
      );
      if (has && has.jobs >= most) throw limitReached('replayJobs', most);
      // The job gets the turn of its account's other jobs, or one after all others.
      await sql.run(
        `INSERT INTO replay_jobs (id, user_id, endpoint_key, filter, upper_seq, created_at, turn)
         SELECT $1, $2, $3, $4, (SELECT last_value FROM event_seqs), $5,
           coalesce((SELECT max(turn) FROM replay_jobs WHERE user_id = $2),
             (SELECT max(turn) + 1 FROM replay_jobs), 0)`,
        [id, userId, endpointKey, stored, now],
      );
    });
    return matching;
  }

  async workOff(now: number, slice: ReplaySlice): Promise<{ unclaimed: Set<number> } | null> {
    const next = await this.#nextJob();
    if (!next) return null;
    const { job, filter } = next;
    const destinations = await this.#rounds.destinations(this.#db, [job.endpointKey]);
    const events = eventsOf(slice, destinations.get(job.endpointKey)?.length ?? 0);
    const { endpointKey, upperSeq } = job;
    const matching = await this.#searches.matching(endpointKey, filter, upperSeq, events, SLICE_MS);
    const upper = nextUpper(matching, events);
    const { opened, freed, unclaimed } = await this.#db.transaction(async (sql) => {
      const handover = new Handover(CLAIM_NOTHING);
      const { unclaimed } = handover;
      await passGate(sql, job.endpointKey);
      // Another node may have replayed this slice or deleted the endpoint meanwhile.
      const [mark] = await sql.rows<{ upperSeq: number }>(
        'SELECT upper_seq AS "upperSeq" FROM replay_jobs WHERE id = $1 FOR UPDATE',
        [job.id],
      );
      if (mark?.upperSeq !== job.upperSeq)
        return { opened: deliveryColumns(), freed: [], unclaimed };
      const { opened, freed } = await this.#rounds.replay(
        sql,
        endpointKey,
        matching.seqs,
        now,
        handover,
      );
      if (upper === null) {
        await sql.run('DELETE FROM replay_jobs WHERE id = $1', [job.id]);
      } else {
        await sql.run('UPDATE replay_jobs SET upper_seq = $1 WHERE id = $2', [upper, job.id]);
      }
      await sql.run(
        `UPDATE replay_jobs SET turn = (SELECT max(turn) + 1 FROM replay_jobs)
         WHERE user_id = $1`,
        [job.userId],
      );
      return { opened, freed, unclaimed };
    });
    this.#rounds.noteOpened(opened);
    this.#rounds.noteFreed(freed);
    return { unclaimed };
  }

  async #nextJob(): Promise<{ job: JobRow; filter: EventFilter } | null> {
    const jobs = await this.#db.rows<JobRow>(
      `SELECT id, user_id AS "userId", endpoint_key AS "endpointKey", filter,
         upper_seq AS "upperSeq"
       FROM replay_jobs WHERE id <> ALL($1) ORDER BY turn, id LIMIT 1`,
      [[...this.#filters.unreadable]],
    );
    const [job] = jobs;
    if (!job) return null;
    const filter = this.#filters.read(job);
    return filter ? { job, filter } : this.#nextJob();
  }
}
