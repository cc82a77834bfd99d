import { setTimeout as sleep } from 'node:timers/promises';
import { stateCode } from '../../shared/codes.ts';
import type { Indexer } from '../search/indexer.ts';
import { Claims } from '../writing/claims.ts';
import { Rounds } from '../writing/rounds.ts';
import { SqliteUpkeep } from '../writing/upkeep.ts';
import type { AdminConnection } from './admin-connection.ts';

const FIRST_SLICE_EVENTS = 50;
const LARGEST_SLICE_EVENTS = 500;
/** How long a slice may keep the server from writing, ms; and when it may grow. */
const LONG_SLICE_MS = 20;
const SHORT_SLICE_MS = 8;
/** Between two slices at least, ms. */
const SHORTEST_PAUSE_MS = 5;

/**
 * How many events the next slice deletes. A body of 25 MiB takes as long as
 * thousands of small ones, so only time tells what is a short transaction.
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
        coalesce(sum(EXISTS (SELECT 1 FROM deliveries v
          WHERE v.event_seq = e.seq AND v.state = ${stateCode('pending')})), 0) AS open
      FROM endpoints p
      CROSS JOIN events e INDEXED BY events_by_time
        ON e.endpoint_key = p.key AND e.received_at < ?`)
    .get(before) as { events: number; open: number };
}

/** Deletes as retention does, at most half of the time. */
export async function prune(
  connection: AdminConnection,
  before: number,
  onProgress: (removed: number) => void,
): Promise<number> {
  const { db, writer } = connection;
  // The index of a running server is kept by its own thread, which reads the
  // tombstones after the next commit there.
  const noIndexer = { wake() {} } as Indexer;
  const upkeep = new SqliteUpkeep(db, writer, new Rounds(db, new Claims()), noIndexer);
  let removed = 0;
  for (let events = FIRST_SLICE_EVENTS; ; ) {
    connection.assertCurrent();
    // Asked for together, they share one transaction: this tells when it began,
    // without the wait for it.
    const [beganAt, slice] = await Promise.all([
      writer.write(() => performance.now()),
      upkeep.retireSlice(before, events),
    ]);
    const heldMs = performance.now() - beganAt;
    removed += slice.removed;
    onProgress(removed);
    if (!slice.more) return removed;
    events = nextSlice(events, heldMs);
    await sleep(Math.max(SHORTEST_PAUSE_MS, heldMs));
  }
}
