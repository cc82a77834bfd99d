-- Events whose bodies couldn't be judged. A node of the version before goes on under this
-- schema: what it doesn't write is null.
-- Works beside schema 13.

-- Why it couldn't be judged: its place in core/judging/unjudged.ts. Null for any other event.
ALTER TABLE events ADD COLUMN unjudged smallint;
