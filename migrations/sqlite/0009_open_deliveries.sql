-- What waits costs nothing: open deliveries have a table of their own, and move to
-- `deliveries`, the history, when they settle.
--
-- States in `deliveries`: 1 succeeded, 2 dead, 3 cancelled.
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
  next_attempt_at INTEGER NOT NULL,
  PRIMARY KEY (destination_key, event_seq, round)
) STRICT, WITHOUT ROWID;
INSERT INTO open_deliveries (destination_key, event_seq, round, endpoint_key, id, trigger,
  attempts, probes, next_attempt_at)
SELECT destination_key, event_seq, round, endpoint_key, id, trigger, attempts, 0, next_attempt_at
FROM deliveries WHERE state = 0 ORDER BY destination_key, event_seq, round;

CREATE TABLE settled_deliveries (
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
  error_code      TEXT,
  PRIMARY KEY (endpoint_key, event_seq, round, destination_key)
) STRICT, WITHOUT ROWID;
INSERT INTO settled_deliveries (endpoint_key, event_seq, round, destination_key, id, trigger,
  state, attempts, probes)
SELECT endpoint_key, event_seq, round, destination_key, id, trigger, state, attempts, 0
FROM deliveries WHERE state <> 0 ORDER BY endpoint_key, event_seq, round, destination_key;
DROP TABLE deliveries;
ALTER TABLE settled_deliveries RENAME TO deliveries;

CREATE INDEX open_deliveries_due ON open_deliveries (destination_key, next_attempt_at);
CREATE UNIQUE INDEX open_deliveries_by_id ON open_deliveries (id);
CREATE UNIQUE INDEX deliveries_by_id ON deliveries (id);

-- What holds a destination back besides its settings: breaker, ramp, Retry-After, starts of
-- the rate. JSON (`core/flow/flow.ts`); null where nothing holds.
ALTER TABLE destinations ADD COLUMN flow TEXT;
CREATE INDEX destinations_held ON destinations (key) WHERE flow IS NOT NULL;
-- Headers of its attempts, as sealed JSON.
ALTER TABLE destinations ADD COLUMN sealed_headers BLOB;
-- The secret before a rotation, which signs too until then.
ALTER TABLE destinations ADD COLUMN sealed_previous_secret BLOB;
ALTER TABLE destinations ADD COLUMN previous_secret_until INTEGER;

ALTER TABLE attempts ADD COLUMN probe INTEGER NOT NULL DEFAULT 0;
ALTER TABLE attempts ADD COLUMN request_headers TEXT;
ALTER TABLE attempts ADD COLUMN rule_version INTEGER;
-- The destination's health since this attempt (0 healthy, 1 failing, 2 open), where it changed.
ALTER TABLE attempts ADD COLUMN health INTEGER;
CREATE INDEX attempts_by_id ON attempts (id);
