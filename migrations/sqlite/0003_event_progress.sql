-- How many deliveries of an event's latest round stand where: its status follows
-- from these. Settling one of 2,000 deliveries would otherwise read all 2,000.
-- Exact while a delivery of the round is open; nothing reads them later, so rows
-- from before this schema that have no open delivery keep zeros.
ALTER TABLE events ADD COLUMN open INTEGER NOT NULL DEFAULT 0;
ALTER TABLE events ADD COLUMN succeeded INTEGER NOT NULL DEFAULT 0;
ALTER TABLE events ADD COLUMN dead INTEGER NOT NULL DEFAULT 0;
ALTER TABLE events ADD COLUMN failed INTEGER NOT NULL DEFAULT 0;

-- States: 0 pending, 1 succeeded, 2 dead, 3 cancelled.
UPDATE events SET (open, succeeded, dead, failed) = (
  SELECT coalesce(sum(v.state = 0), 0), coalesce(sum(v.state = 1), 0),
    coalesce(sum(v.state = 2), 0),
    coalesce(sum(v.state <> 3 AND v.attempts > (v.state = 1)), 0)
  FROM deliveries v WHERE v.event_seq = events.seq AND v.round = events.round)
WHERE (endpoint_key, seq) IN (
  SELECT endpoint_key, event_seq FROM deliveries INDEXED BY deliveries_due WHERE state = 0);
