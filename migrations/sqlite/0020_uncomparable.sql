-- Events that a filter dropped because an operator can't take a value, such as a text that is no
-- number in a comparison with a number. Issues read them in the order of captures. Few are.

-- The keys of the destinations whose filters did, as JSON. Null for any other event.
ALTER TABLE filtered_events ADD COLUMN uncomparable TEXT;
CREATE INDEX filtered_events_uncomparable ON filtered_events (event_seq)
  WHERE uncomparable IS NOT NULL;
