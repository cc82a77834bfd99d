import { Columns, type RowOf } from '../../shared/columns.ts';

/**
 * Polls read from at least this long ago, ms: rows become visible some time after their due
 * time. It is short, because polls walk over all rows that have settled since.
 *
 * Commits that take longer are noted by their due time: this node's own when they are done,
 * those of other nodes by signals. A sweep finds those of lost signals.
 */
const LATE_COMMIT_MS = 1000;

/** Open deliveries of a lane `l` from its mark on that are behind no other of their order key. */
export const FROM_MARK = 'destination_key = l.key AND NOT behind AND next_attempt_at >= l.since';

/** A known lane. None of its open deliveries is due before `since`, Unix ms. */
export const LANE = new Columns({ key: 'bigint', since: 'bigint' });

/** The lanes of one poll. */
export interface KnownLanes {
  /** Time of the poll, Unix ms. */
  now: number;
  lanes: RowOf<typeof LANE>[];
}

/**
 * The lanes that a node knows. A lane is the queue of one destination's open deliveries; its
 * mark is the due time from which polls read the queue's index.
 *
 * Settled rows stay in the index until a vacuum removes them. While another transaction keeps
 * a snapshot (a `pg_dump`, for hours), there are soon millions, most at the head of their
 * lane. A poll that starts at the mark skips them.
 *
 * A node knows a lane once it has made, freed, released or retried a delivery there, a signal
 * of another node has named it, or a sweep (`LaneSweeps`) has found it. A poll forgets a lane
 * that has no open delivery, or whose destination is paused; ending the pause notes it again.
 * Claimed deliveries are open too, so a node that knows the lane takes them when the lease
 * ends.
 */
export class LaneMarks {
  readonly #since = new Map<number, number>();
  /** Earliest due times noted since the poll under way began. Null without one. */
  #noted: Map<number, number> | null = null;

  /** Notes a delivery that is visible now or soon. Returns whether the lane is new. */
  note(key: number, dueAt: number): boolean {
    const before = this.#since.get(key);
    this.#since.set(key, Math.min(dueAt, before ?? dueAt));
    this.#noted?.set(key, Math.min(dueAt, this.#noted.get(key) ?? dueAt));
    return before === undefined;
  }

  /** The lane's mark; null for an unknown lane. */
  since(key: number): number | null {
    return this.#since.get(key) ?? null;
  }

  /** Moves all marks back after due times moved by `byMs` < 0. */
  moveBack(byMs: number): void {
    for (const [key, since] of this.#since) this.note(key, since + byMs);
  }

  /** The known lanes without those in `skip`. */
  known(now: number, skip: ReadonlySet<number>, only?: ReadonlySet<number>): KnownLanes {
    const latest = now - LATE_COMMIT_MS;
    const lanes: KnownLanes['lanes'] = [];
    for (const [key, from] of this.#since) {
      if (skip.has(key) || (only && !only.has(key))) continue;
      lanes.push({ key, since: Math.min(from, latest) });
    }
    return { now, lanes };
  }

  /**
   * Polls lanes and moves their marks to `oldest`: the due time of each lane's oldest open
   * delivery, or null if none is open or may go. A lane whose oldest is due later is left out.
   * Due times noted during the poll stay. Of concurrent polls only the first moves the marks.
   */
  async follow<T>(
    { now, lanes }: KnownLanes,
    work: () => Promise<{ result: T; oldest: ReadonlyMap<number, number | null> }>,
  ): Promise<T> {
    if (this.#noted) return (await work()).result;
    const noted = new Map<number, number>();
    this.#noted = noted;
    try {
      const { result, oldest } = await work();
      for (const { key } of lanes) {
        const found = oldest.get(key);
        const meanwhile = noted.get(key);
        if (found === null && meanwhile === undefined) this.#since.delete(key);
        else this.#since.set(key, Math.min(now, found ?? now, meanwhile ?? now));
      }
      return result;
    } finally {
      this.#noted = null;
    }
  }
}
