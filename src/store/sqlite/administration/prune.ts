import { setTimeout as sleep } from 'node:timers/promises';
import { Claims } from '../queue/claims.ts';
import { Rounds } from '../queue/rounds.ts';
import { EventDeletion } from '../upkeep/event-deletion.ts';
import { HAS_OPEN_DELIVERY, SqliteUpkeep } from '../upkeep/upkeep.ts';
import type { AdminConnection } from './admin-connection.ts';

const FIRST_SLICE_EVENTS = 50;
const LARGEST_SLICE_EVENTS = 500;
/**
 * The durations above and below which the next slice is smaller or larger, ms. The server can't
 * write during a slice.
 */
const LONG_SLICE_MS = 20;
const SHORT_SLICE_MS = 8;
/** The shortest pause between two slices, ms. */
const SHORTEST_PAUSE_MS = 5;

/**
 * Returns the number of events in the next slice. The duration of the last slice decides, because
 * one body of 25 MiB takes as long as thousands of small bodies.
 */
export function nextSlice(events: number, heldMs: number): number {
  if (heldMs > LONG_SLICE_MS) return Math.max(1, Math.floor(events / 2));
  if (heldMs < SHORT_SLICE_MS) return Math.min(LARGEST_SLICE_EVENTS, events * 2);
  return events;
}

export function countOlder(
  { db }: AdminConnection,
  before: number,
): { events: number; open: number } {
  return db
    .prepare<[number], { events: number; open: number }>(`
      SELECT count(*) AS events,
        coalesce(sum(${HAS_OPEN_DELIVERY}), 0) AS open
      FROM endpoints p
      CROSS JOIN events e INDEXED BY events_by_time
        ON e.endpoint_key = p.key AND e.received_at < ?`)
    .get(before) as { events: number; open: number };
}

/** Deletes events as retention does. The server can write for at least half of the time. */
export async function prune(
  connection: AdminConnection,
  before: number,
  onProgress: (removed: number) => void,
): Promise<number> {
  const { db, writer } = connection;
  const rounds = new Rounds(db, new Claims());
  // Nothing to wake here: the running server's indexer reads the tombstones after its next commit.
  const deletion = new EventDeletion(db, rounds, () => {});
  const upkeep = new SqliteUpkeep(db, writer, rounds, deletion);
  let removed = 0;
  for (let events = FIRST_SLICE_EVENTS; ; ) {
    connection.assertCurrent();
    // Both operations share one transaction. The first returns the start of the transaction, so
    // that the wait for it isn't counted.
    const [beganAt, slice] = await Promise.all([
      writer.write(() => performance.now()),
      upkeep.retireSlice({ before: before }, events),
    ]);
    const heldMs = performance.now() - beganAt;
    removed += slice.removed;
    onProgress(removed);
    if (!slice.more) return removed;
    events = nextSlice(events, heldMs);
    await sleep(Math.max(SHORTEST_PAUSE_MS, heldMs));
  }
}
