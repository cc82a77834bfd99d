import { STORED_SUMMARY } from '../../shared/events/summary-rows.ts';

/** `min` finds the earliest answer. The last three digits of its number are the response code. */
const OUTCOME = `
  (SELECT json_array(
      max(CASE a.probe WHEN 0 THEN a.number ELSE 0 END),
      min(CASE WHEN a.response_code BETWEEN 200 AND 299 THEN a.attempted_at + a.duration_ms END),
      min(a.attempted_at * 1000 + a.response_code) % 1000)
    FROM attempts a WHERE a.endpoint_key = e.endpoint_key AND a.event_seq = e.seq) AS outcome`;

/** Sums the attempts of settled deliveries. Both tables have the same columns for it. */
const attemptsIn = (table: string) => `
  (SELECT coalesce(sum(v.attempts), 0) FROM ${table} v
    WHERE v.endpoint_key = e.endpoint_key AND v.event_seq = e.seq
      AND v.round >= coalesce(e.counted_from, e.round))`;

/** Columns of `events e` that make a `SummaryRow`. */
export const SUMMARY_COLUMNS = `${STORED_SUMMARY},
  ${['deliveries', 'attempts'].map(attemptsIn).join(' + ')}
  + CASE WHEN e.open = 0 AND e.counted_from IS NULL THEN 0 ELSE
    (SELECT coalesce(sum(o.attempts), 0)
      FROM destinations d CROSS JOIN open_deliveries o
        ON o.destination_key = d.key AND o.event_seq = e.seq
          AND o.round >= coalesce(e.counted_from, e.round)
      WHERE d.endpoint_key = e.endpoint_key) END AS attempts,
  ${OUTCOME}`;
