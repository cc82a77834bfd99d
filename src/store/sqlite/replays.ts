import type { Database, Statement } from 'better-sqlite3';
import { newProgress } from '../../core/event-status.ts';
import type { Logger } from '../../core/runtime.ts';
import type { ClaimTerms } from '../contract/claims.ts';
import type { EventFilter } from '../contract/events.ts';
import type { ReplayResult, ReplayStore } from '../contract/replays.ts';
import { statusCode, statusOf } from '../shared/codes.ts';
import { CountChanges } from '../shared/count-changes.ts';
import { CLAIM_NOTHING, Handover } from '../shared/handover.ts';
import { JobFilters } from '../shared/job-filters.ts';
import type { Reader } from './reader.ts';
import type { Rounds } from './rounds.ts';
import type { Writer } from './writer.ts';

const RECEIVED = statusCode('received');

interface EventRow {
  id: string;
  round: number;
  size: number;
  status: number;
}

interface JobRow {
  id: string;
  endpoint_key: number;
  filter: string;
  upper_seq: number;
}

export class SqliteReplays implements ReplayStore {
  readonly #db: Database;
  readonly #writer: Writer;
  readonly #rounds: Rounds;
  readonly #reader: Reader;
  readonly #filters: JobFilters;
  readonly #event: Statement<[number, number], EventRow>;
  readonly #beginRound: Statement<unknown[]>;

  constructor(db: Database, writer: Writer, rounds: Rounds, reader: Reader, log: Logger) {
    this.#filters = new JobFilters(log);
    this.#db = db;
    this.#writer = writer;
    this.#rounds = rounds;
    this.#reader = reader;
    this.#event = db.prepare(`
      SELECT e.id, e.round, e.size, e.status
      FROM events e JOIN endpoints p ON p.key = e.endpoint_key
      WHERE e.endpoint_key = ? AND e.seq = ? AND p.deleted_at IS NULL`);
    this.#beginRound = db.prepare(`
      UPDATE events SET round = ?, status = ${RECEIVED}, open = ?, succeeded = ?, dead = ?,
        failed = ?
      WHERE endpoint_key = ? AND seq = ?`);
  }

  replay(
    endpointKey: number,
    seq: number,
    now: number,
    terms: ClaimTerms,
  ): Promise<ReplayResult | null> {
    return this.#writer.write(() => {
      const handover = new Handover(terms);
      const changes = new CountChanges();
      const deliveries = this.#replay(endpointKey, seq, now, handover, changes);
      if (deliveries === null) return null;
      this.#rounds.counts.apply(changes);
      return {
        deliveries,
        claimed: handover.claimed,
        unclaimed: handover.unclaimed,
      };
    });
  }

  /** The new round's number of deliveries, or null when the event is gone. */
  #replay(
    endpointKey: number,
    seq: number,
    now: number,
    handover: Handover,
    changes: CountChanges,
  ): number | null {
    const event = this.#event.get(endpointKey, seq);
    if (!event) return null;
    const destinations = this.#rounds.destinations(endpointKey);
    const round = event.round + 1;
    const { open, succeeded, dead, failed } = newProgress(destinations.length);
    this.#beginRound.run(round, open, succeeded, dead, failed, endpointKey, seq);
    changes.add(endpointKey, statusOf(event.status), -1);
    changes.add(endpointKey, 'received', 1);
    this.#rounds.supersede(endpointKey, seq, round);
    this.#rounds.open(
      { endpointKey, seq, eventId: event.id, round, trigger: 'replay', now, size: event.size },
      destinations,
      handover,
    );
    return destinations.length;
  }

  count(endpointKey: number, filter: EventFilter, signal?: AbortSignal): Promise<number> {
    return this.#reader.count(endpointKey, filter, signal);
  }

  async startJob(
    job: { id: string; endpointKey: number; filter: EventFilter; now: number },
    signal?: AbortSignal,
  ): Promise<number> {
    const matching = await this.#reader.count(job.endpointKey, job.filter, signal);
    const insert = this.#db.prepare(`
      INSERT INTO replay_jobs (id, endpoint_key, filter, upper_seq, created_at)
      SELECT ?, key, ?, (SELECT coalesce(max(seq), 0) FROM event_contents), ?
      FROM endpoints WHERE key = ? AND deleted_at IS NULL`);
    await this.#writer.write(() =>
      insert.run(job.id, JSON.stringify(job.filter), job.now, job.endpointKey),
    );
    return matching;
  }

  async workOff(now: number, maxEvents: number): Promise<{ unclaimed: Set<number> } | null> {
    const next = this.#nextJob();
    if (!next) return null;
    const { job, filter } = next;
    const seqs = await this.#reader.matching(job.endpoint_key, filter, job.upper_seq, maxEvents);
    const last = seqs.at(-1);
    const advance = this.#db.prepare('UPDATE replay_jobs SET upper_seq = ? WHERE id = ?');
    const finish = this.#db.prepare('DELETE FROM replay_jobs WHERE id = ?');
    const mark = this.#db
      .prepare<[string], number>('SELECT upper_seq FROM replay_jobs WHERE id = ?')
      .pluck();
    return this.#writer.write(() => {
      const handover = new Handover(CLAIM_NOTHING);
      // Another worker may have done this slice meanwhile, or the endpoint be deleted.
      if (mark.get(job.id) !== job.upper_seq) return { unclaimed: handover.unclaimed };
      const changes = new CountChanges();
      for (const seq of seqs) this.#replay(job.endpoint_key, seq, now, handover, changes);
      this.#rounds.counts.apply(changes);
      if (last === undefined || seqs.length < maxEvents) finish.run(job.id);
      else advance.run(last - 1, job.id);
      return { unclaimed: handover.unclaimed };
    });
  }

  #nextJob(): { job: JobRow; filter: EventFilter } | null {
    const jobs = this.#db.prepare<[], JobRow>(
      'SELECT id, endpoint_key, filter, upper_seq FROM replay_jobs ORDER BY id',
    );
    for (const job of jobs.iterate()) {
      if (this.#filters.unreadable.has(job.id)) continue;
      const filter = this.#filters.read(job);
      if (filter) return { job, filter };
    }
    return null;
  }
}
