import { STORED_SUMMARY } from '../../shared/events/summary-rows.ts';
import { OPEN_OF_EVENT } from '../deliveries/delivery-rows.ts';

/**
 * The number of the last attempt, the time of the first 2xx answer, and the first response code.
 * The last `min` finds the earliest answer. `% 1000` then takes the response code from it.
 */
const OUTCOME = `
  (SELECT json_build_array(
      max(CASE WHEN a.probe THEN 0 ELSE a.number END),
      min(a.attempted_at + a.duration_ms) FILTER (WHERE a.response_code BETWEEN 200 AND 299),
      min(a.attempted_at * 1000 + a.response_code) % 1000)
    FROM attempts a WHERE a.event_seq = e.seq) AS outcome`;

/** Columns of `events e` for a `SummaryRow`. */
export const SUMMARY_COLUMNS = `${STORED_SUMMARY},
  (SELECT coalesce(sum(v.attempts), 0)::integer FROM deliveries v
    WHERE v.endpoint_key = e.endpoint_key AND v.event_seq = e.seq
      AND v.round >= coalesce(e.counted_from, e.round))
  -- Open deliveries without a failed attempt have none. Those to one-off URLs don't count.
  + CASE WHEN (e.open > 0 AND e.failed > 0) OR e.counted_from IS NOT NULL THEN
      (SELECT coalesce(sum(attempts), 0)::integer FROM ${OPEN_OF_EVENT}
        WHERE round >= coalesce(e.counted_from, e.round)) ELSE 0 END AS attempts,
  ${OUTCOME}`;
