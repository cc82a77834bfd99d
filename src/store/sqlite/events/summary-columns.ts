import { SHOWN_DESTINATION_ID } from '../../shared/destinations/claimed-destination.ts';
import { STORED_SUMMARY } from '../../shared/events/summary-rows.ts';
import { ofSettled } from '../deliveries/settled-deliveries.ts';

/** `min` finds the earliest answer. The last three digits of its number are the response code. */
const OUTCOME = `
  (SELECT json_array(
      max(CASE a.probe WHEN 0 THEN a.number ELSE 0 END),
      min(CASE WHEN a.response_code BETWEEN 200 AND 299 THEN a.attempted_at + a.duration_ms END),
      min(a.attempted_at * 1000 + a.response_code) % 1000)
    FROM attempts a WHERE a.endpoint_key = e.endpoint_key AND a.event_seq = e.seq) AS outcome`;

/** See `HoldReason`. The order is that of `waitsFor` (`core/flow/waits-for.ts`). */
const HOLD_REASON = `CASE
  WHEN coalesce(d.settings ->> 'state', 'active') <> 'active' THEN 'paused'
  WHEN o.unjudged THEN 'unjudged'
  WHEN d.flow ->> 'breaker' NOTNULL THEN 'breaker'
  WHEN o.behind THEN 'order' END`;

const SETTLED = ofSettled(
  (table) => `
    SELECT v.destination_key, v.round, v.state, v.attempts FROM ${table} v
    WHERE v.endpoint_key = e.endpoint_key AND v.event_seq = e.seq
      AND v.round >= coalesce(e.counted_from, e.round)`,
);

/** Columns of `events e` that make a `SummaryRow`. */
export const SUMMARY_COLUMNS = `${STORED_SUMMARY},
  (SELECT json_group_array(json_array(destination_key, round, state, attempts))
    FROM (${SETTLED})) AS settled,
  CASE WHEN e.open > 0 OR e.counted_from NOTNULL THEN
    (SELECT json_group_array(json_array(o.destination_key, o.round, o.attempts, ${HOLD_REASON},
        ${SHOWN_DESTINATION_ID}, coalesce(d.settings ->> 'name', d.url)))
      FROM destinations d CROSS JOIN open_deliveries o
        ON o.destination_key = d.key AND o.event_seq = e.seq
          AND o.round >= coalesce(e.counted_from, e.round)
      WHERE d.endpoint_key = e.endpoint_key) END AS open,
  ${OUTCOME}`;
