-- Accounts take turns with their replays of many events: `turn` counts slices, and
-- is the same for all jobs of an account. The job with the smallest is next.
ALTER TABLE replay_jobs ADD COLUMN user_id text COLLATE "C",
  ADD COLUMN turn bigint NOT NULL DEFAULT 0;
UPDATE replay_jobs j SET user_id = p.user_id FROM endpoints p WHERE p.key = j.endpoint_key;
ALTER TABLE replay_jobs ALTER COLUMN user_id SET NOT NULL, ALTER COLUMN turn DROP DEFAULT;
CREATE INDEX replay_jobs_by_turn ON replay_jobs (turn, id);
CREATE INDEX replay_jobs_by_user ON replay_jobs (user_id, turn);
