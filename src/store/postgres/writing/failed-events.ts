import type { Sql } from '../connection/database.ts';
import { LISTED_STATUSES } from '../reading/event-query.ts';

/** A written status of an event. `before` or `now` is null where the event is new or deleted. */
export interface StatusChange {
  endpointKey: number;
  seq: number;
  before: number | null;
  now: number | null;
}

/**
 * Brings `failed_events` in line with statuses that the same transaction writes. Most
 * transactions change nothing in it.
 */
export async function noteStatuses(sql: Sql, changes: readonly StatusChange[]): Promise<void> {
  const columns = (status: (change: StatusChange) => number | null) => {
    const listed = changes.flatMap((change) => {
      const code = status(change);
      const isListed = change.before !== change.now && code !== null;
      return isListed && LISTED_STATUSES.includes(code) ? [{ ...change, code }] : [];
    });
    return [
      listed.map(({ endpointKey }) => endpointKey),
      listed.map(({ code }) => code),
      listed.map(({ seq }) => seq),
    ];
  };
  const left = columns(({ before }) => before);
  const entered = columns(({ now }) => now);
  const rows = '(SELECT * FROM unnest($1::bigint[], $2::smallint[], $3::bigint[]))';
  if (left[0]?.length) {
    await sql.run(
      `DELETE FROM failed_events WHERE (endpoint_key, status, seq) IN ${rows}`,
      left,
      'failed events left',
    );
  }
  if (entered[0]?.length) {
    await sql.run(
      `INSERT INTO failed_events (endpoint_key, status, seq) ${rows}`,
      entered,
      'failed events entered',
    );
  }
}
