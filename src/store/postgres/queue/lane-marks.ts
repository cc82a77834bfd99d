import { Columns, type RowOf } from '../../shared/columns.ts';

/**
 * Looks start at least this long ago: a commit takes some time from the due time in its
 * rows to the moment at which they can be read, ms. They walk over what settled since, so
 * this is short. Later commits are noted with their due time: this node's own when they
 * are done, those of other nodes by their signals. Where a signal is lost, a sweep helps.
 */
const LATE_COMMIT_MS = 1000;

/**
 * Condition on `open_deliveries` of a lane `l`: what is due from its mark on, and is behind
 * no other delivery of its order key.
 */
export const FROM_MARK = 'destination_key = l.key AND NOT behind AND next_attempt_at >= l.since';

/** A known lane: nothing open of it is due before `since`, Unix ms. */
export const LANE = new Columns({ key: 'bigint', since: 'bigint' });

/** The lanes of one look. */
export interface KnownLanes {
  /** Time of the look, Unix ms. */
  now: number;
  lanes: RowOf<typeof LANE>[];
}

/**
 * What a node knows about the lanes: a lane is the queue of one destination's open
 * deliveries. For each destination that may have some, it keeps the due time from which
 * looks at the queue's index start.
 *
 * Settled rows stay in the index until a vacuum may remove them. While another
 * transaction keeps a snapshot (a `pg_dump`, for hours), there are soon millions, most of
 * them at the head of their lane. A look that starts at the mark skips them.
 *
 * A lane is known once this node has made, freed, released or retried a delivery there, a signal
 * of another node has named it, or a sweep (`LaneSweeps`) has found it. It is forgotten
 * when a look finds nothing open there, or the destination paused: the change that ends the
 * pause notes it. Deliveries that a claim holds are open too, so
 * the node that knows the lane takes them when the lease ends.
 */
export class LaneMarks {
  readonly #since = new Map<number, number>();
  /** Earliest due times noted since the look under way began. Null while there is none. */
  #noted: Map<number, number> | null = null;

  /** Notes that a delivery is due at `dueAt`, now or soon to be read. Returns whether the lane is new. */
  note(key: number, dueAt: number): boolean {
    const before = this.#since.get(key);
    this.#since.set(key, Math.min(dueAt, before ?? dueAt));
    this.#noted?.set(key, Math.min(dueAt, this.#noted.get(key) ?? dueAt));
    return before === undefined;
  }

  /** The due time from which the lane has open deliveries; null where none are known. */
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
   * Runs a look at lanes and moves their marks by `oldest`: the due time of each lane's
   * oldest open delivery; null where nothing is open or may go; left out where it is due later. What
   * is noted meanwhile holds. Of looks at the same time, the first moves the marks.
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
