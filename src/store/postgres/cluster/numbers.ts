import type { LivePosition } from '../../contract/live.ts';
import type { Sql } from '../connection/database.ts';

/** The highest byte of a ticket's 64 bits (see tickets.ts). The other bytes are the number. */
export const TICKET_CLASS = { event_seqs: 71, attempt_seqs: 72 } as const;
export type Sequence = keyof typeof TICKET_CLASS;

export interface Numbers {
  /** Identifies the generation's row (see `MARK`). */
  mark: string;
  /** The last numbers in use. */
  given: LivePosition;
  /** Everything up to this position is readable. It is never beyond `given`. */
  horizon: LivePosition;
}

/** SQL that identifies the version of a row. It changes after pg_restore. */
export const MARK = "tableoid::text || '.' || xmin::text";

/** Reads the numbers. `sql` must not have a snapshot yet. */
export async function readNumbers(sql: Sql): Promise<Numbers> {
  // Sequences must be read before locks. One statement would take its snapshot before it reads the
  // locks, so these are two statements.
  const [last] = await sql.rows<{ events: number; attempts: number; mark: string }>(
    `SELECT (SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM event_seqs) AS events,
       (SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM attempt_seqs) AS attempts,
       (SELECT ${MARK} FROM meta WHERE name = 'generation') AS mark`,
    [],
    'last numbers',
  );
  const held = await sql.rows<{ class: number; number: number }>(
    `SELECT (classid::bigint >> 24)::integer AS class,
       min(((classid::bigint & 16777215) << 32) | objid::bigint) AS number
     FROM pg_locks
     WHERE locktype = 'advisory' AND objsubid = 1 AND granted
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
     GROUP BY 1`,
    [],
    'tickets',
  );
  const { events: eventSeq = 0, attempts: attemptSeq = 0, mark = '' } = last ?? {};
  const below = (sequence: Sequence, given: number) => {
    const ticket = held.find((row) => row.class === TICKET_CLASS[sequence])?.number;
    return ticket === undefined ? given : Math.min(given, ticket);
  };
  return {
    mark,
    given: { eventSeq, attemptSeq },
    horizon: {
      eventSeq: below('event_seqs', eventSeq),
      attemptSeq: below('attempt_seqs', attemptSeq),
    },
  };
}

export function later(a: LivePosition, b: LivePosition): LivePosition {
  return {
    eventSeq: Math.max(a.eventSeq, b.eventSeq),
    attemptSeq: Math.max(a.attemptSeq, b.attemptSeq),
  };
}
