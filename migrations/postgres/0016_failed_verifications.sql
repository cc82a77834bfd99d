-- Issues count failed verifications by two cursors, and the rows of `event_types` change in
-- their place.
-- Works beside schema 13.

-- `event_seq`: the number that the request took among events: a cursor over them skips none,
-- whoever commits first. Null where the version before stored it.
ALTER TABLE rejected_requests ADD COLUMN event_seq bigint;
CREATE INDEX rejected_requests_in_order ON rejected_requests (event_seq)
  WHERE event_seq IS NOT NULL;
-- What happened before is no news.
INSERT INTO cursors (name, position)
  SELECT 'failures', coalesce(max(seq), 0) FROM event_contents;

-- A type's row changes with each slice of events that has it. Without an index on `last_at`,
-- and with room in its page, that writes no index. An endpoint has at most 500 types: a
-- list sorts them.
DROP INDEX event_types_by_time;
ALTER TABLE event_types SET (fillfactor = 50);
