-- One delivery at a time for each order key of a destination; replays to some
-- destinations or to a URL; jobs of bulk replays with their progress; copies, deletion
-- and retention of events.

-- A delivery of a capture (trigger 0) is found by the time in its id: it is that of its
-- event. One more index that holds every delivery would slow each capture down.
DROP INDEX open_deliveries_by_id;
DROP INDEX deliveries_by_id;
CREATE UNIQUE INDEX open_deliveries_of_replays ON open_deliveries (id) WHERE trigger = 1;
CREATE UNIQUE INDEX deliveries_of_replays ON deliveries (id) WHERE trigger = 1;

-- The value by which the destination orders the delivery; null without one.
ALTER TABLE open_deliveries ADD COLUMN order_key TEXT;
-- Its place among those with the same order key.
ALTER TABLE open_deliveries ADD COLUMN turn INTEGER;
-- Whether an earlier delivery of the same order key is open.
ALTER TABLE open_deliveries ADD COLUMN behind INTEGER NOT NULL DEFAULT 0;
-- The bulk replay that made the delivery; null for any other.
ALTER TABLE open_deliveries ADD COLUMN job_key INTEGER;
ALTER TABLE deliveries ADD COLUMN order_key TEXT;
ALTER TABLE deliveries ADD COLUMN job_key INTEGER;
DROP INDEX open_deliveries_due;
CREATE INDEX open_deliveries_due ON open_deliveries (destination_key, behind, next_attempt_at);
CREATE UNIQUE INDEX open_deliveries_ordered ON open_deliveries (destination_key, order_key, turn)
  WHERE order_key IS NOT NULL;
CREATE INDEX open_deliveries_of_jobs ON open_deliveries (job_key) WHERE job_key IS NOT NULL;

-- A row that stands for a one-off URL. It is removed from the start.
ALTER TABLE destinations ADD COLUMN one_off INTEGER NOT NULL DEFAULT 0;
CREATE INDEX destinations_one_off ON destinations (endpoint_key, url) WHERE one_off = 1;
-- Captures and replays read only these, however many removed ones there are.
CREATE INDEX destinations_present ON destinations (endpoint_key) WHERE removed_at IS NULL;

-- The first round whose deliveries count for the status, where replays to some
-- destinations came after it; null where only the latest round counts.
ALTER TABLE events ADD COLUMN counted_from INTEGER;
-- Id of the event that this one is an edited copy of.
ALTER TABLE events ADD COLUMN edited_from TEXT;
-- How long events are kept; null for as long as the server keeps events.
ALTER TABLE endpoints ADD COLUMN retention_ms INTEGER;

CREATE TABLE replay_jobs_with_progress (
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
INSERT INTO replay_jobs_with_progress (id, user_id, endpoint_key, filter, state, after_seq,
  upper_seq, matching, created_at, turn)
SELECT id, user_id, endpoint_key, filter, 0, 0, upper_seq, 0, created_at, turn
FROM replay_jobs ORDER BY id;
DROP TABLE replay_jobs;
ALTER TABLE replay_jobs_with_progress RENAME TO replay_jobs;
CREATE INDEX replay_jobs_by_turn ON replay_jobs (turn, key) WHERE state = 0;
CREATE INDEX replay_jobs_by_user ON replay_jobs (user_id, turn) WHERE state = 0;
CREATE INDEX replay_jobs_by_endpoint ON replay_jobs (endpoint_key, key);

-- Deliveries of jobs by their state, counted in the transactions that change it.
CREATE TABLE replay_counts (
  job_key INTEGER NOT NULL,
  state   INTEGER NOT NULL,
  count   INTEGER NOT NULL,
  PRIMARY KEY (job_key, state)
) STRICT, WITHOUT ROWID;
