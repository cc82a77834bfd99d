-- One delivery at a time for each order key of a destination; replays to some
-- destinations or to a URL; jobs of bulk replays with their progress; copies, deletion
-- and retention of events.
SET LOCAL statement_timeout = 0;

-- `order_key`: the value by which the destination orders the delivery; null without one.
-- `turn`: its place among those with the same order key, a number of `order_turns`.
-- `behind`: whether an earlier one of them is open. `job_key`: the bulk replay that made the delivery; null for any other.
ALTER TABLE open_deliveries ADD COLUMN order_key text COLLATE "C",
  ADD COLUMN turn bigint,
  ADD COLUMN behind boolean NOT NULL DEFAULT false,
  ADD COLUMN job_key bigint;
ALTER TABLE deliveries ADD COLUMN order_key text COLLATE "C",
  ADD COLUMN job_key bigint;
-- Turns never come back: rows that have ended stay in the index for as long as a snapshot
-- keeps them, and a search must not step over them.
CREATE SEQUENCE order_turns CACHE 1;
DROP INDEX open_deliveries_due;
CREATE INDEX open_deliveries_due ON open_deliveries (destination_key, next_attempt_at)
  WHERE NOT behind;
CREATE UNIQUE INDEX open_deliveries_ordered ON open_deliveries (destination_key, order_key, turn)
  WHERE order_key IS NOT NULL;
CREATE INDEX open_deliveries_of_jobs ON open_deliveries (job_key) WHERE job_key IS NOT NULL;

-- A row that stands for a one-off URL. It is removed from the start.
ALTER TABLE destinations ADD COLUMN one_off boolean NOT NULL DEFAULT false;

-- `counted_from`: the first round whose deliveries count for the status, where replays to
-- some destinations came after it; null where only the latest round counts. `edited_from`:
-- id of the event that this one is an edited copy of.
ALTER TABLE events ADD COLUMN counted_from integer,
  ADD COLUMN edited_from text COLLATE "C";
-- How long events are kept; null for as long as the server keeps events.
ALTER TABLE endpoints ADD COLUMN retention_ms bigint;

-- Jobs stay after their end. `destinations`: ids of the only ones, a JSON array; null for
-- all. `state`: 0 queues events, 1 has queued all of them, 2 is cancelled. Events after
-- `after_seq` and up to `upper_seq`, from the oldest up. `matching`: events that matched
-- when it started.
ALTER TABLE replay_jobs ADD COLUMN key bigint GENERATED ALWAYS AS IDENTITY,
  ADD COLUMN destinations text COLLATE "C",
  ADD COLUMN state smallint NOT NULL DEFAULT 0,
  ADD COLUMN after_seq bigint NOT NULL DEFAULT 0,
  ADD COLUMN matching bigint NOT NULL DEFAULT 0;
ALTER TABLE replay_jobs ALTER COLUMN state DROP DEFAULT,
  ALTER COLUMN after_seq DROP DEFAULT, ALTER COLUMN matching DROP DEFAULT;
ALTER TABLE replay_jobs DROP CONSTRAINT replay_jobs_pkey;
ALTER TABLE replay_jobs ADD PRIMARY KEY (key);
CREATE UNIQUE INDEX replay_jobs_by_id ON replay_jobs (id);
DROP INDEX replay_jobs_by_turn;
DROP INDEX replay_jobs_by_user;
CREATE INDEX replay_jobs_by_turn ON replay_jobs (turn, key) WHERE state = 0;
CREATE INDEX replay_jobs_by_user ON replay_jobs (user_id, turn) WHERE state = 0;
CREATE INDEX replay_jobs_by_endpoint ON replay_jobs (endpoint_key, key);

-- Deliveries of jobs by their state, counted in the transactions that change it. A count
-- is spread over slots, as in `event_counts`.
CREATE TABLE replay_counts (
  job_key bigint NOT NULL,
  state   smallint NOT NULL,
  slot    smallint NOT NULL,
  count   bigint NOT NULL,
  PRIMARY KEY (job_key, state, slot)
) WITH (fillfactor = 50, autovacuum_vacuum_threshold = 100, autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_cost_delay = 0);
