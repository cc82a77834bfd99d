import { SHOWN_DESTINATION_ID } from '../../shared/destinations/claimed-destination.ts';
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

/** See `HoldReason`. The order is that of `waitsFor` (`core/flow/waits-for.ts`). */
const HOLD_REASON = `CASE
  WHEN coalesce(d.settings::json ->> 'state', 'active') <> 'active' THEN 'paused'
  WHEN o.unjudged THEN 'unjudged'
  WHEN d.flow::json ->> 'breaker' IS NOT NULL THEN 'breaker'
  WHEN o.behind THEN 'order' END`;

/** Columns of `events e` for a `SummaryRow`. */
export const SUMMARY_COLUMNS = `${STORED_SUMMARY},
  (SELECT json_agg(json_build_array(v.destination_key, v.round, v.state, v.attempts))
    FROM deliveries v
    WHERE v.endpoint_key = e.endpoint_key AND v.event_seq = e.seq
      AND v.round >= coalesce(e.counted_from, e.round)) AS settled,
  CASE WHEN e.open > 0 OR e.counted_from IS NOT NULL THEN
    (SELECT json_agg(json_build_array(o.destination_key, o.round, o.attempts, ${HOLD_REASON},
        ${SHOWN_DESTINATION_ID}, coalesce(d.settings::json ->> 'name', d.url))
        ORDER BY o.destination_key)
      FROM (SELECT * FROM ${OPEN_OF_EVENT}) o JOIN destinations d ON d.key = o.destination_key
      WHERE o.round >= coalesce(e.counted_from, e.round)) END AS open,
  ${OUTCOME}`;
