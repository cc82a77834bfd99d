import { Columns, type RowOf } from '../../shared/columns.ts';

/**
 * Polls read from at least this long ago, ms, because a row becomes visible some time after its due
 * time. The time is short, because polls walk over all rows that have settled since.
 *
 * Some commits take longer. This node notes the due times of its own when they are done, and
 * signals name the due times of other nodes' commits. If a signal is lost, a sweep finds the
 * deliveries.
 */
const LATE_COMMIT_MS = 1000;

/**
 * Condition: the row is an open delivery of the lane `l`, due at the lane's mark or later, and
 * behind no other delivery of its order key.
 */
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
 * The lanes that a node knows. A lane is the queue of one destination's open deliveries. The lane's
 * mark is the due time from which polls read the queue's index.
 *
 * Settled rows stay in the index until a vacuum removes them. While another transaction keeps a
 * snapshot (a `pg_dump` does so for hours), millions of these rows gather, most of them at the head
 * of their lane. A poll that starts at the mark skips them.
 *
 * A node knows a lane after one of these events: the node has made, freed, released or retried a
 * delivery of the lane, a signal of another node has named the lane, or a sweep (`LaneSweeps`) has
 * found it. A poll forgets a lane that has no open delivery, and a lane whose destination is
 * paused. The end of the pause notes the lane again. Claimed deliveries are open too, so a node
 * that knows the lane claims them again when the lease ends.
 */
export class LaneMarks {
  readonly #since = new Map<number, number>();
  /**
   * The earliest due time of each lane that was noted since the running poll began. Null if no poll
   * runs.
   */
  #noted: Map<number, number> | null = null;

  /**
   * Notes a delivery that is visible now or will be soon. Returns whether the lane is new to this
   * node.
   */
  note(key: number, dueAt: number): boolean {
    const before = this.#since.get(key);
    this.#since.set(key, Math.min(dueAt, before ?? dueAt));
    this.#noted?.set(key, Math.min(dueAt, this.#noted.get(key) ?? dueAt));
    return before === undefined;
  }

  /** Returns the lane's mark, or null if this node doesn't know the lane. */
  since(key: number): number | null {
    return this.#since.get(key) ?? null;
  }

  /** Moves all marks back, after all due times have moved by `byMs` < 0. */
  moveBack(byMs: number): void {
    for (const [key, since] of this.#since) this.note(key, since + byMs);
  }

  /** Returns the known lanes, without those in `skip`. */
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
   * Polls lanes and moves each lane's mark to its value in `oldest`: the due time of the lane's
   * oldest open delivery, or null if no delivery is open or may start. If a lane has no value, its
   * oldest delivery isn't due yet, so its mark becomes the time of the poll. Due times that are
   * noted during the poll stay. If several polls run at once, only the first moves the marks.
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
