/**
 * The open deliveries of an event `e`, of any round, for a lateral subquery. Its
 * endpoint's destinations lead to them, removed ones too: one step in the primary key for
 * each. An index by event would cost every delivery more.
 */
export const OPEN_OF_EVENT = `(
  SELECT w.* FROM destinations t
  CROSS JOIN LATERAL (
    SELECT * FROM open_deliveries
    WHERE destination_key = t.key AND event_seq = e.seq OFFSET 0) w
  WHERE t.endpoint_key = e.endpoint_key) open_of_event`;
