import { Columns, type RowOf } from '../../shared/columns.ts';

/**
 * Polls read from at least this long ago, ms, because a row becomes visible some time after its due
 * time. The time is short, because polls step over all rows that have settled since.
 *
 * Some commits take longer. After its own commits, this node notes the due times. For commits of
 * other nodes, signals contain the due times. If a signal is lost, a sweep finds the deliveries.
 */
const LATE_COMMIT_MS = 1000;

/**
 * SQL condition: the row is an open delivery of the lane `l`, due at the lane's mark or later. No
 * delivery of its order key is before it.
 */
export const FROM_MARK = 'destination_key = l.key AND NOT behind AND next_attempt_at >= l.since';

/** A known lane. None of its open deliveries is due before `since`, Unix ms. */
export const LANE = new Columns({ key: 'bigint', since: 'bigint' });

export interface KnownLanes {
  /** The time of the poll, Unix ms. */
  now: number;
  lanes: RowOf<typeof LANE>[];
}

/**
 * The lanes that a node knows. A lane is the queue of one destination's open deliveries. The lane's
 * mark is the due time from which polls read the queue's index.
 *
 * Settled rows stay in the index until a vacuum removes them. While another transaction keeps a
 * snapshot (for example hours of `pg_dump`), millions of these rows gather, mostly at the head of
 * their lane. A poll that starts at the mark skips them.
 *
 * A node learns of a lane in three ways. The node has made, freed, released or retried a delivery
 * of the lane. A signal of another node has named the lane. A sweep (`LaneSweeps`) has found the
 * lane.
 *
 * A poll forgets a lane if no delivery is open or if the destination is paused. The end of the
 * pause notes the lane again. Claimed deliveries are open too. So if their lease ends, a node that
 * knows the lane claims them again.
 */
export class LaneMarks {
  readonly #since = new Map<number, number>();
  /**
   * The earliest due time of each lane noted since the running poll began. Null if no poll runs.
   */
  #noted: Map<number, number> | null = null;

  /**
   * Notes a delivery that is visible or will soon be. Returns whether the lane is new to this node.
   */
  note(key: number, dueAt: number): boolean {
    const before = this.#since.get(key);
    this.#since.set(key, Math.min(dueAt, before ?? dueAt));
    this.#noted?.set(key, Math.min(dueAt, this.#noted.get(key) ?? dueAt));
    return before === undefined;
  }

  /** Returns the lane's mark, Unix ms, or null if this node doesn't know the lane. */
  since(key: number): number | null {
    return this.#since.get(key) ?? null;
  }

  /** Shifts all marks back by `byMs` < 0, because all due times were shifted. */
  moveBack(byMs: number): void {
    for (const [key, since] of this.#since) this.note(key, since + byMs);
  }

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
   * Polls lanes with `work` and then updates their marks. `oldest` has the due time of a lane's
   * oldest open delivery. It has null if no delivery is open or may start, and this forgets the
   * lane. If it has no value for a lane, the oldest delivery isn't due yet, so the mark becomes the
   * time of the poll. Due times that are noted during the poll stay. Of several polls at once, only
   * the first updates marks.
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
