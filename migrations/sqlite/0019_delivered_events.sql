-- Most events end as delivered, and a list of these finds them in sequence. So the index by status
-- needs the other ones only, and a settle writes less.
DROP INDEX events_by_status;
CREATE INDEX events_by_status ON events (endpoint_key, status, seq) WHERE status <> 1;
