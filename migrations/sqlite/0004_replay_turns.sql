-- Accounts take turns with their replays of many events: `turn` counts slices, and
-- is the same for all jobs of an account. The job with the smallest is next.
CREATE TABLE replay_jobs_with_turns (
  id           TEXT PRIMARY KEY,
  user_id      TEXT NOT NULL,
  endpoint_key INTEGER NOT NULL,
  filter       TEXT NOT NULL,
  -- Events up to this one, from the newest down; the next to look at.
  upper_seq    INTEGER NOT NULL,
  created_at   INTEGER NOT NULL,
  turn         INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO replay_jobs_with_turns
  SELECT j.id, p.user_id, j.endpoint_key, j.filter, j.upper_seq, j.created_at, 0
  FROM replay_jobs j JOIN endpoints p ON p.key = j.endpoint_key;
DROP TABLE replay_jobs;
ALTER TABLE replay_jobs_with_turns RENAME TO replay_jobs;
CREATE INDEX replay_jobs_by_turn ON replay_jobs (turn, id);
CREATE INDEX replay_jobs_by_user ON replay_jobs (user_id, turn);
