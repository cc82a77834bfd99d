-- Issues look for events that filters dropped because of a value that an operator can't take, in
-- the order of captures. Few are.
-- Works beside schema 13.

CREATE INDEX CONCURRENTLY filtered_events_uncomparable ON filtered_events (event_seq)
  WHERE uncomparable IS NOT NULL;
