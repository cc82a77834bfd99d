-- Destinations filter events. Captures of an endpoint without filters need no verdict:
-- `filters` counts its present destinations that have one.
ALTER TABLE endpoints ADD COLUMN filters INTEGER NOT NULL DEFAULT 0;
-- Grows with each change of the destination's filter. 0: it never had one.
ALTER TABLE destinations ADD COLUMN rule_version INTEGER NOT NULL DEFAULT 0;
-- The filters that destinations had, the present one included.
CREATE TABLE destination_rules (
  destination_key INTEGER NOT NULL,
  version INTEGER NOT NULL,
  filter TEXT,
  changed_at INTEGER NOT NULL,
  -- The email of the account, or the name of its API token.
  changed_by TEXT,
  PRIMARY KEY (destination_key, version)
) STRICT, WITHOUT ROWID;
-- What filters dropped at capture, one row an event: JSON [[id, destination_key, version], …].
CREATE TABLE filtered_events (
  endpoint_key INTEGER NOT NULL,
  event_seq INTEGER NOT NULL,
  dropped TEXT NOT NULL,
  PRIMARY KEY (endpoint_key, event_seq)
) STRICT, WITHOUT ROWID;
