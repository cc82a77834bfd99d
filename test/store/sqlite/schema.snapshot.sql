-- Schema 20

CREATE TABLE api_token_endpoints (
  token_id     TEXT NOT NULL REFERENCES api_tokens (id) ON DELETE CASCADE,
  endpoint_key INTEGER NOT NULL REFERENCES endpoints (key) ON DELETE CASCADE,
  PRIMARY KEY (token_id, endpoint_key)
) STRICT, WITHOUT ROWID;

CREATE TABLE api_tokens (
  id           TEXT PRIMARY KEY,
  user_id      TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  name         TEXT NOT NULL,
  hash         BLOB NOT NULL UNIQUE,
  created_at   INTEGER NOT NULL,
  last_used_at INTEGER
, scopes TEXT NOT NULL DEFAULT 'read write', expires_at INTEGER, is_limited INTEGER NOT NULL DEFAULT 0) STRICT, WITHOUT ROWID;

CREATE TABLE attempts (
  seq                INTEGER PRIMARY KEY AUTOINCREMENT,
  id                 TEXT NOT NULL,
  event_seq          INTEGER NOT NULL,
  endpoint_key       INTEGER NOT NULL,
  destination_key    INTEGER NOT NULL,
  delivery_id        TEXT NOT NULL,
  trigger            INTEGER NOT NULL,
  number             INTEGER NOT NULL,
  response_code      INTEGER,
  response_truncated INTEGER NOT NULL,
  duration_ms        INTEGER NOT NULL,
  error_code         TEXT,
  error_message      TEXT,
  attempted_at       INTEGER NOT NULL,
  next_attempt_at    INTEGER,
  response_body      TEXT
, response_headers TEXT, destination_url TEXT, probe INTEGER NOT NULL DEFAULT 0, request_headers TEXT, rule_version INTEGER, health INTEGER, round INTEGER, attempts INTEGER, probes INTEGER) STRICT;

