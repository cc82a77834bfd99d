import type { FeedItems, FeedStore, FeedWatch } from '../../contract/cluster.ts';
import type { LivePosition } from '../../contract/live.ts';
import { type SummaryRow, summaryOf } from '../../shared/events/summary-rows.ts';
import { SETTLED_COLUMNS, type SettledRow, settledOf } from '../../shared/live/settled-rows.ts';
import type { Horizons } from '../cluster/tickets.ts';
import type { Database } from '../connection/database.ts';
import { ATTEMPT_TABLES } from '../deliveries/attempt-tables.ts';
import { SUMMARY_COLUMNS } from '../events/summary-columns.ts';

/** Reads the commits of all nodes for one node's live streams. */
export class PostgresFeed implements FeedStore {
  readonly #db: Database;
  readonly #horizons: Horizons;

  constructor(db: Database, horizons: Horizons) {
    this.#db = db;
    this.#horizons = horizons;
  }

  async read(after: LivePosition, watch: FeedWatch, limit: number): Promise<FeedItems> {
    const { isLast, ...horizon } = await this.#horizons.get();
    const events =
      horizon.eventSeq > after.eventSeq
        ? await this.#db.rows<SummaryRow & { userId: string; endpointKey: number }>(
            `SELECT ${SUMMARY_COLUMNS}, p.user_id AS "userId", p.key AS "endpointKey"
             FROM event_contents c
             JOIN events e ON e.endpoint_key = c.endpoint_key AND e.seq = c.seq
             JOIN endpoints p ON p.key = c.endpoint_key
             WHERE c.seq > $1 AND c.seq <= $2 AND p.deleted_at IS NULL
               AND (p.user_id = ANY($3) OR p.key = ANY($4))
             ORDER BY c.seq LIMIT $5`,
            [after.eventSeq, horizon.eventSeq, watch.userIds, watch.endpointKeys, limit],
            'feed events',
          )
        : [];
    const attempts =
      horizon.attemptSeq > after.attemptSeq
        ? await this.#db.rows<SettledRow>(
            `SELECT ${SETTLED_COLUMNS} ${ATTEMPT_TABLES}
             WHERE a.seq > $1 AND a.seq <= $2 AND p.deleted_at IS NULL
               AND (p.user_id = ANY($3) OR p.key = ANY($4))
             ORDER BY a.seq LIMIT $5`,
            [after.attemptSeq, horizon.attemptSeq, watch.userIds, watch.endpointKeys, limit],
            'feed attempts',
          )
        : [];
    const isCut = events.length === limit || attempts.length === limit;
    return {
      events: events.map(({ userId, endpointKey, ...row }) => ({
        event: summaryOf(row),
        userId,
        endpointKey,
      })),
      attempts: attempts.map(settledOf),
      position: {
        eventSeq:
          events.length === limit
            ? (events.at(-1)?.seq as number)
            : Math.max(after.eventSeq, horizon.eventSeq),
        attemptSeq:
          attempts.length === limit
            ? (attempts.at(-1)?.seq as number)
            : Math.max(after.attemptSeq, horizon.attemptSeq),
      },
      more: isCut ? 'now' : isLast ? 'no' : 'soon',
    };
  }
}
