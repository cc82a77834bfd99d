-- Events whose bodies couldn't be judged, and deliveries that wait for a person because of
-- it. A program of the version before goes on under this schema: what it doesn't write has
-- a default, and `behind` keeps what waits out of its queue too.

-- Whether deliveries of events that couldn't be judged wait for a person.
ALTER TABLE endpoints ADD COLUMN hold_unjudged INTEGER NOT NULL DEFAULT 0;
-- Why it couldn't be judged: its place in core/judging/unjudged.ts. Null for any other event.
ALTER TABLE events ADD COLUMN unjudged INTEGER;
-- Captures are in one order, and few of them are unjudged.
CREATE INDEX events_unjudged ON events (seq) WHERE unjudged IS NOT NULL;
-- Whether it waits for a person. `behind` is 1 then.
ALTER TABLE open_deliveries ADD COLUMN unjudged INTEGER NOT NULL DEFAULT 0;