CREATE TABLE audit_entries (
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  number  INTEGER NOT NULL,
  id      TEXT NOT NULL,
  at      INTEGER NOT NULL,
  action  TEXT NOT NULL,
  actor   TEXT NOT NULL,
  target  TEXT NOT NULL,
  changes TEXT,
  PRIMARY KEY (user_id, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE channel_messages (
  seq          INTEGER PRIMARY KEY AUTOINCREMENT,
  id           TEXT NOT NULL UNIQUE,
  channel_key  INTEGER NOT NULL,
  content_type TEXT NOT NULL,
  body         TEXT NOT NULL,
  created_at   INTEGER NOT NULL
) STRICT;

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

CREATE TABLE cursors (
  name     TEXT PRIMARY KEY,
  position INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE "deliveries" (
  endpoint_key    INTEGER NOT NULL,
  event_seq       INTEGER NOT NULL,
  round           INTEGER NOT NULL,
  destination_key INTEGER NOT NULL,
  id              TEXT NOT NULL,
  trigger         INTEGER NOT NULL,
  state           INTEGER NOT NULL,
  attempts        INTEGER NOT NULL,
  probes          INTEGER NOT NULL,
  -- Why a delivery died without an attempt.
  error_code      TEXT, order_key TEXT, job_key INTEGER,
  PRIMARY KEY (endpoint_key, event_seq, round, destination_key)
) STRICT, WITHOUT ROWID;

CREATE TABLE destination_rules (
  destination_key INTEGER NOT NULL,
  version INTEGER NOT NULL,
  filter TEXT,
  changed_at INTEGER NOT NULL,
  -- The email of the account, or the name of its API token.
  changed_by TEXT,
  PRIMARY KEY (destination_key, version)
) STRICT, WITHOUT ROWID;

CREATE TABLE destinations (
  key           INTEGER PRIMARY KEY AUTOINCREMENT,
  id            TEXT NOT NULL UNIQUE,
  endpoint_key  INTEGER NOT NULL REFERENCES endpoints (key),
  url           TEXT NOT NULL,
  sealed_secret BLOB,
  created_at    INTEGER NOT NULL,
  removed_at    INTEGER,
  timed_out     INTEGER
, settings TEXT NOT NULL DEFAULT '{}', version INTEGER NOT NULL DEFAULT 1, rule_version INTEGER NOT NULL DEFAULT 0, flow TEXT, sealed_headers BLOB, sealed_previous_secret BLOB, previous_secret_until INTEGER, one_off INTEGER NOT NULL DEFAULT 0, sealed_url BLOB) STRICT;

CREATE TABLE endpoints (
  key          INTEGER PRIMARY KEY AUTOINCREMENT,
  id           TEXT NOT NULL UNIQUE,
  user_id      TEXT NOT NULL REFERENCES users (id),
  public_token TEXT UNIQUE,
  created_at   INTEGER NOT NULL,
  deleted_at   INTEGER
, settings_version INTEGER NOT NULL DEFAULT 1, filters INTEGER NOT NULL DEFAULT 0, source TEXT, sealed_source_secrets BLOB, expected_since INTEGER, settings TEXT NOT NULL DEFAULT '{}', retention_ms INTEGER AS (settings ->> '$.retention') VIRTUAL, expect_every_ms INTEGER AS (settings ->> '$.expect_every') VIRTUAL) STRICT;

CREATE TABLE event_contents (
  seq          INTEGER PRIMARY KEY AUTOINCREMENT,
  endpoint_key INTEGER NOT NULL,
  query        TEXT NOT NULL,
  headers      TEXT NOT NULL,
  body         BLOB NOT NULL
, uncompressed_size INTEGER) STRICT;

CREATE TABLE event_counts (
  endpoint_key INTEGER NOT NULL,
  status       INTEGER NOT NULL,
  count        INTEGER NOT NULL,
  PRIMARY KEY (endpoint_key, status)
) STRICT, WITHOUT ROWID;

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

CREATE TABLE events (
  endpoint_key INTEGER NOT NULL,
  seq          INTEGER NOT NULL,
  id           TEXT NOT NULL,
  status       INTEGER NOT NULL,
  round        INTEGER NOT NULL,
  method       TEXT NOT NULL,
  path         TEXT NOT NULL,
  content_type TEXT,
  size         INTEGER NOT NULL,
  provider     TEXT,
  event_type   TEXT,
  source_ip    TEXT NOT NULL,
  received_at  INTEGER NOT NULL, open INTEGER NOT NULL DEFAULT 0, succeeded INTEGER NOT NULL DEFAULT 0, dead INTEGER NOT NULL DEFAULT 0, failed INTEGER NOT NULL DEFAULT 0, counted_from INTEGER, edited_from TEXT, verification INTEGER, proof TEXT, duplicate_of TEXT, duplicate_conflict INTEGER, unjudged INTEGER,
  PRIMARY KEY (endpoint_key, seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE filtered_events (
  endpoint_key INTEGER NOT NULL,
  event_seq INTEGER NOT NULL,
  dropped TEXT NOT NULL, uncomparable TEXT,
  PRIMARY KEY (endpoint_key, event_seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE first_events (
  endpoint_key INTEGER NOT NULL,
  once_key     TEXT NOT NULL,
  event_seq    INTEGER NOT NULL,
  event_id     TEXT NOT NULL,
  body         TEXT NOT NULL,
  PRIMARY KEY (endpoint_key, once_key)
) STRICT, WITHOUT ROWID;

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

CREATE TABLE meta (
  name  TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE open_deliveries (
  destination_key INTEGER NOT NULL,
  event_seq       INTEGER NOT NULL,
  round           INTEGER NOT NULL,
  endpoint_key    INTEGER NOT NULL,
  id              TEXT NOT NULL,
  trigger         INTEGER NOT NULL,
  attempts        INTEGER NOT NULL,
  -- Failed probes of an open breaker. They are on record, and don't count as attempts.
  probes          INTEGER NOT NULL,
  next_attempt_at INTEGER NOT NULL, order_key TEXT, turn INTEGER, behind INTEGER NOT NULL DEFAULT 0, job_key INTEGER, unjudged INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (destination_key, event_seq, round)
) STRICT, WITHOUT ROWID;

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

CREATE TABLE replay_counts (
  job_key INTEGER NOT NULL,
  state   INTEGER NOT NULL,
  count   INTEGER NOT NULL,
  PRIMARY KEY (job_key, state)
) STRICT, WITHOUT ROWID;

CREATE TABLE "replay_jobs" (
  key          INTEGER PRIMARY KEY AUTOINCREMENT,
  id           TEXT NOT NULL UNIQUE,
  user_id      TEXT NOT NULL,
  endpoint_key INTEGER NOT NULL,
  filter       TEXT NOT NULL,
  -- Ids of the only destinations, a JSON array; null for all.
  destinations TEXT,
  -- 0 queues events, 1 has queued all of them, 2 is being cancelled, 3 is cancelled.
  state        INTEGER NOT NULL,
  -- Events after the one and up to the other, from the oldest up.
  after_seq    INTEGER NOT NULL,
  upper_seq    INTEGER NOT NULL,
  -- Events that matched when it started.
  matching     INTEGER NOT NULL,
  created_at   INTEGER NOT NULL,
  turn         INTEGER NOT NULL
) STRICT;

CREATE TABLE search_tombstones (
  seq INTEGER PRIMARY KEY
) STRICT;

CREATE TABLE sessions (
  id           TEXT PRIMARY KEY,
  user_id      TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  generation   INTEGER NOT NULL,
  created_at   INTEGER NOT NULL,
  last_used_at INTEGER NOT NULL,
  address      TEXT,
  user_agent   TEXT
) STRICT, WITHOUT ROWID;

CREATE TABLE sqlite_sequence(name,seq);

CREATE TABLE users (
  id            TEXT PRIMARY KEY,
  email         TEXT NOT NULL UNIQUE,
  password_hash TEXT NOT NULL,
  plan          TEXT NOT NULL CHECK (plan IN ('free', 'starter', 'pro')),
  created_at    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX api_token_endpoints_by_endpoint ON api_token_endpoints (endpoint_key);

CREATE INDEX api_tokens_by_user ON api_tokens (user_id);

CREATE INDEX attempts_by_event ON attempts (endpoint_key, event_seq, round, destination_key);

CREATE UNIQUE INDEX attempts_of_replays ON attempts (delivery_id)
  WHERE trigger = 1 AND round IS NOT NULL;

CREATE INDEX channel_messages_by_channel ON channel_messages (channel_key);

CREATE UNIQUE INDEX channels_by_confirmation ON channels (confirm_hash)
  WHERE confirm_hash IS NOT NULL;

CREATE UNIQUE INDEX channels_by_destination ON channels (destination_key);

CREATE INDEX channels_by_user ON channels (user_id, key);

CREATE UNIQUE INDEX deliveries_of_replays ON deliveries (id) WHERE trigger = 1;

CREATE INDEX destinations_by_endpoint ON destinations (endpoint_key);

CREATE INDEX destinations_held ON destinations (key) WHERE flow IS NOT NULL;

CREATE INDEX destinations_one_off ON destinations (endpoint_key, url) WHERE one_off = 1;

CREATE INDEX destinations_present ON destinations (endpoint_key) WHERE removed_at IS NULL;

CREATE INDEX endpoints_by_user ON endpoints (user_id, key) WHERE deleted_at IS NULL;

CREATE INDEX endpoints_deleted ON endpoints (key) WHERE deleted_at IS NOT NULL;

CREATE INDEX endpoints_expecting ON endpoints (key) WHERE expect_every_ms IS NOT NULL;

CREATE INDEX endpoints_verifying ON endpoints (key) WHERE source IS NOT NULL;

CREATE UNIQUE INDEX event_types_by_name ON event_types (endpoint_key, type);

CREATE INDEX event_types_by_time ON event_types (endpoint_key, last_at, key);

CREATE UNIQUE INDEX events_by_id ON events (id);

CREATE INDEX events_by_status ON events (endpoint_key, status, seq) WHERE status <> 1;

CREATE INDEX events_by_time ON events (endpoint_key, received_at, seq);

CREATE INDEX events_by_verification ON events (endpoint_key, verification, seq)
  WHERE verification IS NOT NULL;

CREATE INDEX events_conflicting ON events (seq) WHERE duplicate_conflict = 1;

CREATE INDEX events_duplicate ON events (endpoint_key, seq) WHERE duplicate_of IS NOT NULL;

CREATE INDEX events_unjudged ON events (seq) WHERE unjudged IS NOT NULL;

CREATE INDEX filtered_events_uncomparable ON filtered_events (event_seq)
  WHERE uncomparable IS NOT NULL;

CREATE UNIQUE INDEX first_events_by_event ON first_events (endpoint_key, event_seq);

CREATE UNIQUE INDEX issues_by_cause ON issues (endpoint_key, destination_key, kind, subject);

CREATE INDEX issues_by_destination ON issues (destination_key, kind) WHERE destination_key <> 0;

CREATE INDEX issues_by_user ON issues (user_id, last_at, key) WHERE state <> 0;

CREATE INDEX issues_closing ON issues (key) WHERE successes > 0 AND state IN (0, 1, 2);

CREATE INDEX issues_open ON issues (kind, key) WHERE state IN (1, 2);

CREATE INDEX issues_resolved ON issues (last_at) WHERE state = 4;

CREATE INDEX issues_to_tell ON issues (tell_at, key) WHERE tell_at IS NOT NULL;

CREATE INDEX issues_told ON issues (user_id, told_at) WHERE told_at IS NOT NULL;

CREATE INDEX open_deliveries_due ON open_deliveries (destination_key, behind, next_attempt_at);

CREATE INDEX open_deliveries_of_jobs ON open_deliveries (job_key) WHERE job_key IS NOT NULL;

CREATE UNIQUE INDEX open_deliveries_of_replays ON open_deliveries (id) WHERE trigger = 1;

CREATE UNIQUE INDEX open_deliveries_ordered ON open_deliveries (destination_key, order_key, turn)
  WHERE order_key IS NOT NULL;

CREATE INDEX rejected_requests_by_endpoint ON rejected_requests
  (endpoint_key, received_at, seq, size);

CREATE INDEX replay_jobs_by_endpoint ON replay_jobs (endpoint_key, key);

CREATE INDEX replay_jobs_by_turn ON replay_jobs (turn, key) WHERE state = 0;

CREATE INDEX replay_jobs_by_user ON replay_jobs (user_id, turn) WHERE state = 0;

CREATE INDEX sessions_by_user ON sessions (user_id);
