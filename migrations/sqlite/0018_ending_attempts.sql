-- A delivery that succeeds is in the attempt that ends it: its row in `deliveries` would take as much
-- of the log as the attempt. `deliveries` has those that end in another way, and those that ended
-- under an earlier schema.

-- An index of all attempts costs as much of the log as half of an attempt. The one below has numbers
-- only. Ids need none: attempts stand in the order in which they ended, and an id begins with a time.
DROP INDEX attempts_by_id;
DROP INDEX attempts_by_event;

-- The round of the delivery that the attempt ended with success; null for any other attempt.
ALTER TABLE attempts ADD COLUMN round INTEGER;
-- The counts of that delivery.
ALTER TABLE attempts ADD COLUMN attempts INTEGER;
ALTER TABLE attempts ADD COLUMN probes INTEGER;

CREATE INDEX attempts_by_event ON attempts (endpoint_key, event_seq, round, destination_key);
CREATE UNIQUE INDEX attempts_of_replays ON attempts (delivery_id)
  WHERE trigger = 1 AND round IS NOT NULL;
