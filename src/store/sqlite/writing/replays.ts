import type { Database, Statement } from 'better-sqlite3';
import { newProgress } from '../../../core/event-status.ts';
import { limitReached } from '../../../core/limits.ts';
import type { Logger } from '../../../core/runtime.ts';
import type { ClaimTerms } from '../../contract/claims.ts';
import type { EventFilter } from '../../contract/events.ts';
import type { ReplayResult, ReplaySlice, ReplayStore } from '../../contract/replays.ts';
import { statusCode, statusOf } from '../../shared/codes.ts';
import { CountChanges } from '../../shared/count-changes.ts';
import { dropsOf, NO_DROPS, passedBy } from '../../shared/filtered-events.ts';
import { CLAIM_NOTHING, Handover } from '../../shared/handover.ts';
import { JobFilters } from '../../shared/job-filters.ts';
import { eventsOf, nextUpper, SLICE_MS } from '../../shared/replay-slice.ts';
import type { Reader } from '../reading/reader.ts';
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
  user_id: string;
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
  readonly #drops: Statement<[number, number], string>;

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
    this.#drops = db
      .prepare<[number, number], string>(
        'SELECT dropped FROM filtered_events WHERE endpoint_key = ? AND event_seq = ?',
      )
      .pluck();
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

  /**
   * Replays one event. Returns the new round's number of deliveries; null when the event
   * is gone.
   */
  #replay(
    endpointKey: number,
    seq: number,
    now: number,
    handover: Handover,
    changes: CountChanges,
  ): number | null {
    const event = this.#event.get(endpointKey, seq);
    if (!event) return null;
    const destinations = passedBy(
      this.#rounds.destinations(endpointKey),
      dropsOf(this.#drops.get(endpointKey, seq) ?? NO_DROPS),
    );
    const round = event.round + 1;
    const { open, succeeded, dead, failed } = newProgress(destinations.length);
    this.#beginRound.run(round, open, succeeded, dead, failed, endpointKey, seq);
    changes.add(endpointKey, statusOf(event.status), -1);
    changes.add(endpointKey, 'received', 1);
    for (const key of this.#rounds.supersede(endpointKey, seq, round)) handover.unclaimed.add(key);
    this.#rounds.open(
      {
        ...{ endpointKey, seq, eventId: event.id, round, trigger: 'replay', now, size: event.size },
        ...{ orderKeys: [], jobKey: null },
      },
      destinations,
      handover,
    );
    return destinations.length;
  }

  count(endpointKey: number, filter: EventFilter, signal?: AbortSignal): Promise<number> {
    return this.#reader.count(endpointKey, filter, signal);
  }

  async startJob(
    { id, endpointKey, filter, now }: Parameters<ReplayStore['startJob']>[0],
    most: number,
    signal?: AbortSignal,
  ): Promise<number> {
    const matching = await this.#reader.count(endpointKey, filter, signal);
    const owner = this.#db
      .prepare<[number], string>(
        'SELECT user_id FROM endpoints WHERE key = ? AND deleted_at IS NULL',
      )
      .pluck();
    const startOver = this.#db.prepare(`
      UPDATE replay_jobs SET upper_seq = (SELECT coalesce(max(seq), 0) FROM event_contents)
      WHERE user_id = ? AND endpoint_key = ? AND filter = ?`);
    const count = this.#db
      .prepare<[string], number>('SELECT count(*) FROM replay_jobs WHERE user_id = ?')
      .pluck();
    // The job gets the turn of its account's other jobs, or one after all others.
    const insert = this.#db.prepare(`
      INSERT INTO replay_jobs (id, user_id, endpoint_key, filter, upper_seq, created_at, turn)
      SELECT @id, @userId, @endpointKey, @filter,
        (SELECT coalesce(max(seq), 0) FROM event_contents), @now,
        coalesce((SELECT max(turn) FROM replay_jobs WHERE user_id = @userId),
          (SELECT max(turn) + 1 FROM replay_jobs), 0)`);
    await this.#writer.write(() => {
      const userId = owner.get(endpointKey);
      if (userId === undefined) return;
      const stored = JSON.stringify(filter);
      if (startOver.run(userId, endpointKey, stored).changes > 0) return;
      if (Number(count.get(userId)) >= most) throw limitReached('replayJobs', most);
      insert.run({ id, userId, endpointKey, filter: stored, now });
    });
    return matching;
  }

  async workOff(now: number, slice: ReplaySlice): Promise<{ unclaimed: Set<number> } | null> {
    const next = this.#nextJob();
    if (!next) return null;
    const { job, filter } = next;
    const destinations = this.#rounds.destinations(job.endpoint_key).length;
    const events = eventsOf(slice, destinations);
    const { endpoint_key: key, upper_seq: upTo } = job;
    const matching = await this.#reader.matching(key, filter, upTo, events, SLICE_MS);
    const upper = nextUpper(matching, events);
    const advance = this.#db.prepare('UPDATE replay_jobs SET upper_seq = ? WHERE id = ?');
    const finish = this.#db.prepare('DELETE FROM replay_jobs WHERE id = ?');
    const endTurn = this.#db.prepare(`
      UPDATE replay_jobs SET turn = (SELECT max(turn) + 1 FROM replay_jobs) WHERE user_id = ?`);
    const mark = this.#db
      .prepare<[string], number>('SELECT upper_seq FROM replay_jobs WHERE id = ?')
      .pluck();
    return this.#writer.write(() => {
      const handover = new Handover(CLAIM_NOTHING);
      // Another worker may have replayed this slice or deleted the endpoint meanwhile.
      if (mark.get(job.id) !== job.upper_seq) return { unclaimed: handover.unclaimed };
      const changes = new CountChanges();
      for (const seq of matching.seqs) this.#replay(key, seq, now, handover, changes);
      this.#rounds.counts.apply(changes);
      if (upper === null) finish.run(job.id);
      else advance.run(upper, job.id);
      endTurn.run(job.user_id);
      return { unclaimed: handover.unclaimed };
    });
  }

  #nextJob(): { job: JobRow; filter: EventFilter } | null {
    const jobs = this.#db.prepare<[], JobRow>(
      'SELECT id, user_id, endpoint_key, filter, upper_seq FROM replay_jobs ORDER BY turn, id',
    );
    for (const job of jobs.iterate()) {
      if (this.#filters.unreadable.has(job.id)) continue;
      const filter = this.#filters.read(job);
      if (filter) return { job, filter };
    }
    return null;
  }
}
