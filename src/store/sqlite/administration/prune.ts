import { setTimeout as sleep } from 'node:timers/promises';
import { Claims } from '../queue/claims.ts';
import { Rounds } from '../queue/rounds.ts';
import { EventDeletion } from '../upkeep/event-deletion.ts';
import { HAS_OPEN_DELIVERY, SqliteUpkeep } from '../upkeep/upkeep.ts';
import type { AdminConnection } from './admin-connection.ts';

const FIRST_SLICE_EVENTS = 50;
const LARGEST_SLICE_EVENTS = 500;
/**
 * After a longer slice the next one is smaller, after a shorter one it is larger, ms. The
 * server can't write during a slice.
 */
const LONG_SLICE_MS = 20;
const SHORT_SLICE_MS = 8;
/** Shortest pause between two slices, ms. */
const SHORTEST_PAUSE_MS = 5;

/**
 * The number of events that the next slice deletes. The duration of a slice decides it: a
 * body of 25 MiB takes as long as thousands of small ones.
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

/** Deletes like retention. It pauses for at least half of the time. */
export async function prune(
  connection: AdminConnection,
  before: number,
  onProgress: (removed: number) => void,
): Promise<number> {
  const { db, writer } = connection;
  const rounds = new Rounds(db, new Claims());
  // The running server updates the index: its thread reads the tombstones after the server's
  // next commit.
  const deletion = new EventDeletion(db, rounds, () => {});
  const upkeep = new SqliteUpkeep(db, writer, rounds, deletion);
  let removed = 0;
  for (let events = FIRST_SLICE_EVENTS; ; ) {
    connection.assertCurrent();
    // Both operations share one transaction. The first returns its start, so that the wait for
    // the transaction doesn't count.
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
