-- Issues look for events that couldn't be judged, in the order of captures. Few are.
-- Works beside schema 13.

CREATE INDEX CONCURRENTLY events_unjudged ON events (seq) WHERE unjudged IS NOT NULL;
