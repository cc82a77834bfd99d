import { Columns } from '../../shared/columns.ts';
import type { Sql } from '../connection/database.ts';
import { LISTED_STATUSES } from './event-query.ts';

const FAILED_EVENT = new Columns({ endpointKey: 'bigint', status: 'smallint', seq: 'bigint' });

/** A change of an event's status. `before` is null for a new event, `now` for a deleted event. */
export interface StatusChange {
  endpointKey: number;
  seq: number;
  before: number | null;
  now: number | null;
}

/** Updates `failed_events` after a change of statuses. */
export async function noteStatuses(sql: Sql, changes: readonly StatusChange[]): Promise<void> {
  const listed = (which: 'before' | 'now') =>
    changes.flatMap((change) => {
      const status = change[which];
      const isListed = change.before !== change.now && status !== null;
      return isListed && LISTED_STATUSES.includes(status) ? [{ ...change, status }] : [];
    });
  const left = listed('before');
  const entered = listed('now');
  const rows = `(SELECT * FROM ${FAILED_EVENT.unnest('f')})`;
  if (left.length > 0) {
    await sql.run(
      `DELETE FROM failed_events WHERE (${FAILED_EVENT.names}) IN ${rows}`,
      FAILED_EVENT.arrays(left),
      'failed events left',
    );
  }
  if (entered.length > 0) {
    await sql.run(
      `INSERT INTO failed_events (${FAILED_EVENT.names}) ${rows}`,
      FAILED_EVENT.arrays(entered),
      'failed events entered',
    );
  }
}
