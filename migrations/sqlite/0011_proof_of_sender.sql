-- Who sends to an endpoint and how a request proves it; each delivery of a sender once.

-- What the source says of the request: 0 unverified, 1 verified, 2 authenticated, 3 failed;
-- null for a request that was not checked, for no reason.
ALTER TABLE events ADD COLUMN verification INTEGER;
-- `[provider, secret, reason]` of the verification, a JSON array; null where it is.
ALTER TABLE events ADD COLUMN proof TEXT;
-- Id of the first event with the same key; null for a first one, and for one without a key.
ALTER TABLE events ADD COLUMN duplicate_of TEXT;
-- Whether the body of a duplicate differs from that of the first; null for any other event.
ALTER TABLE events ADD COLUMN duplicate_conflict INTEGER;
CREATE INDEX events_by_verification ON events (endpoint_key, verification, seq)
  WHERE verification IS NOT NULL;
CREATE INDEX events_duplicate ON events (endpoint_key, seq) WHERE duplicate_of IS NOT NULL;

-- JSON, without its secrets; null for an endpoint that doesn't verify its senders.
ALTER TABLE endpoints ADD COLUMN source TEXT;
-- The secrets of the source, sealed.
ALTER TABLE endpoints ADD COLUMN sealed_source_secrets BLOB;
-- JSON; null for an endpoint that delivers repeated requests too.
ALTER TABLE endpoints ADD COLUMN dedupe TEXT;

-- The first event of each key, until the event is deleted. `body`: a hash of it.
CREATE TABLE first_events (
  endpoint_key INTEGER NOT NULL,
  once_key     TEXT NOT NULL,
  event_seq    INTEGER NOT NULL,
  event_id     TEXT NOT NULL,
  body         TEXT NOT NULL,
  PRIMARY KEY (endpoint_key, once_key)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX first_events_by_event ON first_events (endpoint_key, event_seq);

-- Requests that enforced sources refused. They are no events. `size`: bytes of path, query,
-- headers and body, which the limits count.
CREATE TABLE rejected_requests (
  seq          INTEGER PRIMARY KEY AUTOINCREMENT,
  id           TEXT NOT NULL UNIQUE,
  endpoint_key INTEGER NOT NULL,
  method       TEXT NOT NULL,
  path         TEXT NOT NULL,
  query        TEXT NOT NULL,
  headers      TEXT NOT NULL,
  content_type TEXT,
  provider     TEXT,
  event_type   TEXT,
  source_ip    TEXT NOT NULL,
  received_at  INTEGER NOT NULL,
  proof        TEXT NOT NULL,
  size         INTEGER NOT NULL,
  body         BLOB NOT NULL
) STRICT;
CREATE INDEX rejected_requests_by_endpoint ON rejected_requests
  (endpoint_key, received_at, seq, size);
