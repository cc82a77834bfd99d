-- The types of events that endpoints received, and the shapes of their payloads.

-- `shape`: at most 64 KiB (core/shapes); null where no payload was JSON.
CREATE TABLE event_types (
  key          INTEGER PRIMARY KEY AUTOINCREMENT,
  endpoint_key INTEGER NOT NULL,
  type         TEXT NOT NULL,
  provider     TEXT,
  version      INTEGER NOT NULL,
  count        INTEGER NOT NULL,
  first_at     INTEGER NOT NULL,
  last_at      INTEGER NOT NULL,
  shape        BLOB
) STRICT;
CREATE UNIQUE INDEX event_types_by_name ON event_types (endpoint_key, type);
CREATE INDEX event_types_by_time ON event_types (endpoint_key, last_at, key);

-- All events of before are learned from, too.
INSERT INTO cursors (name, position) VALUES ('types', 0);
