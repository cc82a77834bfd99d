-- Events whose bodies couldn't be judged, and deliveries that wait for a person because of
-- it. A node of the version before goes on under this schema: what it doesn't write has a
-- default, and `behind` keeps what waits out of its queue too.
-- Works beside schema 13.

-- Whether deliveries of events that couldn't be judged wait for a person.
ALTER TABLE endpoints ADD COLUMN hold_unjudged boolean NOT NULL DEFAULT false;
-- Why it couldn't be judged: its place in core/judging/unjudged.ts. Null for any other event.
ALTER TABLE events ADD COLUMN unjudged smallint;
-- Whether it waits for a person. `behind` is true then.
ALTER TABLE open_deliveries ADD COLUMN unjudged boolean NOT NULL DEFAULT false;
