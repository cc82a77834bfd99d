-- Deliveries that wait or are under way get a small table of their own. A delivery moves
-- to `deliveries`, the history, when it settles. The old table may have millions of rows:
-- each new one is filled by one statement, and its indexes are built afterwards.
SET LOCAL statement_timeout = 0;

CREATE TABLE open_deliveries (
  destination_key bigint NOT NULL,
  event_seq       bigint NOT NULL,
  round           integer NOT NULL,
  endpoint_key    bigint NOT NULL,
  id              text COLLATE "C" NOT NULL,
  trigger         smallint NOT NULL,
  attempts        integer NOT NULL,
  -- Failed probes. They are attempts on record that don't count as attempts.
  probes          integer NOT NULL DEFAULT 0,
  next_attempt_at bigint NOT NULL,
  -- A claim: no index has these columns, so that taking, renewing and giving back a claim
  -- are HOT updates. The space for them is the half of each page that inserts leave free.
  lease_until     bigint NOT NULL,
  token           integer NOT NULL
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_cost_delay = 0);
INSERT INTO open_deliveries
SELECT destination_key, event_seq, round, endpoint_key, id, trigger, attempts, 0,
  coalesce(next_attempt_at, 0), lease_until, token
FROM deliveries WHERE state = 0;

ALTER TABLE deliveries RENAME TO deliveries_before;
CREATE TABLE deliveries (
  endpoint_key    bigint NOT NULL,
  event_seq       bigint NOT NULL,
  round           integer NOT NULL,
  destination_key bigint NOT NULL,
  id              text COLLATE "C" NOT NULL,
  trigger         smallint NOT NULL,
  -- 1 succeeded, 2 dead, 3 cancelled.
  state           smallint NOT NULL CHECK (state <> 0),
  attempts        integer NOT NULL,
  probes          integer NOT NULL DEFAULT 0,
  -- Why the delivery died without an attempt.
  error_code      text COLLATE "C"
);
INSERT INTO deliveries
SELECT endpoint_key, event_seq, round, destination_key, id, trigger, state, attempts, 0, NULL
FROM deliveries_before WHERE state <> 0;
DROP TABLE deliveries_before;

ALTER TABLE open_deliveries ADD PRIMARY KEY (destination_key, event_seq, round);
-- The queue of each destination.
CREATE INDEX open_deliveries_due ON open_deliveries (destination_key, next_attempt_at);
CREATE UNIQUE INDEX open_deliveries_by_id ON open_deliveries (id);
ALTER TABLE deliveries ADD PRIMARY KEY (endpoint_key, event_seq, round, destination_key);
CREATE UNIQUE INDEX deliveries_by_id ON deliveries (id);

-- Events of the statuses `failed` and `dead_letter`, so that lists find the few among
-- millions. An index of `events` with the status would forbid HOT updates of its rows.
CREATE TABLE failed_events (
  endpoint_key bigint NOT NULL,
  status       smallint NOT NULL,
  seq          bigint NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
INSERT INTO failed_events SELECT endpoint_key, status, seq FROM events WHERE status IN (2, 3);
ALTER TABLE failed_events ADD PRIMARY KEY (endpoint_key, status, seq);
DROP INDEX events_by_status;

-- A share of the rows is too many when the table is large: dead rows slow down the next
-- update of each event and each count.
ALTER TABLE events SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000,
  -- A batch of events is often settled by one commit: each page needs space for a second
  -- version of all its rows, otherwise most updates aren't HOT.
  fillfactor = 50);

-- What holds deliveries to the destination back: breaker, ramp, Retry-After, starts of the
-- rate. JSON (`core/flow/flow.ts`). Null: nothing. A rate changes it with each claim, so no
-- index may have it: updates of it are HOT.
ALTER TABLE destinations ADD COLUMN flow text COLLATE "C",
  ADD COLUMN sealed_headers bytea,
  -- Until `previous_secret_until`, attempts are signed with this secret too.
  ADD COLUMN sealed_previous_secret bytea,
  ADD COLUMN previous_secret_until bigint;
ALTER TABLE destinations SET (fillfactor = 70, autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 1000);

ALTER TABLE attempts ADD COLUMN probe boolean NOT NULL DEFAULT false,
  -- JSON, [[name, value], …] as sent. Null for attempts made before this column.
  ADD COLUMN request_headers text COLLATE "C",
  ADD COLUMN rule_version integer,
  -- The destination's health since this attempt (0 healthy, 1 failing, 2 open), where it changed.
  ADD COLUMN health smallint;
CREATE INDEX attempts_by_id ON attempts (id);
