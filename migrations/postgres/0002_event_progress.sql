-- How many deliveries of an event's latest round stand where: its status follows
-- from these. Settling one of 2,000 deliveries would otherwise lock all 2,000.
-- Exact while a delivery of the round is open; nothing reads them later, so rows
-- from before this schema that have no open delivery keep zeros.
ALTER TABLE events ADD COLUMN open integer NOT NULL DEFAULT 0,
  ADD COLUMN succeeded integer NOT NULL DEFAULT 0,
  ADD COLUMN dead integer NOT NULL DEFAULT 0,
  ADD COLUMN failed integer NOT NULL DEFAULT 0;

-- States: 0 pending, 1 succeeded, 2 dead, 3 cancelled.
UPDATE events e SET open = p.open, succeeded = p.succeeded, dead = p.dead, failed = p.failed
FROM (
  SELECT v.endpoint_key, v.event_seq, v.round,
    count(*) FILTER (WHERE v.state = 0) AS open,
    count(*) FILTER (WHERE v.state = 1) AS succeeded,
    count(*) FILTER (WHERE v.state = 2) AS dead,
    count(*) FILTER (WHERE v.state <> 3 AND v.attempts > (v.state = 1)::integer) AS failed
  FROM deliveries v
  WHERE v.event_seq IN (SELECT event_seq FROM deliveries WHERE state = 0)
  GROUP BY v.endpoint_key, v.event_seq, v.round) p
WHERE e.endpoint_key = p.endpoint_key AND e.seq = p.event_seq AND e.round = p.round;
