import type { Logger } from '../../core/runtime.ts';
import type { ClaimTerms } from '../contract/claims.ts';
import type { EventFilter } from '../contract/events.ts';
import type { ReplayResult, ReplayStore } from '../contract/replays.ts';
import { CLAIM_NOTHING, Handover } from '../shared/handover.ts';
import { JobFilters } from '../shared/job-filters.ts';
import type { Database } from './database.ts';
import { passGate } from './locks.ts';
import type { Rounds } from './rounds.ts';
import type { Searches } from './search.ts';

interface JobRow {
  id: string;
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

  replay(
    endpointKey: number,
    seq: number,
    now: number,
    terms: ClaimTerms,
  ): Promise<ReplayResult | null> {
    return this.#db.transaction(async (sql) => {
      await passGate(sql, endpointKey);
      const handover = new Handover(terms);
      const made = await this.#rounds.replay(sql, endpointKey, [seq], now, handover);
      const deliveries = made.get(seq);
      if (deliveries === undefined) return null;
      return { deliveries, claimed: handover.claimed, unclaimed: handover.unclaimed };
    });
  }

  count(endpointKey: number, filter: EventFilter, signal?: AbortSignal): Promise<number> {
    return this.#searches.count(endpointKey, filter, signal);
  }

  async startJob(
    job: { id: string; endpointKey: number; filter: EventFilter; now: number },
    signal?: AbortSignal,
  ): Promise<number> {
    const matching = await this.#searches.count(job.endpointKey, job.filter, signal);
    // The last number given out: what is being committed now counts as captured before.
    await this.#db.run(
      `INSERT INTO replay_jobs (id, endpoint_key, filter, upper_seq, created_at)
       SELECT $1, key, $2, (SELECT last_value FROM event_seqs), $3
       FROM endpoints WHERE key = $4 AND deleted_at IS NULL FOR KEY SHARE`,
      [job.id, JSON.stringify(job.filter), job.now, job.endpointKey],
    );
    return matching;
  }

  async workOff(now: number, maxEvents: number): Promise<{ unclaimed: Set<number> } | null> {
    const next = await this.#nextJob();
    if (!next) return null;
    const { job, filter } = next;
    const seqs = await this.#searches.matching(job.endpointKey, filter, job.upperSeq, maxEvents);
    const last = seqs.at(-1);
    return this.#db.transaction(async (sql) => {
      const handover = new Handover(CLAIM_NOTHING);
      await passGate(sql, job.endpointKey);
      // Another node may have done this slice meanwhile, or the endpoint be deleted.
      const [mark] = await sql.rows<{ upperSeq: number }>(
        'SELECT upper_seq AS "upperSeq" FROM replay_jobs WHERE id = $1 FOR UPDATE',
        [job.id],
      );
      if (mark?.upperSeq !== job.upperSeq) return { unclaimed: handover.unclaimed };
      await this.#rounds.replay(sql, job.endpointKey, seqs, now, handover);
      if (last === undefined || seqs.length < maxEvents) {
        await sql.run('DELETE FROM replay_jobs WHERE id = $1', [job.id]);
      } else {
        await sql.run('UPDATE replay_jobs SET upper_seq = $1 WHERE id = $2', [last - 1, job.id]);
      }
      return { unclaimed: handover.unclaimed };
    });
  }

  async #nextJob(): Promise<{ job: JobRow; filter: EventFilter } | null> {
    const jobs = await this.#db.rows<JobRow>(
      `SELECT id, endpoint_key AS "endpointKey", filter, upper_seq AS "upperSeq"
       FROM replay_jobs WHERE id <> ALL($1) ORDER BY id LIMIT 1`,
      [[...this.#filters.unreadable]],
    );
    const [job] = jobs;
    if (!job) return null;
    const filter = this.#filters.read(job);
    return filter ? { job, filter } : this.#nextJob();
  }
}
