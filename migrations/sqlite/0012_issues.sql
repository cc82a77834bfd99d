-- What is wrong, who hears of it, and which endpoints expect events.

-- ms; null for an endpoint that may be silent.
ALTER TABLE endpoints ADD COLUMN expect_every_ms INTEGER;
-- Silence counts from here: the setting's last change, later by each time without a server.
ALTER TABLE endpoints ADD COLUMN expected_since INTEGER;
CREATE INDEX endpoints_expecting ON endpoints (key) WHERE expect_every_ms IS NOT NULL;
CREATE INDEX endpoints_verifying ON endpoints (key) WHERE source IS NOT NULL;

-- Captures are in one order, and few of them conflict.
CREATE INDEX events_conflicting ON events (seq) WHERE duplicate_conflict = 1;

-- `kind`, `state`, `told`: core/issues, by their place in shared/issues/issue-codes.ts.
-- `destination_key`: 0 for a kind without a destination. `user_id`: who hears of it.
CREATE TABLE issues (
  key             INTEGER PRIMARY KEY AUTOINCREMENT,
  id              TEXT NOT NULL UNIQUE,
  user_id         TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  kind            INTEGER NOT NULL,
  endpoint_key    INTEGER NOT NULL,
  destination_key INTEGER NOT NULL,
  subject         TEXT NOT NULL,
  state           INTEGER NOT NULL,
  version         INTEGER NOT NULL,
  count           INTEGER NOT NULL,
  first_at        INTEGER NOT NULL,
  last_at         INTEGER NOT NULL,
  event_ids       TEXT NOT NULL,
  course          TEXT NOT NULL,
  successes       INTEGER NOT NULL,
  cause           TEXT,
  suggestion      TEXT,
  told            INTEGER,
  told_at         INTEGER,
  tell_at         INTEGER
) STRICT;
CREATE UNIQUE INDEX issues_by_cause ON issues (endpoint_key, destination_key, kind, subject);
CREATE INDEX issues_by_destination ON issues (destination_key, kind) WHERE destination_key <> 0;
-- 0 is forming: nobody sees it.
CREATE INDEX issues_by_user ON issues (user_id, last_at, key) WHERE state <> 0;
CREATE INDEX issues_open ON issues (kind, key) WHERE state IN (1, 2);
CREATE INDEX issues_closing ON issues (key) WHERE successes > 0 AND state IN (0, 1, 2);
CREATE INDEX issues_to_tell ON issues (tell_at, key) WHERE tell_at IS NOT NULL;
CREATE INDEX issues_told ON issues (user_id, told_at) WHERE told_at IS NOT NULL;
CREATE INDEX issues_resolved ON issues (last_at) WHERE state = 4;

-- Where accounts hear of issues. The endpoint is internal: it belongs to no account's person.
CREATE TABLE channels (
  key             INTEGER PRIMARY KEY AUTOINCREMENT,
  id              TEXT NOT NULL UNIQUE,
  user_id         TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  type            TEXT NOT NULL,
  target          TEXT NOT NULL,
  -- JSON arrays; null for all.
  kinds           TEXT,
  endpoint_ids    TEXT,
  confirmed_at    INTEGER,
  -- SHA-256 of the token in the link.
  confirm_hash    BLOB,
  confirm_sent_at INTEGER,
  endpoint_key    INTEGER NOT NULL,
  destination_key INTEGER NOT NULL,
  created_at      INTEGER NOT NULL
) STRICT;
CREATE INDEX channels_by_user ON channels (user_id, key);
CREATE UNIQUE INDEX channels_by_destination ON channels (destination_key);
CREATE UNIQUE INDEX channels_by_confirmation ON channels (confirm_hash)
  WHERE confirm_hash IS NOT NULL;

-- Messages that aren't captured yet.
CREATE TABLE channel_messages (
  seq          INTEGER PRIMARY KEY AUTOINCREMENT,
  id           TEXT NOT NULL UNIQUE,
  channel_key  INTEGER NOT NULL,
  content_type TEXT NOT NULL,
  body         TEXT NOT NULL,
  created_at   INTEGER NOT NULL
) STRICT;
CREATE INDEX channel_messages_by_channel ON channel_messages (channel_key);

-- How far issues have read what happened. The one named
-- `heartbeat` is a time: when a server of this data was last up, Unix ms.
CREATE TABLE cursors (
  name     TEXT PRIMARY KEY,
  position INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
-- What happened before is no news.
INSERT INTO cursors (name, position)
  SELECT 'attempts', coalesce(max(seq), 0) FROM attempts
  UNION ALL SELECT 'conflicts', coalesce(max(seq), 0) FROM event_contents;
